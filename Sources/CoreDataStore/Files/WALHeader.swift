internal import Foundation

/// The first 32 bytes of a `-wal` (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). All numbers in it are
/// big-endian.
package struct WALHeader: Hashable, Sendable {
    /// Bytes before the first frame.
    static let size = 32
    /// The only version of the format. With any other one SQLite cannot open the database.
    static let knownVersion: UInt32 = 3_007_000

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
        guard bytes.count >= WALHeader.size, Self.canBegin(with: Array(bytes.prefix(4))) else { return nil }
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

    /// Whether up to four bytes are those that a WAL begins with.
    static func canBegin(with bytes: [UInt8]) -> Bool {
        [0x82, 0x83].contains { bytes.elementsEqual([0x37, 0x7F, 0x06, $0].prefix(bytes.count)) }
    }

    /// Reads the file at `path`; nil also if it cannot be read.
    init?(path: String) {
        guard let bytes = FileInput.beginning(of: path, count: Self.size) else { return nil }
        self.init(bytes)
    }

    /// Whether a WAL with this header is later than one with `other`, of the same store, as far as the salts can tell:
    /// the first header of a new WAL has random ones.
    func isLater(than other: LogSalts) -> Bool {
        checkpointSequence > 0 && (1...Self.mostRestarts).contains(salts.x &- other.x)
    }

    /// For two copies of the files of one store. By chance, the WAL of another store looks like a later one in one of
    /// 65,536 cases.
    static let mostRestarts: UInt32 = 1 << 16
}

/// The two numbers that distinguish the frames of a WAL from those that were there before it was restarted.
typealias LogSalts = SIMD2<UInt32>

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

    /// Goes on over a whole frame, and from there with the checksum that the frame has.
    /// - Returns: whether that is the one of everything before it.
    mutating func continues(to frame: UnsafeRawBufferPointer) -> Bool {
        add(UnsafeRawBufferPointer(rebasing: frame[..<8]))
        add(UnsafeRawBufferPointer(rebasing: frame[WALFrame.headerSize...]))
        let noted = [16, 20].map { UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) }
        defer { (first, second) = (noted[0], noted[1]) }
        return equals(noted[0], noted[1])
    }

    func equals(_ first: UInt32, _ second: UInt32) -> Bool { self.first == first && self.second == second }
}

/// What SQLite reads of a `-wal`: the frames up to the last commit before the first invalid frame
/// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). It ignores what follows, and that is usually fine: a
/// crash leaves half a transaction, and a restart of the WAL leaves frames with the old salts. Commits with the current
/// salts can follow only if a frame before them was damaged.
package struct WALFrames: Hashable, Sendable {
    /// Nil if SQLite ignores the whole file.
    package let header: WALHeader?
    /// The last frame that SQLite reads, counted from one; 0 if it reads none.
    package let last: Int
    /// The last commit with the current salts after an invalid frame; nil if there is none.
    package let lastUnreadable: Int?
    /// Of every whole frame in the file, whether SQLite reads it or not.
    let frames: [WALFrame]
    /// Whether the file ends in the page of a frame that follows on the ones before it. SQLite writes a page in one go, so
    /// that only a full disk or a power failure leaves that, or whoever copied the file has lost the rest.
    let breaksOff: Bool
    /// Whether nothing but zeros follows on what SQLite reads. SQLite writes no page 0: somebody has lost what was there.
    let endsInZeros: Bool
    /// Whether the file begins like no WAL at all, however short it is.
    let isForeign: Bool
}

extension WALFrames {
    /// Reads the WAL beside the main file at `path`.
    init(beside path: String, shownAs shownPath: String) throws(StoreError) {
        var reader = Reader()
        do {
            let input = try FileInput(path + "-wal")
            while let bytes = try input.nextChunk() { reader.add(bytes) }
        } catch {
            throw StoreError(error.kind, at: shownPath, "its -wal: \(error.message)", hint: error.hint)
        }
        self = reader.frames
    }

    /// Parses a WAL from start to end, and keeps no more than the contents of one frame in memory.
    struct Reader {
        /// Nil until it is known.
        private var header: WALHeader??
        private var checksum = WALChecksum(isBigEndian: false)
        /// Read, but not yet a whole frame.
        private var rest: [UInt8] = []
        private var heads: [WALFrame] = []
        /// Whether every frame up to here was valid.
        private var isValid = true
        /// Whether every frame up to here was valid, or one of zeros behind them.
        private var isValidUpToZeros = true
        private var last = 0
        private var lastUnreadable: Int?
        /// The first bytes of the file.
        private var beginning: [UInt8] = []

        var frames: WALFrames {
            WALFrames(
                header: header ?? nil, last: last, lastUnreadable: lastUnreadable, frames: heads, breaksOff: breaksOff,
                endsInZeros: isValidUpToZeros && heads.last?.isZero ?? false,
                isForeign: !WALHeader.canBegin(with: beginning))
        }

        private var breaksOff: Bool {
            guard case .some(.some(let header)) = header, isValid, rest.count > WALFrame.headerSize else {
                return false
            }
            return rest.withUnsafeBytes { WALFrame($0) }.salts == header.salts
        }

        mutating func add(_ bytes: [UInt8]) {
            beginning += bytes.prefix(4 - beginning.count)
            // A file that is not a WAL can have any size.
            if case .some(nil) = header { return }
            let bytes = rest + bytes
            var start = 0
            if header == nil {
                guard bytes.count >= WALHeader.size else {
                    rest = bytes
                    return
                }
                let found = WALHeader(bytes).flatMap { $0.isValid ? $0 : nil }
                header = .some(found)
                if let found { checksum = found.checksum }
                start = WALHeader.size
            }
            guard case .some(.some(let header)) = header else { return }
            let size = WALFrame.headerSize + header.pageSize
            bytes.withUnsafeBytes { bytes in
                while bytes.count - start >= size {
                    add(frame: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]), header.salts)
                    start += size
                }
            }
            rest = Array(bytes[start...])
        }

        private mutating func add(frame: UnsafeRawBufferPointer, _ salts: LogSalts) {
            let head = WALFrame(frame)
            heads.append(head)
            let hasSalts = head.salts == salts
            isValid = isValid && hasSalts && head.page != 0 && checksum.continues(to: frame)
            if !head.isZero { isValidUpToZeros = isValid }
            guard hasSalts, head.endsCommit else { return }
            if isValid { last = heads.count } else { lastUnreadable = heads.count }
        }
    }
}

/// What the first bytes of a frame say of it.
struct WALFrame: Hashable, Sendable {
    /// Bytes of a frame before its page.
    static let headerSize = 24

    /// The page that follows, counted from one.
    let page: UInt32
    /// Pages of the store after the commit that this frame ends; 0 if it ends none.
    let pagesAfterCommit: UInt32
    /// Those of the WAL's header, unless the frame was there before the WAL was restarted.
    let salts: LogSalts

    /// - Parameter bytes: the first 16 of the frame, or more.
    init(_ bytes: UnsafeRawBufferPointer) {
        func number(at offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        (page, pagesAfterCommit) = (number(at: 0), number(at: 4))
        salts = LogSalts(number(at: 8), number(at: 12))
    }

    /// Whether nothing is said.
    var isZero: Bool { page == 0 && pagesAfterCommit == 0 && salts == LogSalts(0, 0) }

    var endsCommit: Bool { pagesAfterCommit != 0 }

    /// Where in the file the page begins of a frame that is counted from one.
    static func offset(ofPageIn frame: Int, pageSize: Int) -> Int {
        WALHeader.size + (frame - 1) * (headerSize + pageSize) + headerSize
    }
}

/// The beginning of a `-shm`, SQLite's index of the WAL (https://www.sqlite.org/walformat.html#the_wal_index_header).
/// It is in the byte order of the machine that wrote it.
package struct SharedMemoryHeader: Hashable, Sendable {
    /// `mxFrame`: the last valid frame of the WAL.
    package let lastFrame: UInt32
    /// `nBackfill`: frames that are in the main file too.
    package let checkpointedFrames: UInt32
    /// `nBackfillAttempted`: frames that a checkpoint has begun to copy into the main file.
    let attemptedFrames: UInt32
    /// `iChange`: incremented with each transaction.
    let changes: UInt32
    /// Of the WAL that it indexes.
    let salts: LogSalts
    /// Bytes of a page of the database it belongs to.
    package let pageSize: Int

    /// Two copies of the header, then the checkpoint's fields.
    private static let length = 136
    private static let headerLength = 48
    private static let checksumOffset = 40
    private static let attemptedOffset = 128
    private static let version: UInt32 = 3_007_000

    /// Nil if the bytes are not a complete and undamaged header in this machine's byte order.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length else { return nil }
        func number(at offset: Int) -> UInt32 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }
        let (first, second) = (bytes.prefix(Self.headerLength), bytes.dropFirst(Self.headerLength))
        guard first.elementsEqual(second.prefix(Self.headerLength)), number(at: 0) == Self.version, bytes[12] == 1
        else { return nil }
        var checksum = WALChecksum(isBigEndian: UInt32(1).bigEndian == 1)
        bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<Self.checksumOffset])) }
        guard checksum.equals(number(at: Self.checksumOffset), number(at: Self.checksumOffset + 4)) else { return nil }
        let rawPageSize = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) }
        pageSize = rawPageSize == 1 ? 65_536 : Int(rawPageSize)
        lastFrame = number(at: 16)
        checkpointedFrames = number(at: 2 * Self.headerLength)
        attemptedFrames = number(at: Self.attemptedOffset)
        changes = number(at: 8)
        // Copied from the WAL as they are there, big-endian.
        salts = LogSalts(UInt32(bigEndian: number(at: 32)), UInt32(bigEndian: number(at: 36)))
    }

    /// Reads the file at `path`; nil also if it cannot be read.
    ///
    /// SQLite keeps a WAL store's locks on this file, and closing it here drops them. None of our connections has them:
    /// they read with `immutable`, work on a copy, or have the store exclusively and without a `-shm`.
    init?(path: String) {
        guard let bytes = FileInput.beginning(of: path, count: Self.length) else { return nil }
        self.init(bytes)
    }
}
