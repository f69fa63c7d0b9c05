internal import CoreDataStore
internal import Foundation
internal import MeterJournal

extension BackupStack {
    /// Takes away what killed runs left of changes that did not happen, where nothing in it could be the only copy: the
    /// journal says that the change did not happen, or waits for it, and the store has the contents that were saved, which
    /// are in the new backup too. What a finished change left is never taken away.
    /// Only for who has the store to itself: what is half-made then is nobody's work in progress.
    /// - Parameters:
    ///   - backup: of the store as it is.
    ///   - folder: where the entries are.
    /// - Returns: what was left alone, and why: sentences for a person.
    func clean(with backup: Backup, in folder: BackupFolder) -> [String] {
        settle()
        var warnings: [String] = []
        for entry in unfinished {
            if entry.journal?.before == backup.before {
                entry.remove()
            } else {
                entry.giveUp()
                warnings.append(
                    "\(entry.path) was saved before a change that did not happen, and the store is no longer as it was "
                        + "then; delete it if nobody needs it")
            }
        }
        for entry in orphans {
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
        // Left by a run that was killed while it wrote a journal, or what the change was to be.
        let written = [
            Self.changesName, Self.pendingJournalName, Self.journalName + ".new", Self.pendingJournalName + ".new",
        ]
        return names.filter { !written.contains($0) }
    }

    /// Whether no file in it has a byte: the copy had only begun.
    fileprivate var isEmpty: Bool {
        names.allSatisfy { name in
            (try? FileStatus(path: "\(path)/\(name)")).map { $0.isRegular && $0.size == 0 } == true
        }
    }

    /// Whether each file in it is the beginning of the file of that name in another entry, and there is something in
    /// one: a copy that was cut short.
    fileprivate func isBeginning(of other: String) -> Bool {
        let names = names
        guard !names.isEmpty else { return false }
        var bytes = 0
        for name in names {
            guard let size = (try? FileStatus(path: "\(path)/\(name)"))?.size,
                (try? FileOutput.isBeginning("\(path)/\(name)", of: "\(other)/\(name)")) == true
            else { return false }
            bytes += size
        }
        return bytes > 0
    }
}
