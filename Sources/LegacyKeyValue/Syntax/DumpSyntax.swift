/// The syntax of a dump, detected from its first bytes.
enum DumpSyntax: Hashable {
    case database, binaryPropertyList, xmlPropertyList, textPropertyList, json

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
        case UInt8(ascii: "["), UInt8(ascii: "\""): self = .json
        case UInt8(ascii: "("), UInt8(ascii: "/"): self = .textPropertyList
        default: return nil
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
