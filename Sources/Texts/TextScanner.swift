/// Reads a UTF-8 text byte by byte. Reading past the end gives nothing, which is not an error by itself.
package struct TextScanner {
    package let text: [UInt8]
    package private(set) var position = 0

    package init(_ text: [UInt8]) { self.text = text }

    package var next: UInt8? { position < text.count ? text[position] : nil }
    package var isAtEnd: Bool { position >= text.count }

    package func isNext(_ token: StaticString) -> Bool {
        guard token.utf8CodeUnitCount <= text.count - position else { return false }
        return (0..<token.utf8CodeUnitCount).allSatisfy { text[position + $0] == token.utf8Start[$0] }
    }

    package mutating func take() -> UInt8? {
        guard position < text.count else { return nil }
        defer { position += 1 }
        return text[position]
    }

    package mutating func take(_ token: StaticString) -> Bool {
        guard isNext(token) else { return false }
        position += token.utf8CodeUnitCount
        return true
    }

    package mutating func skip(_ count: Int = 1) { position = min(text.count, position + count) }

    /// Moves back to an earlier position.
    package mutating func rewind(to place: Int) { position = min(place, position) }

    package mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < text.count, isTaken(text[position]) { position += 1 }
        return text[start..<position]
    }

    package mutating func skipWhiteSpace() { _ = take(while: Self.isWhite) }

    /// Moves past the next `token`; if there is none, moves to the end and returns false.
    package mutating func skip(past token: StaticString) -> Bool {
        while !isAtEnd {
            if take(token) { return true }
            position += 1
        }
        return false
    }

    package static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

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
