internal import Texts

/// Converts the bytes of a text to UTF-8.
enum DumpText {
    /// UTF-16 becomes UTF-8, with a byte-order mark or where its first character shows it; a UTF-8 mark is removed. Other
    /// bytes stay as they are.
    static func utf8(of bytes: [UInt8]) throws(DumpError) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf8(ofUTF16: bytes.dropFirst(2), isBigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf8(ofUTF16: bytes.dropFirst(2), isBigEndian: false) }
        // Each format begins with a character of ASCII, and none has a NUL.
        guard bytes.count >= 4, let place = bytes.prefix(4).firstIndex(of: 0),
            bytes[place ^ 1] != 0, bytes[place ^ 2] == 0, bytes[place ^ 3] != 0,
            let text = try? utf8(ofUTF16: bytes[...], isBigEndian: place == 0)
        else { return bytes }
        return text
    }

    private static func utf8(
        ofUTF16 bytes: ArraySlice<UInt8>, isBigEndian: Bool
    ) throws(DumpError) -> [UInt8] {
        guard bytes.count.isMultiple(of: 2) else { throw DumpError("UTF-16 text with an odd number of bytes") }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).lazy.map { (index: Int) -> UInt16 in
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

    static func validate(_ text: [UInt8]) throws(DumpError) {
        if let fault = UTF8Check.firstInvalid(in: text) {
            throw DumpError("a byte that is not UTF-8", at: fault, hint: hintOnEncoding)
        }
    }

    /// Which of a dozen code pages it was, nobody can tell for certain; a wrong guess would change names.
    private static let hintOnEncoding =
        "save it as UTF-8: in Excel as \"CSV UTF-8\", in an editor with the encoding UTF-8; or convert it with `iconv -f "
        + "WINDOWS-1252 -t UTF-8 FILE`, for a list from an old Mac `-f MACINTOSH`, and look at the names"
}
