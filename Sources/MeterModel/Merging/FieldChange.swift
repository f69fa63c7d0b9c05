/// A field of a record before and after a change, and where the new value comes from.
package struct FieldChange: Hashable, Sendable {
    package let field: RecordLayout.Field
    package let before: FieldValue
    package let after: FieldValue
    /// The row that the value comes from; nil for a value that meterfix made.
    package let donor: Int64?
    package let rule: SurvivorshipRule

    package init(
        field: RecordLayout.Field, before: FieldValue, after: FieldValue, donor: Int64?, rule: SurvivorshipRule
    ) {
        self.field = field
        self.before = before
        self.after = after
        self.donor = donor
        self.rule = rule
    }
}

/// Different non-empty values of the same field in a group of records.
package struct Conflict: Hashable, Sendable {
    package struct Dropped: Hashable, Sendable {
        package let value: FieldValue
        /// Nil for a value of a legacy dump.
        package let row: Int64?

        package init(value: FieldValue, row: Int64?) {
            self.value = value
            self.row = row
        }
    }

    package let address: MACAddress
    package let field: RecordLayout.Field
    package let kept: FieldValue
    /// Nil for a value of a legacy dump.
    package let keptFrom: Int64?
    /// In the winner's order.
    package let dropped: [Dropped]

    package init(
        address: MACAddress, field: RecordLayout.Field, kept: FieldValue, keptFrom: Int64?, dropped: [Dropped]
    ) {
        self.address = address
        self.field = field
        self.kept = kept
        self.keptFrom = keptFrom
        self.dropped = dropped
    }
}
