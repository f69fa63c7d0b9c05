package import CoreDataStore
internal import Foundation
internal import JSON
package import MeterModel

/// One folder of a store's backups, as it is found.
package struct BackupEntry: Sendable {
    package enum Contents: Sendable {
        case journal(BackupManifest)
        /// A run was killed before it had written a journal.
        case withoutJournal
        /// A journal that cannot be read, and why.
        case unreadable(String)
    }

    /// The folder's name.
    package let name: String
    /// The folder, as a path the user can type.
    package let path: String
    package let contents: Contents
    /// Whether the journal is the one that waits for the commit. The run that wrote it was killed, and the store's
    /// contents say whether its change happened.
    let isPending: Bool

    package static let journalName = "journal.json"
    /// The journal that takes the place of the first one after the commit.
    package static let pendingJournalName = "journal.pending.json"
    /// What the change did, line by line.
    package static let changesName = "changes.jsonl"
    /// Bytes.
    private static let largestJournal = 1 << 26

    /// Reads the journal, not the files.
    /// - Throws: `StoreError` where the user asked to stop; a journal that cannot be read is among the contents.
    package init(name: String, in folder: String) throws(StoreError) {
        self.name = name
        path = folder + "/" + name
        var isPending = false
        do {
            var journal = try Self.journal(path + "/" + Self.journalName)
            if journal?.state == .begun, let pending = try Self.journal(path + "/" + Self.pendingJournalName) {
                journal = pending
                isPending = true
            }
            contents = journal.map(Contents.journal) ?? .withoutJournal
        } catch let error as StoreError where error.kind == .interrupted {
            throw error
        } catch is JournalError {
            contents = .unreadable("the journal is damaged, or not one of this version of meterfix")
        } catch let error as JSONError {
            contents = .unreadable("the journal is not JSON: \(error)")
        } catch let error as StoreError {
            contents = .unreadable("the journal cannot be read: \(error.message)")
        } catch {
            contents = .unreadable("the journal cannot be read")
        }
        self.isPending = isPending
    }

    /// Nil where there is none.
    private static func journal(_ path: String) throws -> BackupManifest? {
        let input: FileInput
        do throws(StoreError) {
            input = try FileInput(regular: path)
        } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
        guard try input.size <= largestJournal, let bytes = try input.bytes(limit: largestJournal) else {
            throw StoreError(.damaged, at: path, "more than \(largestJournal >> 20) MiB")
        }
        return try BackupManifest(JSONTree(parsing: bytes, limits: JSONLimits()).top.value)
    }

    /// Hands over what the change did, line by line; no more than a line is held at a time.
    /// - Parameters:
    ///   - kind: of the lines that are wanted; nil for all of them.
    ///   - isEnough: asked before each line: whether no more of them is wanted.
    /// - Throws: `StoreError`, `damaged` where the file is not the one that was written.
    package func forEachChange(
        _ changes: BackupManifest.Changes, of kind: String? = nil, until isEnough: () -> Bool = { false },
        _ take: (JournalLine) -> Void
    ) throws(StoreError) {
        if let difference = difference(changes) { throw StoreError(.damaged, at: path, difference) }
        let file = path + "/" + Self.changesName
        var lines = FileLines(try FileInput(regular: file), at: file, longest: JSONLimits().inputBytes)
        do {
            let reader = try JSONReader()
            while !isEnough(), let line = try lines.next() {
                let value = JournalValue(try reader.value(of: line, limits: JSONLimits()))
                if let kind, try value["kind"].text != kind { continue }
                take(try JournalLine(value, changes.context))
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.damaged, at: path, "line \(lines.number) of \(Self.changesName) is damaged")
        }
    }

    /// What can be read of an entry; nil where it cannot.
    /// - Throws: `StoreError` where the user asked to stop.
    package static func ifReadable<Value>(
        _ read: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        do throws(StoreError) {
            return try read()
        } catch {
            guard error.kind != .interrupted else { throw error }
            return nil
        }
    }

    /// All that the change did.
    /// - Throws: `StoreError`, likewise.
    package func lines(of changes: BackupManifest.Changes) throws(StoreError) -> [JournalLine] {
        var lines: [JournalLine] = []
        try forEachChange(changes) { lines.append($0) }
        return lines
    }

    package var journal: BackupManifest? { if case .journal(let journal) = contents { journal } else { nil } }

    /// The journal of a change that was made, if the store's contents do not say otherwise.
    package var committed: BackupManifest? { journal.flatMap { $0.state == .committed ? $0 : nil } }

    /// Why the journal cannot be read; nil where it can, and where there is none.
    package var flaw: String? { if case .unreadable(let flaw) = contents { flaw } else { nil } }

    /// Whether it was made before an undo, by its name alone.
    package var isUndo: Bool { name.dropFirst(Self.stampLength).hasPrefix("-\(BackupManifest.undoCommand)") }

    /// Whether it was made before another one, by their names alone: their clock may have been wrong.
    package func isOlder(than other: BackupEntry) -> Bool {
        name.prefix(Self.stampLength) < other.name.prefix(Self.stampLength)
    }

    /// Whether it was made before a change of this moment that is no undo, by its name alone: it has the second.
    package func isOfChange(at moment: Timestamp) -> Bool { !isUndo && name.hasPrefix(BackupFolder.stamp(moment)) }

    /// Of `20261121T101500Z`, with which each name begins.
    private static let stampLength = 16

    /// The copy of the store's main file.
    package func mainFile(_ journal: BackupManifest) -> String { path + "/" + journal.store }

    /// Says for good that the change happened: the journal that waited takes its place.
    ///
    /// Only this makes a change one that was in the store. The store itself cannot tell: where somebody puts its old
    /// files back by hand, it is as if the change had never been, and so are the numbers in its history. An entry that is
    /// settled is therefore never taken away, whatever the contents are. A rename that fails loses nothing: as long as
    /// the store does not have the contents of before, the entry counts as settled, and the next change tries again.
    package func settle() { Self.settle(path) }

    package static func settle(_ path: String) {
        try? FileReplacement.move(path + "/" + pendingJournalName, to: path + "/" + journalName)
    }

    /// Says for good that the change did not happen.
    package func giveUp() {
        unlink(path + "/" + Self.pendingJournalName)
        unlink(path + "/" + Self.changesName)
    }

    /// Takes the entry away. Leaves alone what a symbolic link leads to.
    package func remove() {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { return }
        Self.remove(path)
    }

    /// Takes an entry away: its journal first, so that what is left of it, should that be cut short, is not taken for a
    /// whole one. The journal that waits says nothing without the first one.
    package static func remove(_ path: String) {
        unlink(path + "/" + journalName)
        try? FileManager.default.removeItem(atPath: path)
    }
}
