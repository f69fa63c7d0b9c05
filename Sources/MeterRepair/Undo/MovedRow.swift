package import MeterModel

/// A row of a store that is not as a change left it.
package struct MovedRow: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case added, removed, changed
    }

    package struct Field: Hashable, Sendable {
        package let name: String
        package let then: FieldValue
        package let now: FieldValue
    }

    package let table: String
    package let row: Int64
    package let kind: Kind
    /// The fields that differ; empty for a row that was added or removed.
    package let fields: [Field]
}
