internal import Foundation

/// The first 32 bytes of a `-wal` (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). All numbers in it are
/// big-endian.
package struct WALHeader: Hashable, Sendable {
    /// The only version of the format. With any other one SQLite cannot open the database.
    static let knownVersion: UInt32 = 3_007_000
    /// Bytes.
    static let size = 32

    let version: UInt32
    /// Bytes of a page.
    package let pageSize: Int
    /// 0 in the first header that a connection writes to a WAL; incremented with each restart of the WAL.
    let checkpointSequence: UInt32
    /// Random in a new WAL. With each restart the first one is incremented, and the second is random again.
    let salts: LogSalts
    /// Of the header; the checksums of the frames continue from it.
    let checksum: WALChecksum
    /// Whether `checksum` is that of the bytes before it. Otherwise SQLite ignores the whole WAL.
    package let isValid: Bool

    /// Nil if the bytes do not begin like a WAL.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: [0x37, 0x7F, 0x06]), bytes[3] == 0x82 || bytes[3] == 0x83
        else { return nil }
        version = bytes.bigEndian(at: 4)
        let pageSize = Int(bytes.bigEndian(at: 8))
        self.pageSize = pageSize
        checkpointSequence = bytes.bigEndian(at: 12)
        salts = LogSalts(bytes.bigEndian(at: 16), bytes.bigEndian(at: 20))
        var checksum = WALChecksum(isBigEndian: bytes[3] == 0x83)
        bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<24])) }
        self.checksum = checksum
        isValid =
            checksum.equals(bytes.bigEndian(at: 24), bytes.bigEndian(at: 28))
            && version == Self.knownVersion && (512...65_536).contains(pageSize) && pageSize.nonzeroBitCount == 1
    }

    /// Reads the file at `path`; nil also if it cannot be read.
    init?(path: String) {
        guard let bytes = FileBeginning.read(path, count: Self.size) else { return nil }
        self.init(bytes)
    }

    /// Whether a WAL with this header is later than one with `other`, of the same store, as far as the salts can tell:
    /// the first header of a new WAL has random ones.
    func isLater(than other: LogSalts) -> Bool {
        checkpointSequence > 0 && (1...Self.mostRestarts).contains(salts.first &- other.first)
    }

    /// For two copies of the files of one store. By chance, the WAL of another store looks like a later one in one of
    /// 65,536 cases.
    private static let mostRestarts: UInt32 = 1 << 16
}

/// The two numbers that distinguish the frames of a WAL from those that were there before it was restarted.
struct LogSalts: Hashable, Sendable {
    let first: UInt32
    let second: UInt32

    init(_ first: UInt32, _ second: UInt32) {
        self.first = first
        self.second = second
    }
}

/// The checksum of a WAL, over pairs of 32-bit words and everything before them.
struct WALChecksum: Hashable, Sendable {
    private let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    /// - Parameter isBigEndian: the byte order of the words, from the last bit of the WAL's first number.
    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Continues over bytes, whose number must be a multiple of 8.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var (first, second) = (first, second)
        let swaps = isBigEndian != (UInt32(1).bigEndian == 1)
        var offset = 0
        while offset < bytes.count {
            let left = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let right = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            first = first &+ (swaps ? left.byteSwapped : left) &+ second
            second = second &+ (swaps ? right.byteSwapped : right) &+ first
            offset += 8
        }
        (self.first, self.second) = (first, second)
    }

    func equals(_ first: UInt32, _ second: UInt32) -> Bool { self.first == first && self.second == second }
}
