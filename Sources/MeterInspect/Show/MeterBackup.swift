internal import CoreDataStore
package import MeterJournal
internal import MeterModel

package struct MeterBackup: Sendable {
    package let entry: BackupEntry
    package let journal: BackupManifest
    /// Whether the change is in the store; otherwise it was undone.
    package let isInStore: Bool
    /// What the change did to each record of the meter: `row 7: name "Lab" → "Bench"`.
    package let effects: [(row: Int64, words: String)]
}

extension BackupStack {
    /// The changes that were made to a meter, the last one first.
    /// - Parameters:
    ///   - address: nil for a record without a usable address.
    ///   - rows: of its records. No other record ever has their numbers.
    ///   - warn: handed what cannot be read, and why: sentences for a person.
    /// - Throws: `StoreError` where the user asked to stop.
    func backups(
        of address: MACAddress?, rows: [Int64], warn: (String) -> Void
    ) throws(StoreError) -> [MeterBackup] {
        let inStore = changesInStore
        let unfinished = Set(unfinished.map(\.name))
        var backups: [MeterBackup] = []
        for entry in entries.reversed() where !unfinished.contains(entry.name) {
            guard let journal = entry.journal, let changes = journal.changes else { continue }
            var effects: [(row: Int64, words: String)] = []
            do throws(StoreError) {
                try entry.forEachObject(changes) { change in
                    let isOfMeter = change.address.map { $0 == address } ?? false
                    guard change.entityNumber == nil, isOfMeter || rows.contains(change.row) else { return }
                    effects.append((change.row, change.words))
                }
            } catch {
                guard error.kind != .interrupted else { throw error }
                warn("\(entry.path): what the change did cannot be told: \(error.message)")
                continue
            }
            guard !effects.isEmpty else { continue }
            backups.append(
                MeterBackup(
                    entry: entry, journal: journal, isInStore: inStore.contains(entry.name), effects: effects))
        }
        return backups
    }
}

extension ObjectChange {
    fileprivate var words: String {
        switch self {
        case .update(let update, _):
            let changed = update.fields.filter { $0.rule != .now }.map { ChangeLog.Field($0.delta) }
            return "row \(row): \(changed.updatePhrase)"
        case .insert: return "row \(row) is new"
        case .delete(let deletion):
            return deletion.merger.map { "row \(row) was merged into row \($0.survivor)" } ?? "row \(row) was deleted"
        case .cloudDelete: return "row \(row) was deleted in CloudKit only"
        }
    }
}
