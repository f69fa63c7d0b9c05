internal import Foundation

/// The first bytes of a file.
enum FileBeginning {
    /// Reads `count` bytes, or as many as there are; nil where the file cannot be read. Does not wait for a pipe.
    ///
    /// Not for the main file of a store that SQLite has open in this process: closing it drops SQLite's locks on it.
    static func read(_ path: String, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard read >= 0 else { return nil }
        return Array(bytes.prefix(read))
    }
}
