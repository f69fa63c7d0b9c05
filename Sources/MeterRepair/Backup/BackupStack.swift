internal import CoreDataStore
internal import MeterModel

/// A store's backups in the order of its changes: what `undo` takes back next, and what `undo --redo` brings back.
///
/// Nothing is ever moved to say so: each undo and redo leaves an entry of its own, which names the entry whose files it
/// put back, and the stacks follow from that.
struct BackupStack: Sendable {
    /// Changes that can be taken back, the last one first.
    let done: [BackupEntry]
    /// Undos that can be taken back, the last one first.
    let undone: [BackupEntry]
    /// Entries of runs that were killed before their change was in the store.
    let unfinished: [BackupEntry]
    /// Entries without a readable journal, whosever they are.
    let strays: [BackupEntry]
    /// All entries of the store, in the order they were made.
    let entries: [BackupEntry]
    /// Entries of other stores.
    let foreign: [BackupEntry]

    /// - Parameters:
    ///   - all: what is in the folder of backups.
    ///   - storeUUID: the store's identity; entries of other stores do not count.
    ///   - now: the store's contents. They say whether the last change is in the store.
    ///   - isSwitchPending: whether an undo was killed, most likely before it had restored anything.
    init(_ all: [BackupEntry], of storeUUID: String?, now: ContentsDigest, isSwitchPending: Bool) {
        let known = all.compactMap { entry in entry.journal.map { (entry: entry, journal: $0) } }
        let own = known.filter { $0.journal.storeUUID == storeUUID }
            .sorted { ($0.journal.number, $0.entry.name) < ($1.journal.number, $1.entry.name) }
        var done: [BackupEntry] = []
        var undone: [BackupEntry] = []
        var unfinished: [BackupEntry] = []
        for (index, (entry, journal)) in own.enumerated() {
            let isLast = index == own.count - 1
            let isPending = isSwitchPending && journal.restored != nil
            // A store that has the contents from before its last change does not have that change: the run was killed
            // before its commit, or somebody copied the files back.
            guard journal.state == .committed,
                !(isLast && journal.after != now && (isPending || journal.before == now))
            else {
                unfinished.append(entry)
                continue
            }
            guard let restored = journal.restored else {
                done.append(entry)
                // What was undone before a new change cannot be brought back on top of it.
                undone = []
                continue
            }
            if journal.command == Undo.redoCommand {
                Self.take(restored, from: &undone)
                done.append(entry)
            } else {
                Self.take(restored, from: &done)
                undone.append(entry)
            }
        }
        self.done = done.reversed()
        self.undone = undone.reversed()
        self.unfinished = unfinished
        strays = all.filter { $0.journal == nil }
        entries = own.map(\.entry)
        foreign = known.filter { $0.journal.storeUUID != storeUUID }.map(\.entry)
    }

    /// The number of the next entry.
    var nextNumber: Int { (entries.compactMap { $0.journal?.number }.max() ?? 0) + 1 }

    /// Takes an entry and what came after it off a stack: what came after it is not in the store, or it would have been
    /// taken back first.
    private static func take(_ name: String, from stack: inout [BackupEntry]) {
        if let index = stack.lastIndex(where: { $0.name == name }) { stack.removeSubrange(index...) }
    }
}
