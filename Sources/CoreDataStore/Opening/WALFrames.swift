/// What SQLite reads of a `-wal`: the frames up to the last commit before the first invalid frame
/// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). It ignores what follows, and that is usually fine: a
/// crash leaves half a transaction, and a restart of the WAL leaves frames with the old salts. Commits with the current
/// salts can follow only if a frame before them was damaged.
package struct WALFrames: Hashable, Sendable {
    /// Bytes of a frame before its page.
    static let frameHeaderSize = 24
    /// Nil if SQLite ignores the whole file.
    package let header: WALHeader?
    /// The last frame that SQLite reads, counted from one; 0 if it reads none.
    package let last: Int
    /// The last commit with the current salts after an invalid frame; nil if there is none.
    package let lastUnreadable: Int?

    /// Reads the WAL of a store.
    /// - Throws: `StoreError` if it cannot be read.
    init(of files: StoreFiles) throws(StoreError) {
        var reader = Reader()
        do {
            let input = try FileInput(files.resolvedPath + "-wal")
            while let bytes = try input.nextChunk() { reader.add(bytes) }
        } catch {
            throw StoreError(error.kind, at: files.path, "its -wal: \(error.message)", hint: error.hint)
        }
        self = reader.frames
    }

    private init(header: WALHeader?, last: Int, lastUnreadable: Int?) {
        self.header = header
        self.last = last
        self.lastUnreadable = lastUnreadable
    }

    /// Parses a WAL from start to end, and keeps no more than one frame in memory.
    struct Reader {
        /// Nil until it is known.
        private var header: WALHeader??
        private var checksum = WALChecksum(isBigEndian: false)
        /// Read, but not yet a whole frame.
        private var rest: [UInt8] = []
        private var count = 0
        /// Whether every frame up to here was valid.
        private var isValid = true
        private var last = 0
        private var lastUnreadable: Int?

        var frames: WALFrames {
            WALFrames(header: header ?? nil, last: last, lastUnreadable: lastUnreadable)
        }

        mutating func add(_ bytes: [UInt8]) {
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
            let size = WALFrames.frameHeaderSize + header.pageSize
            bytes.withUnsafeBytes { bytes in
                while bytes.count - start >= size {
                    add(frame: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]), header.salts)
                    start += size
                }
            }
            rest = Array(bytes[start...])
        }

        private mutating func add(frame: UnsafeRawBufferPointer, _ salts: LogSalts) {
            func number(at offset: Int) -> UInt32 {
                UInt32(bigEndian: frame.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
            count += 1
            let hasSalts = LogSalts(number(at: 8), number(at: 12)) == salts
            if isValid {
                isValid = hasSalts && number(at: 0) != 0
                if isValid {
                    checksum.add(UnsafeRawBufferPointer(rebasing: frame[..<8]))
                    checksum.add(UnsafeRawBufferPointer(rebasing: frame[WALFrames.frameHeaderSize...]))
                    isValid = checksum.equals(number(at: 16), number(at: 20))
                }
            }
            guard hasSalts, number(at: 4) != 0 else { return }
            if isValid { last = count } else { lastUnreadable = count }
        }
    }
}
