/// The checksums of a write-ahead log, without which SQLite passes over what is in it.
/// https://www.sqlite.org/fileformat2.html#the_write_ahead_log
package enum LogChecksums {
    /// The log with the salts and checksums that its frames should have; as it is where it has no header.
    package static func renewed(_ log: [UInt8]) -> [UInt8] {
        guard log.count >= 32 else { return log }
        var log = log
        let page = Int(number(at: 8, in: log))
        let isBigEndian = log[3] & 1 == 1
        var sums: (UInt32, UInt32) = (0, 0)
        add(log[0..<24], isBigEndian, to: &sums)
        write(sums, at: 24, to: &log)
        guard page.isMultiple(of: 8), page > 0, page <= 65_536 else { return log }
        for frame in stride(from: 32, through: log.count - 24 - page, by: 24 + page) {
            log.replaceSubrange(frame + 8..<frame + 16, with: Array(log[16..<24]))
            add(log[frame..<frame + 8], isBigEndian, to: &sums)
            add(log[frame + 24..<frame + 24 + page], isBigEndian, to: &sums)
            write(sums, at: frame + 16, to: &log)
        }
        return log
    }

    private static func number(at offset: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Goes on with the sums over bytes in pairs of words.
    private static func add(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, to sums: inout (UInt32, UInt32)) {
        var words = bytes.makeIterator()
        func next() -> UInt32 {
            let number = (0..<4).reduce(UInt32(0)) { sum, _ in sum << 8 | UInt32(words.next() ?? 0) }
            return isBigEndian ? number : number.byteSwapped
        }
        for _ in 0..<bytes.count / 8 {
            sums.0 = sums.0 &+ next() &+ sums.1
            sums.1 = sums.1 &+ next() &+ sums.0
        }
    }

    private static func write(_ sums: (UInt32, UInt32), at offset: Int, to bytes: inout [UInt8]) {
        for (index, sum) in [sums.0, sums.1].enumerated() {
            for byte in 0..<4 { bytes[offset + 4 * index + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte)) }
        }
    }
}
