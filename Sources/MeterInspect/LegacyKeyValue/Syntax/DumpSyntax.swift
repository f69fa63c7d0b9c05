internal import Texts

/// The syntax of a dump, detected from its first bytes.
enum DumpSyntax: Hashable {
    case database, binaryPropertyList, xmlPropertyList, textPropertyList, json
    /// What somebody typed.
    case list

    private static let white: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]

    /// - Parameter bytes: a database, a binary property list, or text in UTF-8 without a byte-order mark.
    /// - Returns: nil for anything else.
    init?(of bytes: [UInt8]) {
        if bytes.starts(with: "SQLite format 3\u{0}".utf8) {
            self = .database
            return
        }
        if bytes.starts(with: "bplist".utf8) {
            self = .binaryPropertyList
            return
        }
        let rest = bytes.drop { Self.white.contains($0) }
        switch rest.first {
        case UInt8(ascii: "<"): self = .xmlPropertyList
        case UInt8(ascii: "{"): self = Self.braces(rest.dropFirst())
        case UInt8(ascii: "["): self = .json
        case UInt8(ascii: "\""): self = TypedList.begins(bytes) ? .list : .json
        case UInt8(ascii: "("), UInt8(ascii: "/"): self = .textPropertyList
        default:
            guard TypedList.begins(bytes) else { return nil }
            self = .list
        }
    }

    /// Both JSON and old-style property lists begin with `{`: what follows the first key distinguishes them.
    private static func braces(_ bytes: ArraySlice<UInt8>) -> DumpSyntax {
        var rest = bytes.drop { white.contains($0) }
        switch rest.first {
        case nil, UInt8(ascii: "}"): return .json
        case UInt8(ascii: "/"), UInt8(ascii: "'"): return .textPropertyList
        case UInt8(ascii: "\""):
            rest = rest.dropFirst()
            var isEscaped = false
            while let byte = rest.first {
                rest = rest.dropFirst()
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    break
                }
            }
        default: rest = rest.drop { TextPropertyListReader.isWord($0) && $0 != UInt8(ascii: ":") }
        }
        rest = rest.drop { white.contains($0) }
        switch rest.first {
        case UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "/"): return .textPropertyList
        default: return .json
        }
    }
}

/// Converts the bytes of a text to UTF-8.
enum DumpText {
    /// UTF-16 with a byte-order mark becomes UTF-8; a UTF-8 mark is removed. Other bytes stay as they are.
    static func utf8(of bytes: [UInt8]) throws(DumpError) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        guard bytes.count.isMultiple(of: 2) else { throw DumpError("UTF-16 text with an odd number of bytes") }
        let units = stride(from: 2, to: bytes.count, by: 2).lazy.map { (index: Int) -> UInt16 in
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

    /// Checks that a text is UTF-8 throughout.
    static func validate(_ text: [UInt8]) throws(DumpError) {
        if let fault = UTF8Check.firstInvalid(in: text) { throw DumpError("a byte that is not UTF-8", at: fault) }
    }
}
