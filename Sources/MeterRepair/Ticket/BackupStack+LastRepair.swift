internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

extension BackupStack {
    /// The repairs that are in the store, and were made within a day before the last one of them: whoever repairs a store
    /// runs one command after the other. The first one comes first; changes by hand are no repairs.
    var lastRepairs: [(entry: BackupEntry, journal: BackupManifest)] {
        let inStore = changesInStore
        var repairs: [(entry: BackupEntry, journal: BackupManifest)] = []
        for entry in entries.reversed() where inStore.contains(entry.name) {
            guard let journal = entry.committed, let command = WritingCommand(rawValue: journal.command) else {
                continue
            }
            switch command {
            case .rebuild, .importKV, .migrate, .apply, .fix: break
            case .restoreRecord, .unlock, .set, .delete: continue
            }
            if let last = repairs.first?.journal, abs(last.madeAt.seconds(since: journal.madeAt)) > Self.visit { break }
            repairs.append((entry, journal))
        }
        return repairs.reversed()
    }

    /// Seconds.
    private static let visit = 86_400.0
}

extension BackupEntry {
    /// Larger changes are not read: that would take as long as making them did. Bytes.
    private static let largestRepair = 1 << 24

    /// What the change did, with the records as they were before it. Nil where it is not told.
    /// - Throws: `StoreError`, `damaged` where the changes or the saved files are not those that were written.
    func plan(_ journal: BackupManifest) throws(StoreError) -> Plan? {
        guard let changes = journal.changes, changes.digest.size <= Self.largestRepair else { return nil }
        let lines = try lines(of: changes)
        let records = try savedRecords(of: Set(lines.flatMap(\.line.rows)), journal)
        do {
            return try PlanReading(lines, records: records).plan
        } catch {
            throw StoreError(.damaged, at: path, "\(error)")
        }
    }
}
