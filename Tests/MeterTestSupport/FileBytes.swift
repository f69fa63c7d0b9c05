internal import Foundation

/// Whole files as bytes.
package enum FileBytes {
    package static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Replaces a file, also one that may only be read, or makes it.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        if access(path, F_OK) == 0, access(path, W_OK) != 0 { chmod(path, 0o600) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

extension FileBytes {
    static func removeIfThere(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }
}
