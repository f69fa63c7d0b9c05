/// Text in UTF-16, as bytes.
package enum UTF16Text {
    /// What a byte-order mark at the beginning says; nil where there is none.
    package static func isBigEndian(_ bytes: [UInt8]) -> Bool? {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        return bytes.starts(with: [0xFF, 0xFE]) ? false : nil
    }

    /// Its units; a last byte without another is none.
    package static func units(in bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt16] {
        stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { (index: Int) -> UInt16 in
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
    }

    /// It in UTF-8; nil where half a character is in it.
    package static func utf8(of bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        let isDamaged = transcode(
            units(in: bytes, isBigEndian: isBigEndian).makeIterator(), from: UTF16.self, to: UTF8.self,
            stoppingOnError: true
        ) { text.append($0) }
        return isDamaged ? nil : text
    }
}
