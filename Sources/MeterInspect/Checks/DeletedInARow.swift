internal import CoreDataStore
internal import GRDB
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// What one author deleted in transactions of which each came soon after the one before: an app may save after each delete.
private struct DeletedInARow {
    let first: SavedRecords
    private(set) var saves = 1
    private(set) var deleted: [Int64]
    private var last: SavedRecords

    private init(_ saved: SavedRecords) {
        (first, last, deleted) = (saved, saved, saved.deleted)
    }

    /// - Parameter saves: in the order of the transactions.
    static func all(among saves: some Sequence<SavedRecords>) -> [DeletedInARow] {
        var found: [DeletedInARow] = []
        for saved in saves where !saved.deleted.isEmpty {
            if found.last?.goesOn(with: saved) ?? false {
                found[found.count - 1].add(saved)
            } else {
                found.append(DeletedInARow(saved))
            }
        }
        return found
    }

    private mutating func add(_ saved: SavedRecords) {
        last = saved
        saves += 1
        deleted += saved.deleted
    }

    private func goesOn(with saved: SavedRecords) -> Bool {
        Author(saved.save) == Author(last.save) && saved.isClose(to: last)
    }
}

extension VanishedRecords {
    /// What vanished in some transactions, the first time first.
    /// - Parameters:
    ///   - storms: what they deleted did not vanish, and what they made was deleted before.
    ///   - records: in the store now.
    static func all(
        among saves: [SavedRecords], besides storms: [DeleteStormSearch.Storm], records: Int, in session: MeterSession,
        _ history: PersistentHistory
    ) throws -> [VanishedRecords] {
        let ofStorms = Set(storms.flatMap { $0.saves.map(\.transaction) })
        let made = storms.reduce(into: Set<Int64>()) { $0.formUnion($1.inserted) }
        let settings = session.settings
        var past: [PastRecord]?
        return try DeletedInARow.all(among: saves.lazy.filter { !ofStorms.contains($0.save.transaction) })
            .compactMap { run in
                let rows = made.isEmpty ? run.deleted : run.deleted.filter { !made.contains($0) }
                guard rows.count >= least else { return nil }
                let deleted = try history.deletedTogether(
                    rows, by: run.first.save, atLeast: least, ofEntities: settings.numbers, in: settings.table.name,
                    session.database)
                guard let deleted, let vanished = VanishedRecords(deleted, saves: run.saves, records: records) else {
                    return nil
                }
                guard records >= deleted.count else { return vanished }
                let known = try past.once { try pastRecords(of: session) }
                return try areStillGone(Set(rows), known, in: session) ? vanished : nil
            }
    }

    /// What the store's files and its backups have of records as they were.
    private static func pastRecords(of session: MeterSession) throws -> [PastRecord] {
        // Backups that cannot be read say nothing.
        let saved = try? PastRecord.saved(of: session, BackupFolder(for: session.store.path, named: nil))
        return try PastRecords(of: session).records + (saved?.records ?? [])
    }

    /// Whether most of the deleted records are not back, where as many records were made since: the meter of one has no record
    /// again, or none with a name as it had. Of those that the past does not know, whatever has a name may be one.
    private static func areStillGone(
        _ rows: Set<Int64>, _ past: [PastRecord], in session: MeterSession
    ) throws -> Bool {
        var wereNamed: [MACAddress: Bool] = [:]
        for record in past.map(\.record) where rows.contains(record.row) {
            guard let address = record.usableAddress else { continue }
            wereNamed[address] = wereNamed[address] == true || !record.isEmpty(.meterName)
        }
        func isNamed(_ record: DeviceSettings) -> Bool { !record.isEmpty(.meterName) }
        let back = wereNamed.count { address, wasNamed in
            let records = session.store.addresses.records(of: address)
            return wasNamed ? records.contains(where: isNamed) : !records.isEmpty
        }
        let others = try session.store.records.count { record in
            isNamed(record) && record.usableAddress.map { wereNamed[$0] == nil } ?? true
        }
        return 2 * (back + min(others, rows.count - wereNamed.count)) < rows.count
    }
}
