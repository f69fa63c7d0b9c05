internal import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

extension Check {
    package static let deleteStorm = store(
        "delete-storm", .error, "records were deleted and made again at once, as the deprecated rebuild does",
        """
        iCloud and every device delete the old records too, and what somebody changed in them there is lost. One save \
        of the app, or two within a minute, deleted at least three records and made at least half as many again: the \
        deprecated rebuild of an old version of the app. It is an error while deletes are pending for CloudKit, and a \
        note afterwards, or if another device did it.

        Do NOT open the app on this device while deletes are pending: iCloud and the other devices still have the old \
        records. If the app was open and uploads were cut off, only a part of them is left there.

        `meterfix undo` does not help: it takes back what meterfix did, and the app did this. A backup of this device \
        from before the storm has the store as it was. Otherwise ask for the stores of the other devices, copied \
        without opening the app there: `meterfix compare` shows which names and units they have and this store lacks. \
        `meterfix lost` shows those that are left in this store's files. `meterfix import-kv` brings in names and \
        units that are missing here, from a dump of the old app or a file written by hand; `meterfix set` corrects a \
        single one. Only then let this device upload.

        If the deletes are uploaded, the same thing has happened on every device, and names that were typed there at \
        that time may be missing. If the storm came from another device, ask for the stores of all of them: the one \
        that did it may do it again. Update the app everywhere.
        """
    ) { check, session in
        try session.storms().map { $0.finding(in: session.store) }
    }

    /// What every advice to use the app gives way to, while deletes are pending.
    static let prohibitionDuringStorm: Cure =
        "do NOT open the app before the delete storm is dealt with: see \(deleteStorm.id)"
}

extension Session {
    /// What was deleted and made again, the first time first.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func storms() throws -> [RecreatedRecords] { try historyOfRecords().storms }
}

/// The records that a delete storm deleted and made.
package struct RecreatedRecords: Sendable {
    /// One or two, in the order of the history.
    private let saves: [PersistentHistory.Save]
    private let deleted: Int
    private let inserted: Int
    /// Of those that were made, the ones that are there.
    private var rows: [Int64] = []
    /// How many of the deletes are pending for CloudKit.
    package let pending: Int
    /// Whether another device did it.
    package let isReceived: Bool

    /// Reads what has become of the records.
    fileprivate init(_ storm: DeleteStormSearch.Storm, pending: Int, in session: MeterSession) throws {
        saves = storm.saves
        (deleted, inserted) = (storm.deleted.count, storm.inserted.count)
        isReceived = storm.isReceived
        self.pending = pending
        rows = try session.store.records(in: storm.inserted).map(\.row)
    }

    static func all(_ storms: [DeleteStormSearch.Storm], in session: MeterSession) throws -> [RecreatedRecords] {
        var waiting: Set<Int64> = []
        // What came from CloudKit is in CloudKit.
        if let mirror = session.mirror, storms.contains(where: { !$0.isReceived }) {
            let numbers = Set(session.settings.numbers)
            let objects = try mirror.objectsToDelete(in: session.description, session.database)
            waiting = Set(objects.filter { numbers.contains($0.entityNumber) }.map(\.row))
        }
        return try storms.map { storm in
            try RecreatedRecords(
                storm, pending: storm.isReceived ? 0 : storm.deleted.count(where: waiting.contains), in: session)
        }
    }

    package var time: Timestamp? { saves.first?.time.map(Timestamp.init(secondsSince2001:)) }

    fileprivate func finding(in store: InspectedStore) -> Finding {
        let moment: Sentence = time.map { " at \($0)" } ?? ""
        let what = "\(Phrase.count(deleted, "record")) deleted and \(inserted) made again"
        func finding(_ message: Sentence, _ cure: Cure) -> Finding {
            Check.deleteStorm.finding(
                message, severity: pending == 0 ? .note : nil, entity: SettingsTable.entityName, rows: rows, cure: cure)
        }
        if isReceived {
            return finding(
                "\(what)\(moment) by CloudKit's import: a delete storm that came from another device",
                "ask for the stores of the user's other devices: one of them did it, and may do it again")
        }
        let process = saves.first.flatMap { $0.process ?? $0.names.first }
        let who = process.map { "the app (\($0))" } ?? "the app"
        let span = saves.count > 1 ? " in two saves" : ""
        let state: String
        switch pending {
        case 0: state = "none of the deletes is pending"
        case 1: state = "1 of the deletes is pending for CloudKit"
        default: state = "\(pending) of the deletes are pending for CloudKit"
        }
        return finding(
            "\(what)\(moment) by \(who)\(span), as the deprecated rebuild does; \(state)",
            pending > 0 ? Self.wayOut(store) : Self.afterwards)
    }

    /// What must not be done comes first.
    private static func wayOut(_ store: InspectedStore) -> Cure {
        .advice(
            """
            do NOT open the app here: iCloud and every other device would delete these records; keep a copy of this \
            store, and ask for those of the other devices; \(store.command("lost")) shows what names are left of \
            before; the ways out: \(command: "meterfix verify --explain delete-storm")
            """)
    }

    private static let afterwards: Cure =
        "nothing is to be stopped any more; if a name is missed since then: \(command: "meterfix verify --explain delete-storm")"
}
