internal import CoreDataStore
internal import JSON

/// The changes of one copy of a store, in the order they were made.
///
/// Copies have the same identity, and may have their backups in one folder. Whose a change is, the contents say: it begins
/// with those that the change before it left. Only where the app was at work in between they do not; then the path says
/// it, as the user gave it, and where that says nothing either, a change is of the copy that was changed last.
struct BackupLine {
    /// An entry with its journal.
    struct Change {
        let entry: BackupEntry
        let journal: BackupManifest

        init(_ entry: BackupEntry, _ journal: BackupManifest) {
            self.entry = entry
            self.journal = journal
        }

        /// Of the store, as the user gave it to the command.
        var path: String? { journal.report?["store"]?.string }
    }

    private var changes: [Change]

    /// The changes by which the store came to have its present contents; where no change has left or found these, those of
    /// the copy that they are most likely of.
    /// - Parameters:
    ///   - all: of every copy, in the order they were made.
    ///   - path: the store's, as the user gave it.
    ///   - now: the store's contents.
    static func current(of all: [Change], at path: String, now: ContentsDigest) -> [Change] {
        var lines: [BackupLine] = []
        for change in all { add(change, to: &lines) }
        guard let line = likeliest(of: lines, at: path, having: now) else { return [] }
        return Array(line.changes.prefix(line.position(of: now) ?? line.changes.count))
    }

    /// - Parameter lines: the one that was changed last behind the others.
    private static func add(_ change: Change, to lines: inout [BackupLine]) {
        let before = change.journal.before
        guard let line = likeliest(of: lines, at: change.path, having: before) else {
            lines.append(BackupLine(changes: [change]))
            return
        }
        let position = line.position(of: before) ?? line.changes.count
        // A copy of which another one goes on with later contents, or of which files were put back by hand.
        if position == line.changes.count { lines.removeAll { $0.isSame(as: line) } }
        lines.append(BackupLine(changes: line.changes.prefix(position) + [change]))
    }

    /// Of several lines the one that ends with the contents, or has them on its way, or else any; of these one that the path
    /// fits, and of these the one that was changed last. Nil where there is none.
    private static func likeliest(
        of lines: [BackupLine], at path: String?, having contents: ContentsDigest
    ) -> BackupLine? {
        let ending = lines.filter { $0.changes.last?.journal.after == contents }
        let passing = ending.isEmpty ? lines.filter { $0.position(of: contents) != nil } : ending
        let fitting = passing.isEmpty ? lines : passing
        return fitting.last { $0.changes.last?.path == path } ?? fitting.last
    }

    private func isSame(as other: BackupLine) -> Bool {
        changes.last?.entry.name == other.changes.last?.entry.name
    }

    /// After how many of the changes the store had these contents last; nil where it never did.
    private func position(of contents: ContentsDigest) -> Int? {
        (0...changes.count).last { count in
            count > 0 && changes[count - 1].journal.after == contents
                || count < changes.count && changes[count].journal.before == contents
        }
    }
}
