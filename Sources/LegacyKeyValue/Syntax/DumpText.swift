/// The bytes of a text, brought to UTF-8.
enum DumpText {
    /// UTF-16 with a byte-order mark becomes UTF-8; a mark of UTF-8 goes. Other bytes stay as they are.
    static func utf8(of bytes: [UInt8]) throws(DumpFault) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        guard bytes.count.isMultiple(of: 2) else { throw DumpFault("UTF-16 text that ends in half a character") }
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
        guard !isDamaged else { throw DumpFault("UTF-16 text with half a surrogate pair") }
        return text
    }

    /// Checks that a text is UTF-8 throughout.
    static func validate(_ text: [UInt8]) throws(DumpFault) {
        let fault = text.withUnsafeBufferPointer { firstFault(in: $0) }
        if let fault { throw DumpFault("a byte that is not UTF-8", at: fault) }
    }

    private static func firstFault(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = 0
        while position < text.count {
            let lead = text[position]
            let length: Int
            var allowed: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0x00...0x7F:
                position += 1
                continue
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if lead == 0xE0 { allowed = 0xA0...0xBF }
                if lead == 0xED { allowed = 0x80...0x9F }
            case 0xF0...0xF4:
                length = 4
                if lead == 0xF0 { allowed = 0x90...0xBF }
                if lead == 0xF4 { allowed = 0x80...0x8F }
            default: return position
            }
            guard length <= text.count - position, allowed.contains(text[position + 1]) else { return position }
            for index in (position + 2)..<max(position + 2, position + length) where text[index] & 0xC0 != 0x80 {
                return position
            }
            position += length
        }
        return nil
    }
}
