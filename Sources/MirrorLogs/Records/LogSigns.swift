internal import Texts

/// Takes back what word processors, mail programs and web forms put in place of the signs of ASCII that a log has: `’` for an
/// apostrophe, a space at which no line is broken, `&quot;`.
struct LogSigns {
    /// Whether quotation marks and what HTML escapes are taken back, too. In the strings of JSON and of tables they must stay
    /// until these are read: a quotation mark would end the string.
    let areAll: Bool
    /// The beginning of a sign that may go on in the next chunk.
    private var rest: [UInt8] = []

    /// Bytes of the longest sign.
    private static let longest = 8

    init(areAll: Bool) {
        self.areAll = areAll
    }

    /// The text of one record.
    static func mended(_ text: [UInt8]) -> [UInt8] {
        var (text, signs) = (text, LogSigns(areAll: true))
        signs.mend(&text, isEnd: true)
        return text
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        if !rest.isEmpty { text = rest + text }
        rest = []
        // Most text has none.
        if let mended = text.withUnsafeBufferPointer({ mended($0, isEnd) }) { text = mended }
    }

    /// - Returns: nil for what stays as it is.
    private mutating func mended(_ text: UnsafeBufferPointer<UInt8>, _ isEnd: Bool) -> [UInt8]? {
        var (mended, done, place): ([UInt8], Int, Int) = ([], 0, 0)
        while let next = ByteSearch.firstIndexBeyondASCII(or: UInt8(ascii: "&"), in: text, from: place) {
            place = next + 1
            if let (sign, length) = Self.sign(in: text, at: next) {
                guard areAll || sign == 0x20 || sign == nil else { continue }
                if done == 0 { mended.reserveCapacity(text.count) }
                mended += UnsafeBufferPointer(rebasing: text[done..<next])
                if let sign { mended.append(sign) }
                place = next + length
                done = place
            } else if !isEnd, text.count - next < Self.longest, Self.firsts.contains(text[next]) {
                rest = Array(text[next...])
                return mended + text[done..<next]
            }
        }
        return done == 0 ? nil : mended + UnsafeBufferPointer(rebasing: text[done...])
    }

    /// Bytes with which a sign begins that is taken back.
    private static let firsts: [UInt8] = [0xC2, 0xE2, 0xEF, UInt8(ascii: "&")]

    /// What the sign at a place stands for, nil for nothing, and its length; nil for any other sign.
    static func sign(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> (sign: UInt8?, length: Int)? {
        func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }
        switch text[place] {
        case 0xC2: return byte(1) == 0xA0 ? (0x20, 2) : nil
        case 0xE2:
            guard byte(1) == 0x80 else { return nil }
            switch byte(2) {
            // Spaces of many widths, U+202F among them; single quotation marks; double ones.
            case 0x80...0x8A, 0xAF: return (0x20, 3)
            case 0x98...0x9B: return (UInt8(ascii: "'"), 3)
            case 0x9C...0x9F: return (UInt8(ascii: "\""), 3)
            default: return nil
            }
        // The mark of UTF-8, behind what somebody has put before the first line.
        case 0xEF: return byte(1) == 0xBB && byte(2) == 0xBF ? (nil, 3) : nil
        case UInt8(ascii: "&"):
            let near = text[place..<min(place + longest, text.count)]
            guard let end = near.firstIndex(of: UInt8(ascii: ";")) else { return nil }
            return escapes[near[(place + 1)..<end].text].map { ($0, end + 1 - place) }
        default: return nil
        }
    }

    /// What HTML writes for signs, by name or by number.
    private static let escapes: [String: UInt8] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "nbsp": 0x20, "#38": 0x26, "#60": 0x3C,
        "#62": 0x3E, "#34": 0x22, "#39": 0x27, "#x27": 0x27, "#x22": 0x22, "#160": 0x20, "#xA0": 0x20, "#xa0": 0x20,
        "lsquo": 0x27, "rsquo": 0x27, "ldquo": 0x22, "rdquo": 0x22, "#8216": 0x27, "#8217": 0x27, "#8220": 0x22,
        "#8221": 0x22,
    ]
}
