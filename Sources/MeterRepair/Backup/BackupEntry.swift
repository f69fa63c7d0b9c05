internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterModel

/// One folder of a store's backups, as it is found.
struct BackupEntry: Sendable {
    enum Contents: Sendable {
        case journal(BackupJournal)
        /// A run was killed before it had written a journal.
        case withoutJournal
        /// A journal that cannot be read, and why.
        case unreadable(String)
    }

    /// The folder's name.
    let name: String
    /// The folder, as a path the user can type.
    let path: String
    let contents: Contents

    static let journalName = "journal.json"

    /// Reads the journal, not the files.
    init(name: String, in folder: String) {
        self.name = name
        path = folder + "/" + name
        do {
            guard FileManager.default.fileExists(atPath: path + "/" + Self.journalName) else {
                contents = .withoutJournal
                return
            }
            var parts: [Int: JSONValue] = [:]
            try Self.forEachPart(of: path, BackupJournal.paths) { parts[$0.path] = $0.value }
            contents = .journal(try BackupJournal(parts))
        } catch let flaw as BackupJournal.Flaw {
            contents = .unreadable(flaw.description)
        } catch let error as JSONError {
            contents = .unreadable("the journal is not JSON: \(error)")
        } catch {
            contents = .unreadable("the journal cannot be read")
        }
    }

    /// Hands over the parts of the journal at these paths. It is as large as the change was, for every deleted record is
    /// in it: no more than a part is held at a time.
    /// - Throws: `StoreError` where it cannot be read, `JSONError` where it is not JSON, and what `take` throws.
    func forEachPart(_ paths: [[JSONParts.Step]], _ take: (JSONParts.Part) throws -> Void) throws {
        try Self.forEachPart(of: path, paths, take)
    }

    private static func forEachPart(
        of path: String, _ paths: [[JSONParts.Step]], _ take: (JSONParts.Part) throws -> Void
    ) throws {
        var parts = JSONParts(paths, limits: JSONLimits())
        let input = try FileInput(path + "/" + journalName)
        while let bytes = try input.nextChunk() { try parts.read(bytes[...], take) }
        try parts.finish(take)
    }

    var journal: BackupJournal? { if case .journal(let journal) = contents { journal } else { nil } }

    /// The journal of a change that was made, if the store's contents do not say otherwise.
    var committed: BackupJournal? { journal.flatMap { $0.state == .committed ? $0 : nil } }

    /// The copy of the store's main file.
    func mainFile(_ journal: BackupJournal) -> String { path + "/" + journal.store }

    /// What is wrong with the saved files: lower case, no full stop; nil where each has the very bytes that were saved.
    func damage(_ journal: BackupJournal) -> String? {
        for file in journal.files {
            let name = journal.store + file.suffix
            let copy = path + "/" + name
            do {
                guard let status = try FileStatus(path: copy) else { return "\(name) is missing" }
                guard status.isRegular, status.size == file.digest.size else {
                    return "\(name) has \(status.size) bytes instead of \(file.digest.size)"
                }
                guard try FileDigest(of: copy) == file.digest else { return "\(name) has other bytes than were saved" }
            } catch let fault as FileFault {
                return "\(name) cannot be read: \(fault.message)"
            } catch {
                return "\(name) cannot be read: \((error as? StoreError)?.message ?? "\(error)")"
            }
        }
        return nil
    }

    /// Takes the entry away: its journal first, so that what is left of it, should that be cut short, is not taken for
    /// a whole one.
    func remove() {
        unlink(path + "/" + Self.journalName)
        try? FileManager.default.removeItem(atPath: path)
    }
}
