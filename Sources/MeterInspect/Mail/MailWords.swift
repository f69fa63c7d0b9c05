internal import Foundation
internal import MeterModel
internal import Texts

/// What mails write in ASCII that is not in ASCII.
enum MailWords {
    /// `=3D` is `=` again; the last `=` of a line says that it goes on (RFC 2045, 6.7). So it is with `%` in parameters.
    static func unescaped(_ body: ArraySlice<UInt8>, sign: UInt8 = UInt8(ascii: "=")) -> [UInt8] {
        var text: [UInt8] = []
        var rest = body
        while let byte = rest.popFirst() {
            guard byte == sign else {
                text.append(byte)
                continue
            }
            let blanks = rest.prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            let digits = rest.prefix(2)
            if rest.dropFirst(blanks.count).first == 0x0A {
                rest = rest.dropFirst(blanks.count + 1)
            } else if digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                text.append(byte)
                rest = rest.dropFirst(2)
            } else if !rest.isEmpty {
                text.append(byte)
            }
        }
        return text
    }

    /// `=?utf-8?Q?K=C3=BCche?=` is `Küche` again (RFC 2047).
    static func decoded(_ field: String) -> String {
        guard field.contains("=?") else { return field }
        // Blanks between two words are no part of the text.
        return field.replacing(/\?=\s+=\?/, with: "?==?").replacing(/=\?([^?]+)\?([BbQq])\?([^?]*)\?=/) { word in
            let bytes =
                word.2.lowercased() == "b"
                ? Array(Data(base64Encoded: String(word.3)) ?? Data())
                : unescaped(Array(word.3.replacing("_", with: " ").utf8)[...])
            return text(bytes, String(word.1))
        }
    }

    /// For a message: what cannot be read is replaced.
    static func text(_ bytes: [UInt8], _ charset: String) -> String {
        String(decoding: (try? MailCharset.utf8(of: bytes, charset)) ?? bytes, as: UTF8.self)
    }
}

/// The character sets of mails of which nothing must be guessed.
enum MailCharset {
    private static let hint = "ask for it in UTF-8, in a file that is attached"

    /// Text in UTF-8. What says that it is in UTF-8, or nothing, is as it is.
    /// - Throws: `MailFault` for another character set, and for bytes that it does not have.
    static func utf8(of bytes: [UInt8], _ label: String?) throws(MailFault) -> [UInt8] {
        if let isBigEndian = UTF16Text.isBigEndian(bytes) {
            return try utf8(ofUTF16: bytes.dropFirst(2), isBigEndian: isBigEndian)
        }
        let label = label ?? ""
        switch label.lowercased().filter({ $0.isLetter || $0.isNumber }) {
        case "", "utf8", "usascii", "ascii": return bytes
        case "utf16", "utf16be": return try utf8(ofUTF16: bytes[...], isBigEndian: true)
        case "utf16le": return try utf8(ofUTF16: bytes[...], isBigEndian: false)
        case "iso88591", "latin1", "windows1252", "cp1252": return try utf8(of: bytes, [:])
        case "iso885915", "latin9": return try utf8(of: bytes, differencesOfLatin9)
        default:
            throw MailFault("text in the character set \(label)", hint: hint)
        }
    }

    private static func utf8(ofUTF16 bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(MailFault) -> [UInt8] {
        guard let text = UTF16Text.utf8(of: bytes, isBigEndian: isBigEndian) else {
            throw MailFault("text that is not UTF-16, as it says", hint: hint)
        }
        return text
    }

    /// Many programs label UTF-8 so. ISO 8859-1 has only control characters where windows-1252 has these, and is read as
    /// that, as browsers do (https://encoding.spec.whatwg.org).
    private static func utf8(
        of bytes: [UInt8], _ differences: [UInt8: Unicode.Scalar]
    ) throws(MailFault) -> [UInt8] {
        if UTF8Check.firstInvalid(in: bytes) == nil { return bytes }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let scalar = differences[byte] ?? ((0x80..<0xA0).contains(byte) ? windows[Int(byte) - 0x80] : .init(byte))
            guard scalar != "\u{FFFD}" else {
                throw MailFault("text with a byte that its character set does not have", hint: hint)
            }
            text.append(scalar)
        }
        return Array(String(text).utf8)
    }

    private static let windows = Array("€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ".unicodeScalars)
    private static let differencesOfLatin9: [UInt8: Unicode.Scalar] = [
        0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]
}

/// Why a part of a mail is not read.
struct MailFault: Error {
    /// Lower case, no full stop.
    let reason: String
    let hint: String

    init(_ reason: String, hint: String) {
        self.reason = reason
        self.hint = hint
    }
}
