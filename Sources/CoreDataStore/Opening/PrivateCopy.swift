internal import Foundation

/// A copy of a store's files in a folder of its own (mode 0700), gone when the value is.
package final class PrivateCopy: Sendable {
    package let folder: String
    /// The main file of the copy.
    package let path: String

    /// Copies the main file and its log; the `-shm` is SQLite's to make anew.
    /// - Throws: `StoreError`, `inUse` where the files change while they are copied.
    package init(of files: StoreFiles) throws(StoreError) {
        folder = try Self.makeFolder()
        path = folder + "/store.sqlite"
        do {
            for suffix in ["", "-wal", "-journal"] where suffix.isEmpty || files.has(suffix) {
                try FileCopy.copy(files.resolvedPath + suffix, to: path + suffix, isDurable: false)
            }
        } catch {
            remove()
            throw error
        }
        // The app may have written between the first file and the last: then the copy is of no moment at all.
        let after: StoreFiles
        do {
            after = try StoreFiles(path: files.path)
        } catch {
            remove()
            throw error
        }
        guard after.hasSameContents(as: files) else {
            remove()
            throw StoreError(
                .inUse, at: files.path, "the store changed while it was read", hint: "close the app and run it again")
        }
    }

    deinit { remove() }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private static func makeFolder() throws(StoreError) -> String {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array((parent + "/meterfix-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StoreError(
                .cannotCreate, at: parent,
                "no folder for a private copy can be made here: \(FileFault(code: errno).message)",
                hint: "set TMPDIR to a folder with room")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
