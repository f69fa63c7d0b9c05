/// Unpaired surrogates: JSON can escape them, but they are no characters, and UTF-8 has no bytes for them. Inside json-c
/// each is the three bytes that the scheme of UTF-8 would give it (https://simonsapin.github.io/wtf-8/).
enum JSONSurrogates {
    /// Bytes of an escape, and of what stands for it.
    private static let (escape, encoded) = (6, 3)

    /// The text with those bytes in the place of the escapes that begin at `unpaired`, in order.
    static func bytes(of text: [UInt8], _ unpaired: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = 0
        for start in unpaired {
            bytes += text[position..<start]
            let unit = StrictJSONCheck.escapedUnit(in: text, at: start) ?? 0
            bytes += [
                0xE0 | UInt8(unit >> 12), 0x80 | UInt8(unit >> 6 & 0x3F), 0x80 | UInt8(unit & 0x3F),
            ]
            position = start + escape
        }
        bytes += text[position...]
        return bytes
    }

    /// Where in the text itself the byte is that is at `offset` of `bytes(of:_:)`.
    static func offset(_ offset: Int, inTextWith unpaired: [Int]) -> Int {
        var offset = offset
        for start in unpaired where start < offset { offset += escape - encoded }
        return offset
    }

    /// The UTF-16 of a string's bytes where there are unpaired surrogates among them; nil where it is UTF-8.
    static func unpairedUTF16(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt16]? {
        func isSurrogate(_ index: Int) -> Bool {
            bytes[index] == 0xED && index + 2 < bytes.count && bytes[index + 1] >= 0xA0
        }
        guard bytes.indices.contains(where: isSurrogate) else { return nil }
        var units: [UInt16] = []
        var position = 0
        while position < bytes.count {
            if isSurrogate(position) {
                units.append(0xD000 | UInt16(bytes[position + 1] & 0x3F) << 6 | UInt16(bytes[position + 2] & 0x3F))
                position += encoded
            } else {
                let end = (position..<bytes.count).first(where: isSurrogate) ?? bytes.count
                units += String(decoding: bytes[position..<end], as: UTF8.self).utf16
                position = end
            }
        }
        return units
    }
}
