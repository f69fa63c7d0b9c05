internal import Foundation

/// A new folder that nobody else may read (mode 0700), removed with its contents when the value goes.
package final class PrivateFolder: Sendable {
    package let path: String

    /// - Parameters:
    ///   - parent: the folder it is created in; nil for the folder of temporary files.
    ///   - prefix: what its name begins with.
    /// - Throws: `FileError` if the folder cannot be created.
    package init(in parent: String? = nil, named prefix: String = "meterfix-") throws(FileError) {
        var template = Array("\(parent ?? Self.temporary)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FileError(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether SQLite could open a file of this name in a folder created with these parameters: the length of the path
    /// without symbolic links counts.
    package static func canHold(
        _ name: String, in parent: String? = nil, named prefix: String = "meterfix-"
    ) -> Bool {
        let parent = parent ?? temporary
        let real = realpath(parent, nil)
        defer { free(real) }
        let length = (real.map { strlen($0) } ?? parent.utf8.count) + "/\(prefix)XXXXXX/\(name)".utf8.count
        return length <= StoreConnection.longestPath
    }

    /// The folder for temporary files: `TMPDIR`, which Foundation ignores on macOS, or else the system's.
    package static var temporary: String {
        guard let named = getenv("TMPDIR").map({ String(cString: $0) }), !named.isEmpty else {
            #if canImport(Darwin)
                return FileManager.default.temporaryDirectory.path
            #else
                return "/tmp"
            #endif
        }
        return named
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
