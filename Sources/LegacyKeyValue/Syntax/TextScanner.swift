internal import CoreDataStore

/// Walks a text in UTF-8 byte by byte; behind its end there is nothing, and that is never an error by itself.
struct TextScanner {
    let text: [UInt8]
    private(set) var position = 0
    /// Values that may still be made.
    private var allowance = DumpLimits.values

    init(_ text: [UInt8]) { self.text = text }

    var next: UInt8? { position < text.count ? text[position] : nil }
    var isAtEnd: Bool { position >= text.count }

    func isNext(_ token: StaticString) -> Bool {
        guard token.utf8CodeUnitCount <= text.count - position else { return false }
        return (0..<token.utf8CodeUnitCount).allSatisfy { text[position + $0] == token.utf8Start[$0] }
    }

    mutating func take() -> UInt8? {
        guard position < text.count else { return nil }
        defer { position += 1 }
        return text[position]
    }

    mutating func take(_ token: StaticString) -> Bool {
        guard isNext(token) else { return false }
        position += token.utf8CodeUnitCount
        return true
    }

    mutating func skip(_ count: Int = 1) { position = min(text.count, position + count) }

    /// Moves back to a place that was passed.
    mutating func rewind(to place: Int) { position = min(place, position) }

    mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < text.count, isTaken(text[position]) { position += 1 }
        return text[start..<position]
    }

    mutating func skipWhiteSpace() { _ = take(while: Self.isWhite) }

    /// Moves behind the next `token`; false, and at the end, where there is none.
    mutating func skip(past token: StaticString) -> Bool {
        while !isAtEnd {
            if take(token) { return true }
            position += 1
        }
        return false
    }

    static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Counts a value that is about to be made inside `depth` containers.
    mutating func count(depth: Int) throws(DumpFault) {
        allowance -= 1
        guard allowance >= 0 else { throw DumpFault("more than \(DumpLimits.values) values") }
        guard depth <= DumpLimits.depth else {
            throw DumpFault("more than \(DumpLimits.depth) containers inside each other", at: position)
        }
    }
}

extension [String: PropertyList] {
    /// Adds an entry whose key must be new.
    mutating func add(_ value: PropertyList, for key: String, at offset: Int) throws(DumpFault) {
        guard updateValue(value, forKey: key) == nil else {
            throw DumpFault("a key that stands twice in one dictionary", at: offset)
        }
    }
}
