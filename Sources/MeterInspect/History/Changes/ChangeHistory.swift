package import CoreDataStore
internal import Foundation
internal import GRDB
package import JSON
package import MeterJournal
package import MeterModel

/// What meterfix did to a store, change by change: from the journals of its backups, and from the store's own
/// persistent history where no backup of it is here.
package struct ChangeHistory: Sendable {
    package enum State: String, Sendable {
        case done
        case undone
        /// The change is of another copy of the store, or files from before it were put back by hand.
        case elsewhere
    }

    package struct Item: Sendable {
        package let madeAt: Timestamp
        /// Nil where only the persistent history tells of it.
        package let journal: BackupManifest?
        /// What it did, in a sentence; nil for an undo, and where that cannot be told in one.
        package let account: String?
        package let updated: Int
        package let deleted: Int
        package let inserted: Int
        /// Nil for an undo of this copy, and for what takes one back.
        package let state: State?
        /// The backup's folder, as a path the user can type; nil where its files are gone, and where there is none here:
        /// whether one was made, and where, the store does not say.
        package let backup: String?
        /// `Z_PK` of its transaction in the persistent history.
        package let transaction: Int64?

        package var command: String? { journal?.command }
        /// Whether it was first aid, which is a rebuild by its command.
        package var isFirstAid: Bool { journal?.report?["inUse"] == .bool(true) }
    }

    /// The store's path as the user gave it.
    package let store: String
    /// The last one first.
    package let items: [Item]
    /// Whose the backups are, where there are some and none is this store's: a sentence for a person.
    package let warning: String?

    /// - Throws: `StoreError` where the store or the folder cannot be read.
    package static func of(_ path: String, folder: String?, now: Timestamp) throws(StoreError) -> ChangeHistory {
        let folder = BackupFolder(for: path, named: folder)
        return try Session.look(at: path, now: now) { session in
            try session.store.requireCoreData()
            return try ChangeHistory(of: session, session.stack(in: folder))
        }
    }

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(of session: Session, _ stack: BackupStack) throws {
        store = session.store.path
        items = try Self.list(stack, in: session)
        warning = stack.remarkOnForeign
    }

    /// Transactions without a backup of which is told what they did: each takes a query.
    private static let mostAccounts = 1_000

    private static func list(_ stack: BackupStack, in session: Session) throws -> [Item] {
        let store = session.store
        let (inStore, undone) = (stack.changesInStore, stack.undoneChanges)
        let unfinished = Set(stack.unfinished.map(\.name))
        var items: [Item] = []
        for entry in stack.entries where !unfinished.contains(entry.name) {
            try Interruption.check(store.path)
            guard let journal = entry.journal else { continue }
            let state: State? =
                if journal.restored != nil {
                    stack.isOfThisCopy(entry) ? nil : .elsewhere
                } else {
                    inStore.contains(entry.name) ? .done : undone.contains(entry.name) ? .undone : .elsewhere
                }
            items.append(
                item(
                    entry, journal, state, account: try ChangeSummary.words(of: entry, journal, in: store.letterCase)))
        }
        var changedFields = ChangedFields(store)
        let others = stack.withoutBackup(
            try session.history?.transactions(by: HistoryWriter.author, session.database) ?? [])
        let transactions = try others.enumerated().map { index, transaction in
            let isRecent = others.count - index <= mostAccounts
            let account =
                try isRecent
                ? ChangeSummary.words(ofTransaction: transaction.number, in: session, &changedFields) : nil
            return Item(
                madeAt: Timestamp(secondsSince2001: transaction.time), journal: nil, account: account,
                updated: transaction.updates, deleted: transaction.deletes, inserted: transaction.inserts,
                state: .done, backup: nil, transaction: transaction.number)
        }
        return inOrder(items, transactions).reversed()
    }

    /// In the order they were made, which the numbers say, of the entries and of the transactions: clocks go back. Only
    /// between two of the store's changes with a backup does the time tell where one without belongs.
    private static func inOrder(_ entries: [Item], _ others: [Item]) -> [Item] {
        var following: [Int: [Item]] = [:]
        let known = entries.enumerated().compactMap { index, entry in
            entry.state == .done ? entry.transaction.map { (index: index, transaction: $0) } : nil
        }
        for other in others.sorted(by: { ($0.transaction ?? 0) < ($1.transaction ?? 0) }) {
            let number = other.transaction ?? 0
            let start = known.last { $0.transaction < number }.map { $0.index + 1 } ?? 0
            let end = known.first { $0.transaction > number }?.index ?? entries.count
            let earlier = entries[start..<max(start, end)].lastIndex { $0.madeAt <= other.madeAt }
            following[earlier.map { $0 + 1 } ?? start, default: []].append(other)
        }
        return (0...entries.count).flatMap { index in
            (following[index] ?? []) + (index < entries.count ? [entries[index]] : [])
        }
    }

    private static func item(
        _ entry: BackupEntry, _ journal: BackupManifest, _ state: State?, account: String?
    ) -> Item {
        func count(_ key: String, in part: String = "summary") -> Int {
            journal.report?[part]?[key].flatMap(BackupManifest.size) ?? 0
        }
        let isThere = FileManager.default.fileExists(atPath: entry.mainFile(journal))
        return Item(
            madeAt: journal.madeAt, journal: journal, account: account,
            // A record whose row was gone already is deleted in CloudKit only.
            updated: count("updated"), deleted: max(count("deleted"), count("deletes", in: "cloud")),
            inserted: count("inserted"), state: state, backup: isThere ? entry.path : nil,
            transaction: journal.transaction)
    }
}

extension ChangeHistory {
    package var json: JSONValue {
        .object(JSONDocument.head(command: "changes", store: store) + [.init("changes", items.map(\.json))])
    }
}

extension ChangeHistory.Item {
    fileprivate var json: JSONValue {
        [
            "madeAt": madeAt, "command": command, "inUse": isFirstAid, "version": journal?.version,
            "arguments": journal?.arguments ?? [],
            "summary": ["updated": updated, "deleted": deleted, "inserted": inserted] as JSONValue,
            "state": state?.rawValue, "restored": journal?.restored, "backup": backup,
            "historyTransaction": transaction, "by": journal?.person, "note": journal?.note, "account": account,
            "source": journal == nil ? "history" : "journal",
        ]
    }
}
