package import CoreDataStore
package import GRDB
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
        try InspectedStore.look(at: path, now: now) { store, database in
            try values(in: store, all: all, withMoved: all, folder: folder, database)
        }
    }

    /// - Throws: `StoreError`, as above; SQLite's errors.
    package static func values(
        in store: InspectedStore, all: Bool, withMoved: Bool, folder: String?, _ database: Database
    ) throws -> FormerValues {
        let settings = try store.requireSettings()
        let past = try PastRecords(of: store, settings, database)
        let (saved, warnings) = try saved(
            of: store, settings, BackupFolder(for: store.path, named: folder), database)
        return try FormerValues(
            of: store, settings, past, saved: saved, all: all, withMoved: withMoved, warnings: warnings, database)
    }

    /// The record of a meter that has none now, as it was last: of those that are most certain the last one.
    /// - Throws: `StoreError`, `unsuitable` where nothing has such a record, and where the meter has one now.
    package static func record(
        of address: MACAddress, in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) -> (record: DeviceSettings, warnings: [String]) {
        try InspectedStore.look(at: path, now: now) { store, database in
            let settings = try store.requireSettings()
            let mac = address.text(in: store.letterCase)
            if let row = store.addresses.rows(of: address).first {
                throw StoreError(
                    .unsuitable, at: path, "the meter \(mac) has a record, in row \(row)",
                    hint: "`\(store.command("lost"))` lists the values that it had; `meterfix set` gives one back")
            }
            let (saved, warnings) = try saved(of: store, settings, BackupFolder(for: path, named: folder), database)
            let records = try PastRecords(of: store, settings, database).records + saved
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
        of store: InspectedStore, _ settings: SettingsTable, _ folder: BackupFolder, _ database: Database
    ) throws -> (records: [PastRecord], warnings: [String]) {
        guard try folder.entryCount > 0 else { return ([], []) }
        var records: [PastRecord] = []
        var warnings: [String] = []
        let stack = try folder.stack(of: store.description, store.files, now: ContentsDigest(database))
        var present = try PresentValues(settings, database)
        for entry in stack.entries.reversed() {
            guard let journal = entry.journal else { continue }
            switch entry.condition(journal) {
            case .asSaved, .sameContents: records += try self.records(of: entry, journal, &present, store.now)
            case .damaged(let damage): warnings.append("\(entry.path) is damaged: \(damage)")
            }
        }
        return (records, warnings)
    }

    /// The records that a backup has, as they were when it was made and before.
    private static func records(
        of entry: BackupEntry, _ journal: BackupManifest, _ present: inout PresentValues, _ now: Timestamp
    ) throws(StoreError) -> [PastRecord] {
        try InspectedStore.look(at: entry.mainFile(journal), named: entry.path, now: now) { store, database in
            guard let settings = store.settings else { return [] }
            var records: [PastRecord] = []
            try settings.forEachRow(database) { row in
                if row.row & 0x3FF == 0 { try Interruption.check(entry.path) }
                guard present.lack(row) else { return }
                records.append(
                    PastRecord(row.record, source: .backup, certainty: .certain, to: journal.madeAt))
            }
            return try records
                + PastRecords(of: store, settings, database).records.map {
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

    init(_ settings: SettingsTable, _ database: Database) throws {
        try settings.forEachRow(database) { known[$0.row] = Self.hash(of: $0) }
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
