/// A row of the mirror's log of events.
package struct MirrorEvent: Hashable, Sendable {
    package enum Kind: Int64, Sendable {
        case setup = 0
        case incoming = 1
        case outgoing = 2
    }

    package var kind: Kind
    package var startedAt: Double
    package var succeeded: Bool
    /// Without an end: it is still at work, or its process died.
    package var isRunning = false
    package var errorDomain: String?
    package var errorCode: Int64?

    package init(
        _ kind: Kind, at startedAt: Double, succeeded: Bool = true, errorDomain: String? = nil, errorCode: Int64? = nil
    ) {
        self.kind = kind
        self.startedAt = startedAt
        self.succeeded = succeeded
        self.errorDomain = errorDomain
        self.errorCode = errorCode
    }

    /// An event that has no end yet.
    package static func running(_ kind: Kind, since startedAt: Double) -> MirrorEvent {
        var event = MirrorEvent(kind, at: startedAt, succeeded: false)
        event.isRunning = true
        return event
    }

    package static let allWell = [
        MirrorEvent(.setup, at: FixtureClock.now - 3 * FixtureClock.hour),
        MirrorEvent(.incoming, at: FixtureClock.now - 3 * FixtureClock.hour + 4),
        MirrorEvent(.outgoing, at: FixtureClock.now - 3 * FixtureClock.hour + 9),
    ]
}

/// A row of the mirror's settings: a key, and a value in the column of its type.
package struct MirrorEntry: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case flag(Bool)
        case integer(Int64)
        case text(String)
        /// A keyed archive.
        case transformed([UInt8])
    }

    package var key: String
    package var value: Value

    package init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }

    /// The next export takes all rows instead of the history.
    package static let bypassesHistory = MirrorEntry("NSCloudKitMirroringDelegateBypassHistoryOnExportKey", .flag(true))
    /// The next export looks for rows that the history does not tell of.
    package static let scansForMissingRows = MirrorEntry(
        "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey", .flag(true))
    /// A migration of the mirror's tables began.
    package static let migrationBegan = MirrorEntry(
        "PFCloudKitMetadataModelMigratorMigrationBeganCommitKey", .flag(true))
}

/// What one analysis of the history found out about a record. There are rows of these only while an export is at work.
package struct MirrorAnalysis: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        /// 0 insert, 1 update, 2 delete.
        package var type: Int64
        /// Its number.
        package var transaction: Int64

        package init(type: Int64, transaction: Int64) {
            self.type = type
            self.transaction = transaction
        }
    }

    package var row: Int64
    package var original: Change
    package var final: Change

    package init(row: Int64, original: Change, final: Change) {
        self.row = row
        self.original = original
        self.final = final
    }
}
