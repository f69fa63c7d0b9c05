internal import Foundation

/// What a transaction has put into the log of its store so far, page by page, before its commit.
///
/// The layout of a log (seen, and in https://www.sqlite.org/fileformat2.html#the_write_ahead_log): a head of 32 bytes
/// with the page size at 8 and two salts at 16, then frames, each of them a head of 24 bytes and a page. A frame's head
/// has the number of its page at 0, at 4 the number of pages of the store if the frame ends a commit and otherwise 0,
/// and at 8 the salts. The last frame of a page counts. (Where SQLite wrote into a frame a second time, it leaves salts
/// and checksums of the frames that follow empty until the commit.)
final class WALFrameIndex: Sendable {
    private let descriptor: Int32
    /// Bytes.
    let pageSize: Int
    /// Of the store as the transaction sees it.
    let pageCount: Int
    /// By the number of the page less one: the number of its last frame, from one; 0 for a page that is not in the log.
    private let frames: [UInt32]

    /// Opens a log that has the frames of one transaction and no others. (There are no locks on a log: it may be closed
    /// again while SQLite has it open.)
    /// - Parameter pageCount: of the store as the transaction sees it.
    /// - Returns: nil where the log cannot be read, or has anything else in it.
    init?(_ path: String, pageCount: Int) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let head = Self.bytes(of: descriptor, at: 0, count: WALLayout.headerSize),
            let size = (try? FileStatus(path: path))?.size
        else { return nil }
        pageSize = Int(head.bigEndian(at: 8))
        self.pageCount = pageCount
        guard (512...65_536).contains(pageSize), pageCount > 0, pageCount <= UInt32.max else { return nil }
        let frameSize = pageSize + WALLayout.frameHeaderSize
        guard (size - WALLayout.headerSize).isMultiple(of: frameSize) else { return nil }
        let count = (size - WALLayout.headerSize) / frameSize
        var frames = [UInt32](repeating: 0, count: pageCount)
        let salts = head[16..<24]
        for frame in 0..<count {
            guard
                let head = Self.bytes(
                    of: descriptor, at: WALLayout.headerSize + frame * frameSize, count: 16)
            else { return nil }
            let page = Int(head.bigEndian(at: 0))
            guard page > 0, head.bigEndian(at: 4) == 0,
                head[8..<16].elementsEqual(salts) || head[8..<16].allSatisfy({ $0 == 0 })
            else { return nil }
            // A page behind the end was given up again.
            if page <= pageCount { frames[page - 1] = UInt32(frame + 1) }
        }
        self.frames = frames
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether the page that begins at `offset` of the main file is in the log.
    func holds(pageAt offset: Int) -> Bool {
        let page = offset / pageSize
        return page < frames.count && frames[page] > 0
    }

    /// Reads from a page that is in the log.
    /// - Parameter offset: bytes from the start of the main file.
    /// - Returns: whether all of it could be read.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        let start = WALLayout.offset(ofPageIn: Int(frames[offset / pageSize]), pageSize: pageSize)
        return (try? FileInput.fill(buffer, from: descriptor, at: start + offset % pageSize)) == buffer.count
    }

    private static func bytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        let bytes = try? FileInput.bytes(from: descriptor, at: offset, count: count)
        return bytes?.count == count ? bytes : nil
    }
}
