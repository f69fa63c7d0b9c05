internal import GRDB

/// A file that is open keeps its contents whatever becomes of its name: another may be renamed over it while a command
/// runs, and what is changed then is found by nobody.
extension StoreConnection {
    /// Whether the main file that was opened for a change still has its name.
    package var isInPlace: Bool { isInPlace("") }

    /// Whether no other files have the names of the main file and the `-wal` that were opened for a change.
    package var hasOwnNames: Bool {
        isInPlace && (isInPlace("-wal") || (try? FileStatus(path: files.resolvedPath + "-wal")) == .some(nil))
    }

    private func isInPlace(_ suffix: String) -> Bool {
        guard let opened = opened[suffix] else { return true }
        // A link may lead to another file now.
        let path = suffix.isEmpty ? path : files.resolvedPath + suffix
        return (try? FileStatus(path: path)).flatMap(\.self)?.isSameFile(as: opened) == true
    }

    /// - Throws: `StoreError`, `inUse` where a change would be made in a file that nobody finds any more.
    func refuseOtherFiles(_ database: Database) throws {
        let hasOwnLog = isInPlace("-wal")
        guard !hasOwnLog || !isInPlace else { return }
        // SQLite removes a log by its name, and this one is not its own.
        if !hasOwnLog { try database.setWALOnClose(.kept) }
        throw StoreError(
            .inUse, at: path, "it was moved, deleted or replaced since it was opened; nothing was changed",
            hint: Self.hintOnMoves)
    }

    /// For a store that was changed and closed.
    /// - Parameter backup: the folder with the files as they were; nil where there is none.
    /// - Throws: `StoreError`, `inputOutput` where the changed file no longer has its name.
    package func confirmPlace(backup: String?) throws(StoreError) {
        guard !isInPlace else { return }
        let saved = backup.map { "; the changed one is in \($0) as it was before" } ?? ""
        throw StoreError(
            .inputOutput, at: path,
            "the change WAS MADE, but in a file that no longer has this name: it was moved, deleted or replaced meanwhile",
            hint: "the file that has the name now was not changed\(saved); \(Self.hintOnMoves)")
    }

    private static let hintOnMoves = "stop what moves the store's files, and run it again"
}
