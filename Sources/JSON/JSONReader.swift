internal import CJSONC

/// json-c's parser, for one text after the other: to make one takes longer than to read a short text.
package final class JSONReader {
    private let tokener: UnsafeMutablePointer<json_tokener>

    /// - Throws: `JSONError` where there is no memory left.
    package init() throws(JSONError) {
        // One more level than is let pass, and one for the value itself.
        guard let tokener = json_tokener_new_ex(Int32(JSONValue.deepestNesting + 2)) else {
            throw JSONError(reason: "out of memory", offset: 0)
        }
        self.tokener = tokener
    }

    deinit { json_tokener_free(tokener) }

    /// The value of a whole text.
    /// - Throws: `JSONError`, as `JSONTree`.
    package func value(of text: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        try JSONTree(parsing: text, limits: limits, with: self).top.value
    }

    /// Ready for the next text.
    func begin(_ flags: Int32) -> UnsafeMutablePointer<json_tokener> {
        json_tokener_reset(tokener)
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | flags)
        return tokener
    }
}

/// How much a JSON text may ask of the reader. json-c keeps every value as an object of its own, an empty `{}` as most
/// of a kilobyte: counts bound memory, where the text's length alone would not.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    package var inputBytes = 1 << 27
    /// Values of any kind.
    package var values = 3 << 20
    /// Objects and arrays among them.
    package var containers = 1 << 18
    /// Bytes from which on an object is read part by part.
    package var partBytes = 1 << 14

    package init() {}
}

/// What a JSON text consists of, counted without building anything. Exact for valid JSON, harmless for any bytes.
struct JSONTally {
    private(set) var containers = 0
    /// Keys, as often as they stand there.
    private(set) var keys = 0
    private var commas = 0

    /// No fewer than there are.
    var values: Int { commas + containers + 1 }

    init(_ text: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < text.count, text[position] != UInt8(ascii: "\"") {
                    position += text[position] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): containers += 1
            case UInt8(ascii: ","): commas += 1
            case UInt8(ascii: ":"): keys += 1
            default: break
            }
            position += 1
        }
    }
}

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
