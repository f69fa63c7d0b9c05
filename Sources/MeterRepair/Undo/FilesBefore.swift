internal import CoreDataStore
internal import Foundation

/// The files of a store as they are before its contents are replaced, so that a replacement that fails leaves each of them
/// byte for byte.
///
/// SQLite takes back what it did not commit, and leaves what it wrote for it: frames behind those of the log, or in the
/// place of older ones that still tell of the past. And where the size of pages changes, it puts the log into the main file
/// first.
struct FilesBefore {
    private let store: StoreFiles
    private let folder: String
    /// Nil where no failure changes the main file. Its descriptor stays open: closing it would drop SQLite's locks.
    private let main: FileInput?

    /// Copies what may be changed, and makes sure that there is room for the replacement.
    /// - Parameters:
    ///   - folder: beside the main file, for the copies.
    ///   - contents: what replaces the store's: the size of a page, and how many there are.
    /// - Throws: `StoreError`; nothing but the folder was touched then.
    init(
        of store: StoreFiles, in folder: String, replacedBy contents: (pageSize: Int, pages: Int)
    ) throws(StoreError) {
        self.store = store
        self.folder = folder
        let leavesWAL = store.header.isWAL && contents.pageSize != store.header.pageSize
        main = leavesWAL ? try FileOutput.copy(store.resolvedPath, to: folder + Self.name("")) : nil
        if store.has("-wal") {
            try FileOutput.copy(store.resolvedPath + "-wal", to: folder + Self.name("-wal"))
            try FileReplacement.takeAccess(of: store.resolvedPath + "-wal", for: folder + Self.name("-wal"))
        }
        try confirmRoom(for: contents, leavesWAL)
    }

    private static func name(_ suffix: String) -> String { "/before\(suffix)" }

    private func confirmRoom(
        for contents: (pageSize: Int, pages: Int), _ leavesWAL: Bool
    ) throws(StoreError) {
        let size = contents.pageSize * contents.pages
        // https://www.sqlite.org/fileformat2.html: 24 bytes before each page in a log, 8 around each in a journal.
        let log =
            store.header.isWAL && !leavesWAL
            ? FileOutput.Growth(from: store.wal?.size ?? 0, by: 32 + contents.pages * (contents.pageSize + 24))
            : FileOutput.Growth(from: 0, by: store.size + store.size / store.header.pageSize * 8 + 65_536)
        let largest = max(size, leavesWAL ? store.size : 0)
        let growths = [log, FileOutput.Growth(from: store.main.size, by: max(0, largest - store.main.size))]
        do throws(FileError) { try FileOutput.confirmRoom(for: growths, in: folder) } catch {
            let missing = error.storeError(at: store.path)
            throw StoreError(
                missing.kind, at: store.path,
                "\(missing.message): what is put back needs \(growths.reduce(0) { $0 + $1.bytes }) bytes beside the store "
                    + "while it is written; nothing was changed", hint: missing.hint)
        }
    }

    /// Gives the files of the closed store the bytes that they had, where they have others.
    /// - Throws: `StoreError`; the store's contents are the same all the same.
    func putBack() throws(StoreError) {
        let locked = try LockedFile(store.resolvedPath)
        defer { withExtendedLifetime((locked, main)) {} }
        let journal = (try? FileStatus(path: store.resolvedPath + "-journal")).flatMap(\.self)?.size ?? 0
        // It is SQLite that takes a change back which is in there.
        guard journal == 0 else { return }
        // The log first: beside it, it does not matter how much of it is in the main file.
        if store.has("-wal") {
            let (wal, before) = (store.resolvedPath + "-wal", folder + Self.name("-wal"))
            if try !FileOutput.isSame(wal, before) { try FileReplacement.move(before, to: wal) }
        }
        if main != nil { try locked.write(bytesOf: folder + Self.name("")) }
    }
}
