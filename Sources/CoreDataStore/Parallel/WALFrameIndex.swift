/// What a transaction has put into the log of its store so far, page by page, before its commit. The last frame of a page
/// counts. (Where SQLite wrote into a frame a second time, it leaves salts and checksums of the frames that follow empty
/// until the commit: seen.)
final class WALFrameIndex: Sendable {
    private let file: FileInput
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
        guard let file = try? FileInput(path), let bytes = try? file.bytes(at: 0, count: WALHeader.size),
            let header = WALHeader(bytes), header.isValid, let size = try? file.size, pageCount > 0,
            pageCount <= UInt32.max
        else { return nil }
        (self.file, self.pageCount, pageSize) = (file, pageCount, header.pageSize)
        let frameSize = pageSize + WALFrame.headerSize
        guard (size - WALHeader.size).isMultiple(of: frameSize) else { return nil }
        var frames = [UInt32](repeating: 0, count: pageCount)
        for frame in 0..<(size - WALHeader.size) / frameSize {
            guard let bytes = try? file.bytes(at: WALHeader.size + frame * frameSize, count: 16), bytes.count == 16
            else { return nil }
            let head = bytes.withUnsafeBytes(WALFrame.init)
            guard head.page > 0, !head.endsCommit, head.salts == header.salts || head.salts == LogSalts(0, 0)
            else { return nil }
            // A page behind the end was given up again.
            if head.page <= pageCount { frames[Int(head.page) - 1] = UInt32(frame + 1) }
        }
        self.frames = frames
    }

    /// Whether the page that begins at `offset` of the main file is in the log.
    func holds(pageAt offset: Int) -> Bool {
        let page = offset / pageSize
        return page < frames.count && frames[page] > 0
    }

    /// Reads from a page that is in the log.
    /// - Parameter offset: bytes from the start of the main file.
    /// - Returns: whether all of it could be read.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        let start = WALFrame.offset(ofPageIn: Int(frames[offset / pageSize]), pageSize: pageSize)
        return (try? file.fill(buffer, at: start + offset % pageSize)) == buffer.count
    }
}
