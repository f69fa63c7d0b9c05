/// A position in a text, as editors show it.
package struct TextPosition: Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// From 1, in characters of UTF-8.
    package let column: Int

    /// - Parameter offset: bytes from the start; may be inside a character or after the end.
    package init(of offset: Int, in text: [UInt8]) {
        let before = text.prefix(max(0, offset))
        var line = 1
        var start = before.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for (index, byte) in before.enumerated() where byte == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        self.line = line
        // Every byte except the second to fourth of a character.
        column = 1 + before.dropFirst(start).count { $0 & 0xC0 != 0x80 }
    }

    package var description: String { "line \(line), column \(column)" }
}
