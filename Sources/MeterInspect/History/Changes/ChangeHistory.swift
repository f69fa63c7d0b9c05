package import CoreDataStore
internal import Foundation
internal import GRDB
internal import JSON
package import MeterJournal
package import MeterModel

/// What meterfix did to a store, change by change, and what of it `undo` can take back: from the backups, and from the
/// store's own persistent history where no backup of a change is here.
package struct ChangeHistory: Sendable {
    package enum State: String, Sendable {
        case done
        case undone
        /// The change is of another copy of the store, or files from before it were put back by hand.
        case elsewhere
        /// A run was killed, and its change is not in the store.
        case halfMade = "half-made"
    }

    /// How many records a change was of.
    package struct Counts: Hashable, Sendable {
        package let updated: Int
        package let deleted: Int
        package let inserted: Int
    }

    package struct Item: Sendable {
        /// Nil where neither a journal nor the persistent history tells.
        package let madeAt: Timestamp?
        /// Nil where only the persistent history tells of the change.
        package let entry: BackupEntry?
        /// What it did, in a sentence; nil for an undo, and where that cannot be told in one.
        package let account: String?
        /// Nil where nothing tells, and for what never happened.
        package let counts: Counts?
        /// Nil for an undo of this copy, for what takes one back, and where it cannot be told.
        package fileprivate(set) var state: State?
        /// Whether `undo` takes it back next, or of an undo whether `undo --redo` does.
        package let isNext: Bool
        /// The backup's folder, as a path the user can type; nil where its files are gone, and where there is none here:
        /// whether one was made, and where, the store does not say.
        package let backup: String?
        /// Whether the journal or the saved files are not what was written, so that nothing can be put back.
        package let isDamaged: Bool
        /// What is wrong with the backup, or what is not as it was written although the files can be put back: lower case,
        /// no full stop.
        package let problem: String?
        /// `Z_PK` of its transaction in the persistent history.
        package let transaction: Int64?

        package var journal: BackupManifest? { entry?.journal }
        package var command: String? { journal?.command }
        /// Whether it was first aid, which is a rebuild by its command.
        package var isFirstAid: Bool { journal?.report?["inUse"] == .bool(true) }
    }

    /// The store's path as the user gave it.
    package let store: String
    /// The folder with the backups, as a path the user can type.
    package let folder: String
    /// The last one first; behind them what no time is known of.
    package let items: [Item]
    /// What keeps the list from being whole: sentences for a person.
    package let warnings: [String]

    /// Reads every byte of every backup, and leaves no trace. Of a store with damage it tells what the backups tell.
    /// - Parameter folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError` where the store or the folder cannot be read, and where it cannot be told whose the backups are.
    package static func of(_ path: String, folder: String?, now: Timestamp) throws(StoreError) -> ChangeHistory {
        let folder = BackupFolder(for: path, named: folder)
        return try StoreConnection.look(at: path) { connection, database in
            var store = try InspectedStore(
                describing: StoreRequest(path, now: now), files: connection.files, database)
            try store.requireCoreData()
            _ = try Session.ifIntact { try store.readRecords(database) }
            let contents = try Session.ifIntact { try ContentsDigest(database) }
            let stack = try folder.stack(
                of: store.description, store.files, now: contents ?? ContentsDigest.ofDamagedStore)
            return try ChangeHistory(of: Session(store, database), stack, in: folder, isDamaged: contents == nil)
        }
    }

    /// - Parameter isDamaged: whether the store's contents cannot be read: then nobody knows which changes are in it.
    /// - Throws: SQLite's errors, and `StoreError` where it cannot be told whose the backups are, or the user asked to stop.
    package init(
        of session: Session, _ stack: BackupStack, in folder: BackupFolder, isDamaged: Bool = false
    ) throws {
        store = session.store.path
        self.folder = folder.path
        if stack.entries.isEmpty, let entry = stack.unknown.first { throw Refusal.unknownBackup(entry, of: store) }
        var warnings = [stack.remarkOnForeign].compactMap(\.self)
        if isDamaged {
            warnings.append("the store is damaged: undo refuses it, and which of the changes are in it cannot be told")
        }
        let known = try Self.known(from: stack, in: session.store, isDamaged: isDamaged)
        let others = try Session.ifIntact { try Self.others(beside: stack, in: session) }
        if others == nil {
            warnings.append("the store's history is damaged: changes without a backup here are not in the list")
        }
        (items, self.warnings) = (Self.list(known, others ?? [], stack.orphans), warnings)
    }

    /// What the backups tell, the first one first.
    private static func known(
        from stack: BackupStack, in store: InspectedStore, isDamaged: Bool
    ) throws(StoreError) -> [Item] {
        let (inStore, undone) = (stack.changesInStore, stack.undoneChanges)
        let unfinished = Set(stack.unfinished.map(\.name))
        // What cannot be read may be the last change: then `undo` refuses.
        let next =
            isDamaged
            ? []
            : [stack.done, stack.undone].compactMap(\.first).filter { entry in
                !stack.damaged.contains { !$0.isOlder(than: entry) }
            }.map(\.name)
        var items: [Item] = []
        for entry in stack.entries {
            try Interruption.check(store.path)
            guard let journal = entry.journal else { continue }
            let state: State? =
                if unfinished.contains(entry.name) {
                    .halfMade
                } else if isDamaged {
                    nil
                } else if journal.restored != nil {
                    stack.isOfThisCopy(entry) ? nil : .elsewhere
                } else {
                    inStore.contains(entry.name) ? .done : undone.contains(entry.name) ? .undone : .elsewhere
                }
            items.append(
                try item(entry, journal, state, isNext: next.contains(entry.name), in: store.letterCase))
        }
        return items
    }

    /// - Throws: `StoreError` where the user asked to stop.
    private static func item(
        _ entry: BackupEntry, _ journal: BackupManifest, _ state: State?, isNext: Bool, in letterCase: LetterCase
    ) throws(StoreError) -> Item {
        func count(_ key: String, in part: String = "summary") -> Int {
            journal.report?[part]?[key].flatMap(BackupManifest.size) ?? 0
        }
        // A record whose row was gone already is deleted in CloudKit only.
        let counts = Counts(
            updated: count("updated"), deleted: max(count("deleted"), count("deletes", in: "cloud")),
            inserted: count("inserted"))
        var (isDamaged, problem) = (false, String?.none)
        switch entry.condition(journal) {
        case .asSaved:
            problem = journal.changes.flatMap(entry.difference).map { "\($0): what the change did cannot be told" }
        case .sameContents(_, let difference): problem = "\(difference), with the contents that were saved"
        case .damaged(let damage): (isDamaged, problem) = (true, damage)
        }
        let isThere = FileManager.default.fileExists(atPath: entry.mainFile(journal))
        let happened = state != .halfMade
        return Item(
            madeAt: journal.madeAt, entry: entry,
            account: happened ? try ChangeSummary.words(of: entry, journal, in: letterCase) : nil,
            counts: happened ? counts : nil, state: state, isNext: isNext && !isDamaged,
            backup: isThere ? entry.path : nil,
            isDamaged: isDamaged, problem: problem, transaction: journal.transaction)
    }

    /// Transactions without a backup of which is told what they did: each takes a query.
    private static let mostAccounts = 1_000

    /// What only the persistent history tells, the first one first. A journal that is gone or cannot be read does not say
    /// which of them is its change; the second in which the backup was made does.
    private static func others(beside stack: BackupStack, in session: Session) throws -> [Item] {
        var changedFields = ChangedFields(session.store)
        var orphans = stack.orphans.sorted { $0.name < $1.name }
        let transactions = stack.withoutBackup(
            try session.history?.transactions(by: HistoryWriter.author, session.database) ?? [])
        return try transactions.enumerated().map { index, transaction in
            let isRecent = transactions.count - index <= mostAccounts
            let account =
                try isRecent
                ? ChangeSummary.words(ofTransaction: transaction.number, in: session, &changedFields) : nil
            let madeAt = Timestamp(secondsSince2001: transaction.time)
            let orphan = orphans.firstIndex { $0.isOfChange(at: madeAt) }.map { orphans.remove(at: $0) }
            return Item(
                madeAt: madeAt, entry: orphan, account: account,
                counts: Counts(
                    updated: transaction.updates, deleted: transaction.deletes, inserted: transaction.inserts),
                state: .done, isNext: false, backup: orphan?.path, isDamaged: orphan != nil,
                problem: orphan.map { $0.flaw ?? "the journal is missing" }, transaction: transaction.number)
        }
    }

    /// All of them, the last one first.
    private static func list(_ known: [Item], _ others: [Item], _ orphans: [BackupEntry]) -> [Item] {
        var (known, others) = (known, others)
        for (index, item) in known.enumerated() where item.state == .undone || item.state == .elsewhere {
            // The journal of the undo that was itself taken back cannot be read, but the change is in the store's history.
            let same = others.firstIndex { $0.transaction == item.transaction && $0.madeAt == item.madeAt }
            guard let same else { continue }
            others.remove(at: same)
            known[index].state = .done
        }
        let named = Set(others.compactMap(\.entry?.path))
        let rest = orphans.filter { !named.contains($0.path) }.map { entry in
            Item(
                madeAt: nil, entry: entry, account: nil, counts: nil, state: entry.flaw == nil ? .halfMade : nil,
                isNext: false, backup: entry.path, isDamaged: entry.flaw != nil, problem: entry.flaw, transaction: nil)
        }
        return inOrder(known, others).reversed() + rest
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
            let earlier = entries[start..<max(start, end)].lastIndex { entry in
                if let time = entry.madeAt, let otherTime = other.madeAt { time <= otherTime } else { false }
            }
            following[earlier.map { $0 + 1 } ?? start, default: []].append(other)
        }
        return (0...entries.count).flatMap { index in
            (following[index] ?? []) + (index < entries.count ? [entries[index]] : [])
        }
    }
}
