import CoreDataStore
import Testing

/// The beginning of a `-shm` as SQLite writes it.
struct SharedMemoryHeaderTests {
    /// A valid header in this machine's byte order.
    static func bytes(
        lastFrame: UInt32, checkpointed: UInt32, rawPageSize: UInt16 = 4096, version: UInt32 = 3_007_000,
        isInitialized: UInt8 = 1, second: [UInt8]? = nil
    ) -> [UInt8] {
        var header: [UInt8] = []
        func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value) { header += $0 } }
        append(version)
        append(UInt32(0))
        append(UInt32(7))
        header += [isInitialized, 0]
        append(rawPageSize)
        append(lastFrame)
        append(UInt32(12))
        for salt in [0xDEAD_BEEF, 0xFFFF_FFFF, 0x0102_0304, 0xCAFE_F00D] as [UInt32] { append(salt) }
        var sums: (UInt32, UInt32) = (0, 0)
        for offset in stride(from: 0, to: 40, by: 8) {
            let words = header.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    $0.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
            }
            sums.0 &+= words.0 &+ sums.1
            sums.1 &+= words.1 &+ sums.0
        }
        append(sums.0)
        append(sums.1)
        header += second ?? header
        append(checkpointed)
        return header + [UInt8](repeating: 0, count: 32_768 - header.count)
    }

    @Test("it says how much of the WAL is in the main file")
    func checkpointedFrames() throws {
        let header = try #require(SharedMemoryHeader(Self.bytes(lastFrame: 9, checkpointed: 4)))
        #expect(header.lastFrame == 9)
        #expect(header.checkpointedFrames == 4)
        #expect(header.pageSize == 4096)
    }

    @Test("pages of 65,536 bytes are written as 1")
    func largestPages() throws {
        let bytes = Self.bytes(lastFrame: 1, checkpointed: 1, rawPageSize: 1)
        #expect(try #require(SharedMemoryHeader(bytes)).pageSize == 65_536)
    }

    @Test("the first 136 bytes are enough, fewer are not")
    func shortHeader() {
        let bytes = Self.bytes(lastFrame: 9, checkpointed: 4)
        #expect(SharedMemoryHeader(Array(bytes.prefix(136))) != nil)
        for count in [0, 1, 47, 48, 96, 135] { #expect(SharedMemoryHeader(Array(bytes.prefix(count))) == nil) }
    }

    @Test("a header with one changed byte is not read")
    func anyByteChanged() {
        let bytes = Self.bytes(lastFrame: 9, checkpointed: 4)
        for offset in 0..<96 {
            var changed = bytes
            changed[offset] ^= 0x10
            #expect(SharedMemoryHeader(changed) == nil, "byte \(offset)")
        }
    }

    @Test("zeros are none")
    func zeros() {
        #expect(SharedMemoryHeader([UInt8](repeating: 0, count: 32_768)) == nil)
    }

    @Test("another version, an unfinished one, and two different copies are not read")
    func otherVersions() {
        #expect(SharedMemoryHeader(Self.bytes(lastFrame: 9, checkpointed: 4, version: 3_007_001)) == nil)
        #expect(SharedMemoryHeader(Self.bytes(lastFrame: 9, checkpointed: 4, isInitialized: 0)) == nil)
        let other = Array(Self.bytes(lastFrame: 8, checkpointed: 4).prefix(48))
        #expect(SharedMemoryHeader(Self.bytes(lastFrame: 9, checkpointed: 4, second: other)) == nil)
    }
}
