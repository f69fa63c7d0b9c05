/// How a document has the values of a store.
package enum DocumentForm {
    /// For a person or a script: dates as ISO 8601, binary as hex, UUIDs in their usual form.
    case report
    /// As in a report where that says it all, so that the value comes back with every bit and in the same storage class
    /// (Documentation/plans.md).
    case plan
}
