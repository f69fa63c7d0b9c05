/// Why a field of the winner has the value it ends up with.
package enum SurvivorshipRule: String, Sendable, CaseIterable {
    /// Last write wins among the records that have a value.
    case newestNonEmpty = "newest-non-empty"
    /// The winner had NULL in an attribute that meterfix does not interpret.
    case fillNull = "fill-null"
    /// The address in the store's canonical text.
    case canonicalText = "canonical-text"
    /// The whole lock of the record with the latest `connectedAt`.
    case latestLock = "latest-lock"
    /// The whole discovery of the record with the latest `lastSeenAt`.
    case latestDiscovery = "latest-discovery"
    /// The earliest `createdAt` of the group.
    case earliest
    /// `updatedAt`, because another field changed.
    case now
}

/// One field of a record, before and after, with where the new value comes from.
package struct FieldChange: Hashable, Sendable {
    package let field: RecordLayout.Field
    package let before: FieldValue
    package let after: FieldValue
    /// The row whose value it is; nil for a value that meterfix made.
    package let donor: Int64?
    package let rule: SurvivorshipRule
}

/// Two different non-empty values of one of the user's fields met in a group.
package struct Conflict: Hashable, Sendable {
    package struct Dropped: Hashable, Sendable {
        package let value: FieldValue
        package let row: Int64
    }

    package let address: MACAddress
    package let field: RecordLayout.Field
    package let kept: FieldValue
    package let keptFrom: Int64
    /// In the winner's order.
    package let dropped: [Dropped]
}
