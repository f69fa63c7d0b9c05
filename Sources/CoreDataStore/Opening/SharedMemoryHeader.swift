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
        var checksum: (UInt32, UInt32) = (0, 0)
        for offset in stride(from: 0, to: Self.checksumOffset, by: 8) {
            checksum.0 &+= number(at: offset) &+ checksum.1
            checksum.1 &+= number(at: offset + 4) &+ checksum.0
        }
        guard checksum == (number(at: Self.checksumOffset), number(at: Self.checksumOffset + 4)) else { return nil }
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
        guard let bytes = FileBeginning.read(path, count: Self.length) else { return nil }
        self.init(bytes)
    }
}
