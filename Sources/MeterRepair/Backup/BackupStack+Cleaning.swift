internal import CoreDataStore
internal import Foundation
internal import JSON

extension BackupStack {
    /// Takes away what killed runs left of changes that did not happen, where nothing in it could be the only copy.
    /// Only for who has the store to itself: what is half-made then is nobody's work in progress.
    /// - Parameters:
    ///   - backup: of the store as it is.
    ///   - folder: where the entries are.
    /// - Returns: what was left alone, and why: sentences for a person.
    func clean(with backup: Backup, in folder: BackupFolder) -> [String] {
        var warnings: [String] = []
        for entry in unfinished {
            if entry.journal?.before == backup.before {
                entry.remove()
            } else {
                entry.markUnfinished()
                warnings.append(
                    "\(entry.path) was saved before a change that did not happen, and the store is no longer as it was "
                        + "then; delete it if nobody needs it")
            }
        }
        for entry in strays {
            switch entry.contents {
            case .journal: break
            case .withoutJournal:
                if entry.isBeginning(of: backup.entry) || !folder.isShared && entry.isEmpty {
                    entry.remove()
                } else if !folder.isShared {
                    warnings.append(
                        "\(entry.path) has no journal and is not of the store as it is; delete it if nobody needs it")
                }
            case .unreadable(let reason):
                if !folder.isShared { warnings.append("\(entry.path) is damaged: \(reason)") }
            }
        }
        return warnings
    }
}

extension BackupEntry {
    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        // Left by a run that was killed while it wrote its journal.
        return names.filter { $0 != Self.journalName + ".new" }
    }

    /// Whether no file in it has a byte: the copy had only begun.
    fileprivate var isEmpty: Bool {
        names.allSatisfy { name in (try? FileStatus(path: "\(path)/\(name)"))?.size == 0 }
    }

    /// Whether each file in it is the beginning of the file of that name in another entry, and there is something in
    /// one: a copy that was cut short.
    fileprivate func isBeginning(of other: String) -> Bool {
        let names = names
        guard !names.isEmpty else { return false }
        var bytes = 0
        for name in names {
            guard let size = (try? FileStatus(path: "\(path)/\(name)"))?.size,
                (try? FileCopy.isBeginning("\(path)/\(name)", of: "\(other)/\(name)")) == true
            else { return false }
            bytes += size
        }
        return bytes > 0
    }

    /// Says in the journal that the change did not happen, and leaves all else in it as it is.
    fileprivate func markUnfinished() {
        guard journal?.state == .committed else { return }
        var state: Range<Int>?
        try? forEachPart([["state"]]) { state = $0.range }
        guard let state else { return }
        let path = path + "/" + Self.journalName
        let begun = Array("\"\(BackupJournal.State.begun.rawValue)\"".utf8)
        try? FileReplacement.write(to: path) { file throws(StoreError) in
            try FileCopy.splice(path, state, begun, into: file)
        }
    }
}
