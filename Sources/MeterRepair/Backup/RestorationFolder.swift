internal import CoreDataStore
internal import Foundation

/// The folder beside a store in which an undo makes files ready.
enum RestorationFolder {
    /// In the folder as long as the contents are not restored.
    static let mark = "pending"

    static func path(beside files: StoreFiles) -> String { files.resolvedPath + ".meterfix-restoring" }

    /// Whether an undo was killed before it had restored anything, or at once after it had.
    static func isPending(beside files: StoreFiles) -> Bool {
        FileManager.default.fileExists(atPath: path(beside: files) + "/" + mark)
    }

    /// Takes away what a killed undo left; all of it is in the backup as well. Only for who has the store to itself.
    static func remove(beside files: StoreFiles) { try? FileManager.default.removeItem(atPath: path(beside: files)) }
}
