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
    /// A legacy value for a field that was empty.
    case legacyFill = "legacy-fill"
    /// A legacy value in place of one that was set later, because the user asked for it.
    case legacyReplace = "legacy-replace"
    /// What a new record begins with.
    case newRecord = "new-record"
    /// What a deleted record had, from a backup.
    case restored
    /// A field of a lock that was cleared because the user asked for it.
    case unlocked
    /// A value the user gave with the command.
    case byHand = "by-hand"
}
