/// The beginning of a `-shm`, SQLite's index of the log (https://www.sqlite.org/walformat.html#the_wal_index_header).
/// It is in the byte order of the machine that wrote it.
package struct SharedMemoryHeader: Hashable, Sendable {
    /// `mxFrame`: the last valid frame of the log.
    package let lastFrame: UInt32
    /// `nBackfill`: frames that are in the main file too.
    package let checkpointedFrames: UInt32
    /// `nBackfillAttempted`: frames that a checkpoint has begun to copy into the main file.
    let attemptedFrames: UInt32
    /// `iChange`: grows with each transaction.
    let changes: UInt32
    /// Of the log it is the index of.
    let salts: LogSalts
    /// Bytes of a page of the database it belongs to.
    package let pageSize: Int

    /// Two copies of the header, then the checkpoint's fields.
    private static let length = 136
    private static let headerLength = 48
    private static let checksumOffset = 40
    private static let attemptedOffset = 128
    private static let version: UInt32 = 3_007_000

    /// Nil where the bytes are not a whole and undamaged header in this machine's byte order.
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
        // Copied from the log as they are there, the largest byte first.
        salts = LogSalts(UInt32(bigEndian: number(at: 32)), UInt32(bigEndian: number(at: 36)))
    }

    /// Reads the file at `path`; nil also where it cannot be read.
    ///
    /// SQLite keeps a WAL store's locks on this file, and closing it here drops them. No connection of ours has them:
    /// one reads immutably or works on a copy, the other has the store to itself and no `-shm`.
    init?(path: String) {
        guard let bytes = FileBeginning.read(path, count: Self.length) else { return nil }
        self.init(bytes)
    }
}
