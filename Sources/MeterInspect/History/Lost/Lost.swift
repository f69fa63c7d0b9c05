package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `lost`: what meters were called, and the units they had, from the store's files and from its backups.
package enum Lost {
    /// Reads the store and its backups, and leaves no trace.
    /// - Parameters:
    ///   - all: whether every value that the user made counts, however possible.
    ///   - folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError`; `unsuitable` if the store has no records of meters.
    package static func of(
        _ path: String, all: Bool, folder: String?, now: Timestamp
    ) throws(StoreError) -> FormerValues {
        try MeterSession.look(at: path, now: now) { try values(in: $0, all: all, withMoved: all, folder: folder) }
    }

    package static func values(
        in session: MeterSession, all: Bool, withMoved: Bool, folder: String?
    ) throws -> FormerValues {
        let past = try PastRecords(of: session)
        let (saved, warnings) = try saved(of: session, BackupFolder(for: session.store.path, named: folder))
        return try FormerValues(of: session, past, saved: saved, all: all, withMoved: withMoved, warnings: warnings)
    }

    /// The record of a meter that has none now, as it was last: of those that are most certain the last one.
    /// - Throws: `StoreError`, `unsuitable` where nothing has such a record, and where the meter has one now.
    package static func record(
        of address: MACAddress, in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) -> (record: DeviceSettings, warnings: [String]) {
        try MeterSession.look(at: path, now: now) { session in
            let store = session.store
            let mac = address.text(in: store.letterCase)
            if let row = store.addresses.rows(of: address).first {
                throw StoreError(
                    .unsuitable, at: path, "the meter \(mac) has a record, in row \(row)",
                    hint: "`\(store.command("lost"))` lists the values that it had; `meterfix set` gives one back")
            }
            let (saved, warnings) = try saved(of: session, BackupFolder(for: path, named: folder))
            let records = try PastRecords(of: session).records + saved
            let known = records.filter { $0.record.usableAddress == address && $0.certainty > .possible }
            guard let last = known.max(by: { $1.says(moreThan: $0) }) else {
                throw StoreError(
                    .unsuitable, at: path, "nothing in its files or backups is a record of the meter \(mac)",
                    hint:
                        "`\(store.command("lost --all"))` lists the values of other meters, and possible ones"
                )
            }
            return (last.record, warnings)
        }
    }

    /// What the backups of a store have.
    private static func saved(
        of session: MeterSession, _ folder: BackupFolder
    ) throws -> (records: [PastRecord], warnings: [String]) {
        guard try folder.entryCount > 0 else { return ([], []) }
        var records: [PastRecord] = []
        var warnings: [String] = []
        let stack = try session.session.stack(in: folder)
        var present = try PresentValues(session)
        for entry in stack.entries.reversed() {
            guard let journal = entry.journal else { continue }
            switch entry.condition(journal) {
            case .asSaved, .sameContents: records += try self.records(of: entry, journal, &present, session.store.now)
            case .damaged(let damage): warnings.append("\(entry.path) is damaged: \(damage)")
            }
        }
        return (records, warnings)
    }

    /// The records that a backup has, as they were when it was made and before.
    private static func records(
        of entry: BackupEntry, _ journal: BackupManifest, _ present: inout PresentValues, _ now: Timestamp
    ) throws(StoreError) -> [PastRecord] {
        try Session.look(at: entry.mainFile(journal), named: entry.path, now: now) { session in
            guard let session = session.ofMeters else { return [] }
            var records: [PastRecord] = []
            try session.settings.forEachRow(session.database) { row in
                if row.row & 0x3FF == 0 { try Interruption.check(entry.path) }
                guard present.lack(row) else { return }
                records.append(
                    PastRecord(row.record, source: .backup, certainty: .certain, to: journal.madeAt))
            }
            return try records
                + PastRecords(of: session).records.map {
                    PastRecord(
                        $0.record, source: .backup, certainty: $0.certainty, from: $0.from, to: $0.to ?? journal.madeAt,
                        transaction: $0.transaction)
                }
        }
    }
}

/// What the records of a store have that may be lost, to tell quickly which records of a backup say nothing new.
private struct PresentValues {
    private var known: [Int64: Int] = [:]

    init(_ session: MeterSession) throws {
        try session.settings.forEachRow(session.database) { known[$0.row] = Self.hash(of: $0) }
    }

    /// Whether the record had other values than the one in the same row has now, or than that had in a backup before.
    mutating func lack(_ row: RecordRow) -> Bool {
        known.updateValue(Self.hash(of: row), forKey: row.row) != known[row.row]
    }

    private static func hash(of row: RecordRow) -> Int {
        var hasher = Hasher()
        for field in [SettingsField.macAddress] + SettingsField.userData {
            row.withBytes(field) { hasher.combine(bytes: $0) }
            hasher.combine(0xFF)
        }
        return hasher.finalize()
    }
}
