public import Foundation
internal import GRDB

/// A transaction of the persistent history: one save.
public struct HistoryTransaction: Hashable, Sendable {
    /// What happened to one object.
    public struct Change: Hashable, Sendable {
        /// Nil for a change type that is not known.
        public let kind: PersistentHistory.ChangeType?
        /// The name of the entity; nil for one that the store does not have now.
        public let entity: String?
        /// `Z_PK`; nil if the history does not say.
        public let number: Int64?
        /// The properties that an update changed, by name; nil for an insert and a delete, and where it is not known.
        public let properties: [String]?
        /// Texts that a deleted object left: values of attributes that are preserved after deletion.
        public let tombstones: [String]
    }

    /// `Z_PK`; larger than that of any transaction before it.
    public let number: Int64
    /// When it was saved, by the clock of the device; nil if it has no date.
    public let date: Date?
    /// As the app named it (`transactionAuthor`); CloudKit's mirror saves as `NSCloudKitMirroringDelegate.import`.
    public let author: String?
    /// The bundle identifier of the app or extension that saved.
    public let bundle: String?
    /// The name of the process.
    public let process: String?
    /// The name of the context that saved, if the app gave it one.
    public let context: String?
    /// In the order in which they were saved.
    public let changes: [Change]
}

extension StoreSnapshot {
    /// The last transactions of the persistent history, the newest first; nil if the store keeps none.
    /// - Parameter count: how many at most.
    /// - Throws: `StoreError`.
    public func transactions(last count: Int) throws(StoreError) -> [HistoryTransaction]? {
        guard let history = description.history else { return nil }
        return try read { database in
            let numbers = try database.rows(
                "SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT ?", [.integer(Int64(max(count, 0)))]
            ) { $0.integer(0) }
            return try numbers.map { number in
                var changes: [HistoryTransaction.Change] = []
                var saved: PersistentHistory.Save?
                try history.forEachChange(inTransaction: number, database) { row in
                    saved = try saved ?? row.save()
                    changes.append(self.change(row.change))
                }
                // A transaction whose changes were purged has its time only.
                let time = try saved?.time ?? history.time(of: number, database)
                return HistoryTransaction(
                    number: number, date: time.map(Date.init(timeIntervalSinceReferenceDate:)), author: saved?.author,
                    bundle: saved?.bundle, process: saved?.process, context: saved?.context, changes: changes)
            }
        }
    }

    private func change(_ change: PersistentHistory.LoggedChange) -> HistoryTransaction.Change {
        let name = change.entityNumber.flatMap { description.keys[number: $0]?.name }
        let entity = name.flatMap { name in description.model?[entity: name] }
        let layouts = entity.flatMap { entity in description.model?.historyLayouts(of: entity) }
        return HistoryTransaction.Change(
            kind: change.kind, entity: name, number: change.row,
            properties: change.columns.flatMap { columns in
                layouts.flatMap { HistoryColumn.properties(changedIn: columns, by: $0) }
            }, tombstones: change.tombstones)
    }
}
