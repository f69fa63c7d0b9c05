internal import Texts

/// Converts the bytes of a text to UTF-8.
package enum DumpText {
    /// UTF-16 becomes UTF-8, with a byte-order mark or where its first character shows it; a UTF-8 mark is removed. Other
    /// bytes stay as they are.
    static func utf8(of bytes: [UInt8]) throws(DumpError) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if let isBigEndian = UTF16Text.isBigEndian(bytes) {
            guard bytes.count.isMultiple(of: 2) else { throw DumpError("UTF-16 text with an odd number of bytes") }
            guard let text = UTF16Text.utf8(of: bytes.dropFirst(2), isBigEndian: isBigEndian) else {
                throw DumpError("UTF-16 text with an unpaired surrogate")
            }
            return text
        }
        // Each format begins with a character of ASCII, and none has a NUL.
        guard bytes.count >= 4, let place = bytes.prefix(4).firstIndex(of: 0),
            bytes[place ^ 1] != 0, bytes[place ^ 2] == 0, bytes[place ^ 3] != 0,
            let text = UTF16Text.utf8(of: bytes[...], isBigEndian: place == 0)
        else { return bytes }
        return text
    }

    /// The same; bytes that cannot be converted as they are.
    package static func lenientUTF8(of bytes: [UInt8]) -> [UInt8] { (try? utf8(of: bytes)) ?? bytes }

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
