internal import Foundation

/// The beginning of a `-wal` (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
enum LogHeader {
    /// The one version of the format there is. SQLite says of any other that the database cannot be opened.
    static let knownVersion: UInt32 = 3_007_000

    /// The version of the format; nil where the file cannot be read or does not begin as a log does, and SQLite passes
    /// over what is in it.
    static func version(of path: String) -> UInt32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8)
        guard bytes.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, $0.count, 0) }) == 8 else { return nil }
        guard bytes.starts(with: [0x37, 0x7F, 0x06]), bytes[3] == 0x82 || bytes[3] == 0x83 else { return nil }
        return bytes.bigEndian(at: 4)
    }
}
