internal import Foundation

/// A new folder that nobody else may look into (mode 0700), gone with what is in it when the value is.
package final class PrivateFolder: Sendable {
    package let path: String

    /// - Parameters:
    ///   - parent: the folder it is made in; nil for the place of temporary files.
    ///   - prefix: what its name begins with.
    package init(in parent: String? = nil, named prefix: String = "meterfix-") throws(FileError) {
        var template = Array("\(parent ?? Self.temporary)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FileError(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether SQLite could open a file of this name in a folder that is made with these parameters: it goes by the path
    /// that is free of symbolic links.
    package static func canHold(
        _ name: String, in parent: String? = nil, named prefix: String = "meterfix-"
    ) -> Bool {
        let parent = parent ?? temporary
        let real = realpath(parent, nil)
        defer { free(real) }
        let length = (real.map { strlen($0) } ?? parent.utf8.count) + "/\(prefix)XXXXXX/\(name)".utf8.count
        return length <= StoreConnection.longestPath
    }

    /// The folder for temporary files: `TMPDIR`, to which Foundation on macOS pays no attention, or else the system's.
    package static var temporary: String {
        guard let named = getenv("TMPDIR").map({ String(cString: $0) }), !named.isEmpty else {
            return FileManager.default.temporaryDirectory.path
        }
        return named
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
