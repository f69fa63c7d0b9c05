internal import Texts

/// The name of a table, a column, an index or a trigger. As in SQLite, two names that differ only in the case of ASCII
/// letters are the same name. All other characters are compared byte by byte: two ways to encode an accent give two
/// names. https://www.sqlite.org/c3ref/stricmp.html
package struct SQLName: Hashable, Sendable {
    /// As it was written where it was declared.
    package let text: String

    package init(_ text: String) { self.text = text }

    package var quotedIdentifier: String { text.quotedIdentifier }

    package func hasPrefix(_ prefix: SQLName) -> Bool { folded.starts(with: prefix.folded) }

    /// - Parameter part: a byte or more.
    package func contains(_ part: SQLName) -> Bool {
        Array(folded).withUnsafeBufferPointer { bytes in
            Array(part.folded).withUnsafeBufferPointer { ByteSearch.firstIndex(of: $0, in: bytes) != nil }
        }
    }

    /// The bytes that count. Core Data's own names are upper case already.
    private var folded: some Collection<UInt8> { text.utf8.lazy.map(Self.folded) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
    }

    package static func == (left: SQLName, right: SQLName) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text.order(byBytesOf: right.text, folded) == 0
    }

    package func hash(into hasher: inout Hasher) {
        // FNV-1a: to hand over a byte at a time takes ten times as long.
        var text = text
        hasher.combine(
            text.withUTF8 { bytes in
                bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64(Self.folded($1))) &* 0x100_0000_01B3 }
            })
    }
}

extension SQLName: Comparable {
    package static func < (left: SQLName, right: SQLName) -> Bool { left.text.order(byBytesOf: right.text, folded) < 0 }
}

extension SQLName: ExpressibleByStringInterpolation, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text) }

    package var description: String { text }
}
