internal import CoreDataStore
internal import Foundation

/// A folder for one test, gone with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// The folder for temporary files, free of symbolic links, as SQLite and the file system name it. Foundation on macOS
    /// does not resolve `/tmp` and `/var`.
    package static let parent = FileReplacement.realPath(PrivateFolder.temporary) ?? PrivateFolder.temporary

    package init() throws {
        path = Self.parent + "/meterfix-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Hands out the path of a folder that is gone afterwards.
    package static func use<Value>(_ body: (_ path: String) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try body(folder.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a store in it.
    /// - Returns: the path of its main file.
    package func store(_ fixture: StoreFixture, named name: String = "CKModel.sqlite") throws -> String {
        try fixture.write(to: path + "/" + name)
        return path + "/" + name
    }
}
