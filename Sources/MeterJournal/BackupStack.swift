package import CoreDataStore
internal import Foundation

/// A store's backups in the order of its changes: what `undo` takes back next, and what `undo --redo` brings back.
///
/// Nothing is ever moved to say so: each undo and redo leaves an entry of its own, which names the entry whose files it
/// put back, and the stacks follow from that.
///
/// Whether a change happened is said by its journal. One that says `begun` did not; one that says `committed` did, once.
/// Of one whose journal waits for the commit, for its run was killed, the contents say it: it did not happen if the
/// store still has those from before it. Whether a change that happened is in the store *now* is another question, and
/// that the contents answer too: somebody may have put files back by hand, or the change is of another copy of the store
/// (`BackupLine`).
package struct BackupStack: Sendable {
    /// Changes that can be taken back, the last one first.
    package let done: [BackupEntry]
    /// Undos that can be taken back, the last one first.
    package let undone: [BackupEntry]
    /// The names of changes that an undo took back, whether they were brought back since or not.
    private let takenBack: [String]
    /// The changes of this copy of the store, in the order they were made.
    private let line: [BackupEntry]
    /// Entries of runs that were killed before their change was in the store.
    package let unfinished: [BackupEntry]
    /// Entries without a readable journal, whosever they are.
    package let orphans: [BackupEntry]
    /// All entries of the store, in the order they were made.
    package let entries: [BackupEntry]
    /// Entries of other stores.
    package let foreign: [BackupEntry]
    /// Entries of which it cannot be told whether they are this store's.
    package let unknown: [BackupEntry]

    /// - Parameters:
    ///   - all: what is in the folder of backups.
    ///   - identity: the store's; entries of other stores do not count.
    ///   - path: the store's, as the user gave it.
    ///   - now: the store's contents.
    ///   - isSwitchPending: whether an undo was killed, most likely before it had restored anything.
    package init(
        _ all: [BackupEntry], of identity: StoreIdentity, at path: String, now: ContentsDigest, isSwitchPending: Bool
    ) {
        let known = all.compactMap { entry in entry.journal.map { (entry: entry, journal: $0) } }
        func entries(of owner: StoreIdentity.Owner) -> [BackupEntry] {
            known.filter { identity.owner(of: $0.journal) == owner }.map(\.entry)
        }
        let own = known.filter { identity.owner(of: $0.journal) == .this }
            .sorted { ($0.journal.number, $0.entry.name) < ($1.journal.number, $1.entry.name) }
        let committed = own.filter { $0.journal.state == .committed }.map { BackupLine.Change($0.entry, $0.journal) }
        let changes = BackupLine.current(of: committed, at: path, now: now)
        let line = Set(changes.map(\.entry.name))
        /// `before` is nil where only indexes were made again: then the contents tell nothing.
        var done: [(entry: BackupEntry, before: ContentsDigest?)] = []
        var undone: [BackupEntry] = []
        var takenBack: [String] = []
        var unfinished = own.filter { entry, journal in
            journal.state == .begun || entry.isPending && !line.contains(entry.name) && journal.before == now
        }.map(\.entry)
        for (index, change) in changes.enumerated() {
            let (entry, journal) = (change.entry, change.journal)
            let isLast = index == changes.count - 1
            // What the store had when the next change began.
            let next = isLast ? now : changes[index + 1].journal.before
            let isSwitched = !(isLast && isSwitchPending && journal.restored != nil) || journal.after == next
            // As before the change: it never came, or somebody copied the files back, and then it need not be taken back.
            let isOfIndexes = journal.before == journal.after
            guard !entry.isPending || isSwitched, isOfIndexes || journal.before != next else {
                if entry.isPending { unfinished.append(entry) }
                continue
            }
            let before = isOfIndexes ? nil : journal.before
            if let restored = journal.restored {
                if journal.command == BackupManifest.redoCommand {
                    _ = Self.take(restored, from: &undone) { $0.name }
                    done.append((entry, before))
                } else {
                    takenBack += Self.take(restored, from: &done) { $0.entry.name }.map(\.entry.name)
                    undone.append(entry)
                }
            } else {
                done.append((entry, before))
                // What was undone before a new change cannot be brought back on top of it.
                undone = []
            }
            // Files of further back were put in place, by hand or by an undo that left no entry.
            if let first = done.firstIndex(where: { $0.before == next }) { done.removeSubrange(first...) }
        }
        self.done = done.reversed().map(\.entry)
        self.undone = undone.reversed()
        self.takenBack = takenBack
        self.line = changes.map(\.entry)
        self.unfinished = unfinished
        orphans = all.filter { $0.journal == nil }
        self.entries = own.map(\.entry)
        foreign = entries(of: .other)
        unknown = entries(of: .unknown)
    }

    /// The number of the next entry.
    package var nextNumber: Int { ((entries + unknown).compactMap { $0.journal?.number }.max() ?? 0) + 1 }

    /// Takes an entry and what came after it off a stack: what came after it is not in the store, or it would have been
    /// taken back first.
    private static func take<Element>(
        _ name: String, from stack: inout [Element], _ nameOf: (Element) -> String
    ) -> ArraySlice<Element> {
        guard let index = stack.lastIndex(where: { nameOf($0) == name }) else { return [] }
        defer { stack.removeSubrange(index...) }
        return stack[index...]
    }

    /// The names of the changes that are in the store: those that can be undone, a change that was undone and brought
    /// back being the one it was.
    package var changesInStore: Set<String> { originals(of: done.map(\.name)) }

    /// The names of the changes that an undo took back and nothing has brought back since. A change that is neither among
    /// these nor in the store is one of another copy, or somebody put files of before it back by hand.
    package var undoneChanges: Set<String> { originals(of: takenBack).subtracting(changesInStore) }

    /// Whether the change was made to this copy of the store, and not to another one.
    package func isOfThisCopy(_ entry: BackupEntry) -> Bool { line.contains { $0.name == entry.name } }

    /// The changes that were brought back by these, or the same ones.
    private func originals(of names: [String]) -> Set<String> {
        let journals = Dictionary(
            entries.compactMap { entry in entry.journal.map { (entry.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        return Set(
            names.map { name in
                var name = name
                var seen: Set<String> = []
                while seen.insert(name).inserted, let restored = journals[name]?.restored { name = restored }
                return name
            })
    }

    /// Those of meterfix's transactions in the store that no backup here is of: it was made with `--no-backup`, is in
    /// another folder, or was taken away. Which of these it is cannot be told.
    package func withoutBackup(_ transactions: [PersistentHistory.Transaction]) -> [PersistentHistory.Transaction] {
        let inStore = changesInStore
        let known = Set(entries.filter { inStore.contains($0.name) }.compactMap { $0.journal?.transaction })
        return transactions.filter { !known.contains($0.number) }
    }

    /// Entries whose journals cannot be read and whose changes may be in the store: no undo says that it took them back.
    package var damaged: [BackupEntry] {
        let restored = Set(entries.compactMap { $0.journal?.restored })
        return orphans.filter { $0.flaw != nil && !restored.contains($0.name) }
    }

    /// - Throws: `StoreError`, `unsuitable` where there are backups and none of them is known to be this store's.
    package func refuseForeign(_ path: String, _ description: StoreDescription) throws(StoreError) {
        guard entries.isEmpty else { return }
        if let entry = unknown.first { throw Refusal.unknownBackup(entry, of: path) }
        if !foreign.isEmpty { throw Refusal.foreignBackups(foreign, of: path, description.metadata.uuid) }
    }

    /// Whose the backups are, where there are some and none is known to be this store's: a sentence for a person.
    package var remarkOnForeign: String? {
        guard entries.isEmpty, let entry = foreign.first else { return nil }
        return Refusal.words(onForeign: entry)
    }
}

extension BackupStack {
    /// Says for good which changes of killed runs happened. Only for who has the store to itself, and before its contents
    /// are others. Of another copy of the store nothing is known.
    package func settle() {
        let unfinished = Set(unfinished.map(\.path))
        for entry in line where entry.isPending && !unfinished.contains(entry.path) { entry.settle() }
    }
}
