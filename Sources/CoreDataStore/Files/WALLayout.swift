/// Where things are in a `-wal` (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
enum WALLayout {
    /// Bytes before the first frame.
    static let headerSize = 32
    /// Bytes of a frame before its page.
    static let frameHeaderSize = 24

    /// Where the page in a frame begins.
    /// - Parameters:
    ///   - frame: counted from one.
    ///   - pageSize: in bytes.
    static func offset(ofPageIn frame: Int, pageSize: Int) -> Int {
        headerSize + (frame - 1) * (frameHeaderSize + pageSize) + frameHeaderSize
    }
}
