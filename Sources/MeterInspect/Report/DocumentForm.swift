/// How a document represents the values of a store.
package enum DocumentForm {
    /// For a person or a script: dates as ISO 8601, binary as hex, UUIDs in their usual notation.
    case report
    /// As in a report if that is exact, otherwise so that the value is read back with every bit and in the same storage
    /// class (Documentation/plans.md).
    case plan
    /// As in a plan, without the records that the saved files beside the document have in full: those that are deleted,
    /// and those that they are merged into.
    case journal
}
