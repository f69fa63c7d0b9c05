internal import CoreDataStore
internal import MeterJournal
internal import MeterModel

/// A repair that is in the store, and what its backup tells of it.
struct LastRepair {
    let entry: BackupEntry
    let journal: BackupManifest
    /// What it did, with the records as they were before it; nil where the backup does not tell.
    let plan: Plan?

    /// - Throws: `StoreError` where the user asked to stop.
    fileprivate init(_ entry: BackupEntry, _ journal: BackupManifest) throws(StoreError) {
        self.entry = entry
        self.journal = journal
        plan = try BackupEntry.ifReadable { () throws(StoreError) in try entry.plan(journal) }.flatMap(\.self)
    }

    /// Whether it was first aid, or had it among its steps.
    var isFirstAid: Bool { plan.map { !RepairSummary([$0]).filled.isEmpty } ?? false }
}

extension BackupStack {
    /// The repairs that are in the store, and were made within a day before the last one of them: whoever repairs a store
    /// runs one command after the other. The first one comes first; changes by hand are no repairs.
    /// - Throws: `StoreError` where the user asked to stop.
    func lastRepairs() throws(StoreError) -> [LastRepair] {
        let inStore = changesInStore
        var repairs: [(entry: BackupEntry, journal: BackupManifest)] = []
        for entry in entries.reversed() where inStore.contains(entry.name) {
            guard let journal = entry.committed, WritingCommand(rawValue: journal.command)?.isRepair == true else {
                continue
            }
            if let last = repairs.first?.journal, abs(last.madeAt.seconds(since: journal.madeAt)) > Self.visit { break }
            repairs.append((entry, journal))
        }
        return try repairs.reversed().map { repair throws(StoreError) in try LastRepair(repair.entry, repair.journal) }
    }

    /// Seconds.
    private static let visit = 86_400.0
}

extension BackupEntry {
    /// Larger changes are not read: that would take as long as making them did. Bytes.
    private static let largestRepair = 1 << 24

    /// What the change did, with the records as they were before it. Nil where it is not told.
    /// - Throws: `StoreError`, `damaged` where the changes or the saved files are not those that were written.
    fileprivate func plan(_ journal: BackupManifest) throws(StoreError) -> Plan? {
        guard let changes = journal.changes, changes.digest.size <= Self.largestRepair else { return nil }
        let lines = try lines(of: changes)
        let records = try savedRecords(of: Set(lines.flatMap(\.rows)), journal)
        do {
            return try Plan(lines, records: records)
        } catch {
            throw StoreError(.damaged, at: path, "the lines of \(Self.changesName) do not fit together")
        }
    }
}
