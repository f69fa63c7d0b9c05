package import CoreDataStore
internal import GRDB
package import JSON
internal import MeterInspect
internal import MeterJournal
package import MeterModel

/// The backups of a store and what can be done with each: `undo --list`.
package struct BackupList: Sendable {
    package enum State: String, Sendable {
        /// The change is in the store and can be taken back, once those after it are.
        case done
        /// An undo that can be taken back.
        case redoable
        /// A change that was undone, or that is not in this copy of the store: it was made to another one, or somebody put
        /// files back by hand; or an undo that another change was made after.
        case spent
        /// A run was killed, and its change is not in the store.
        case halfMade = "half-made"
        /// Its files, or its journal, are not what was written.
        case damaged
    }

    package struct Item: Hashable, Sendable {
        /// The folder's name.
        package let entry: String
        package let state: State
        /// Whether `undo` takes this one back.
        package let isNext: Bool
        /// Nil where there is no readable journal.
        package let command: String?
        package let madeAt: Timestamp?
        /// Of all files that were saved.
        package let bytes: Int?
        /// What is wrong with a damaged one, or what is not as it was saved although the contents are: lower case, no full
        /// stop.
        package let problem: String?
    }

    /// The store's path as the user gave it.
    package let store: String
    /// The folder with the entries, as a path the user can type.
    package let folder: String
    /// The last one first; those without a journal behind them.
    package let items: [Item]

    /// Reads every byte of every entry, and leaves no trace.
    /// - Parameter folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError` where the store or the folder cannot be read, and where it cannot be told whose the entries are.
    package static func of(_ path: String, folder: String?) throws(StoreError) -> BackupList {
        let folder = BackupFolder(for: path, named: folder)
        let stack = try StoreConnection.look(at: path) { connection, database in
            let description = try StoreDescription(database)
            let stack = try folder.stack(of: description, connection.files, now: ContentsDigest(database))
            try stack.refuseForeign(path, description)
            return stack
        }
        return try BackupList(of: path, stack, in: folder)
    }

    /// - Throws: `StoreError` where it cannot be told whose the entries are, and where the user asked to stop.
    init(of path: String, _ stack: BackupStack, in folder: BackupFolder) throws(StoreError) {
        if stack.entries.isEmpty, let entry = stack.unknown.first { throw Refusal.unknownBackup(entry, of: path) }
        var items: [Item] = []
        for entry in stack.entries.reversed() {
            try Interruption.check(path)
            items.append(Self.item(entry, stack))
        }
        for entry in stack.orphans {
            items.append(Self.item(entry, entry.flaw == nil ? .halfMade : .damaged, isNext: false, entry.flaw))
        }
        store = path
        self.folder = folder.path
        self.items = items
    }

    private static func item(_ entry: BackupEntry, _ stack: BackupStack) -> Item {
        let isNext = stack.done.first?.name == entry.name
        var remark: String?
        switch entry.journal.map(entry.condition) {
        case .asSaved, nil:
            remark = entry.journal?.changes.flatMap(entry.difference).map {
                "\($0): what the change did cannot be told"
            }
        case .sameContents(_, let difference): remark = "\(difference), with the contents that were saved"
        case .damaged(let problem): return item(entry, .damaged, isNext: isNext, problem)
        }
        func isIn(_ entries: [BackupEntry]) -> Bool { entries.contains { $0.name == entry.name } }
        let state: State =
            isIn(stack.unfinished) ? .halfMade : isIn(stack.done) ? .done : isIn(stack.undone) ? .redoable : .spent
        return item(entry, state, isNext: isNext, remark)
    }

    private static func item(_ entry: BackupEntry, _ state: State, isNext: Bool, _ problem: String?) -> Item {
        Item(
            entry: entry.name, state: state, isNext: isNext, command: entry.journal?.command,
            madeAt: entry.journal?.madeAt, bytes: entry.journal?.files.reduce(0) { $0 + $1.digest.size },
            problem: problem)
    }
}

extension BackupList {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: BackupManifest.undoCommand, store: store) + [
                .init("folder", folder), .init("entries", items.map(\.json)),
            ])
    }
}

extension BackupList.Item {
    fileprivate var json: JSONValue {
        [
            "entry": entry, "command": command, "madeAt": madeAt, "state": state.rawValue, "next": isNext,
            "bytes": bytes, "problem": problem,
        ]
    }
}
