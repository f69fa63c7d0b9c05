/// What becomes of a field when the records of one meter are merged into one.
package enum Survivorship: Hashable, Sendable, CaseIterable {
    /// The winner's own value stays, and those of the others are deleted with them: they identify the record.
    case kept
    /// The address in the store's canonical text.
    case canonicalText
    /// What the user types or chooses: the newest value that is not empty. Each different one is a conflict.
    case userData
    /// A field of the lock, which comes as a whole from the record with the latest one.
    case lock
    /// A field of the last discovery, which comes as a whole from the record with the latest one.
    case discovery
    /// The earliest date.
    case earliest
    /// Now, if another field changes.
    case stamped
    /// The app regards a record with it as gone: the winner's own value stays, and that of another record is never copied.
    case mark
    /// For an attribute that meterfix does not know: the winner's own value or, if that is NULL, the newest one. Each
    /// different one is a conflict.
    case unknown

    /// The rule in the report for a field that such a merge changes; nil if it never changes one.
    package var rule: SurvivorshipRule? {
        switch self {
        case .kept, .mark: nil
        case .canonicalText: .canonicalText
        case .userData: .newestNonEmpty
        case .lock: .latestLock
        case .discovery: .latestDiscovery
        case .earliest: .earliest
        case .stamped: .now
        case .unknown: .fillNull
        }
    }
}

extension SettingsField {
    /// What a user types or chooses. How many of them are filled decides which record is the most complete.
    package static let userData = allCases.filter { $0.survivorship == .userData }

    /// The lock, flat and blob: a unit, always from one record.
    package static let lock = allCases.filter { $0.survivorship == .lock }

    /// The last discovery, flat and blob: a unit too.
    package static let discovery = allCases.filter { $0.survivorship == .discovery }

    /// The lock's four flat attributes.
    package static let flatLock = lock.filter { $0 != .connectionMetadata }
}

extension RecordLayout.Field {
    /// Whether a user types or chooses it.
    package var isUserData: Bool { survivorship == .userData }
}

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
    /// A new `id` for a record that had the same one as another.
    case newIdentity = "new-identity"
    /// JSON that nobody can read, which was cleared because the user asked for it.
    case unreadable
    /// A unit in the app's own word for it, or a value in the type that Core Data stores.
    case understood
}

extension SurvivorshipRule {
    /// All rules. (`allCases` makes an array each time.)
    private static let all = allCases

    /// Its place among all rules.
    package var ordinal: Int { Self.all.firstIndex(of: self)! }
}
