/// The name of a table, a column, an index or a trigger. As in SQLite, two names that differ only in the case of ASCII
/// letters are the same name. All other characters are compared byte by byte: two ways to encode an accent give two
/// names. https://www.sqlite.org/c3ref/stricmp.html
package struct SQLName: Hashable, Sendable {
    /// As it was written where it was declared.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// As a quoted identifier in a statement.
    package var quotedIdentifier: String { text.quotedIdentifier }

    package func hasPrefix(_ prefix: SQLName) -> Bool { folded.starts(with: prefix.folded) }

    package func contains(_ part: SQLName) -> Bool { folded.contains(part.folded) }

    /// The bytes that count. Core Data's own names are upper case already.
    private var folded: some Collection<UInt8> {
        text.utf8.lazy.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
        }
    }

    package static func == (left: SQLName, right: SQLName) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.folded.elementsEqual(right.folded)
    }

    package func hash(into hasher: inout Hasher) {
        // FNV-1a: to hand over a byte at a time takes ten times as long.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in folded { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hasher.combine(sum)
    }
}

extension SQLName: Comparable {
    package static func < (left: SQLName, right: SQLName) -> Bool {
        left.folded.lexicographicallyPrecedes(right.folded)
    }
}

extension SQLName: ExpressibleByStringInterpolation, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text) }

    package var description: String { text }
}
