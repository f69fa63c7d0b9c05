internal import Bytes
internal import XML

/// Converts the bytes of a text to UTF-8.
enum DumpText {
    /// UTF-16 with a byte-order mark becomes UTF-8; a UTF-8 mark is removed. Other bytes stay as they are.
    static func utf8(of bytes: [UInt8]) throws(DumpError) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        guard bytes.count.isMultiple(of: 2) else { throw DumpError("UTF-16 text with an odd number of bytes") }
        let units = stride(from: 2, to: bytes.count, by: 2).lazy.map { (index: Int) -> UInt16 in
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        let isDamaged = transcode(
            units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
        ) { text.append($0) }
        guard !isDamaged else { throw DumpError("UTF-16 text with an unpaired surrogate") }
        return text
    }

    /// Checks that a text is UTF-8 throughout.
    static func validate(_ text: [UInt8]) throws(DumpError) {
        if let fault = UTF8Check.firstInvalid(in: text) { throw DumpError("a byte that is not UTF-8", at: fault) }
    }
}
