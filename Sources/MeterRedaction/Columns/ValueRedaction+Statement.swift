/// The statements of a schema, which somebody may have added to by hand.
extension ValueRedaction {
    /// A statement of SQL without comments, each literal in it replaced that is no name of the schema. The white space
    /// stays: Core Data's own statements are as they were.
    func statement(_ sql: String) -> String {
        var result: [UInt8] = []
        var rest = Array(sql.utf8)[...]
        while let first = rest.first {
            switch first {
            case UInt8(ascii: "'"):
                let literal = Self.quoted(rest, by: first)
                rest = rest.dropFirst(literal.count)
                if result.last.map({ $0 | 0x20 == UInt8(ascii: "x") }) == true,
                    Self.endsInWord(result.dropLast()) == false
                {
                    // The hex digits of a BLOB.
                    result += [first] + literal.dropFirst().dropLast().map { _ in UInt8(ascii: "0") } + [first]
                } else {
                    let text = Self.unquoted(literal, by: first).withUnsafeBufferPointer {
                        pseudonyms.text($0, in: "the schema", isHarmless: words.isOfSchema)
                    }
                    result += [first] + text.flatMap { $0 == first ? [first, first] : [$0] } + [first]
                }
            case UInt8(ascii: "\""), UInt8(ascii: "`"):
                let name = Self.quoted(rest, by: first)
                result += name
                rest = rest.dropFirst(name.count)
            case UInt8(ascii: "["):
                let name = rest.prefix { $0 != UInt8(ascii: "]") }
                result += name
                rest = rest.dropFirst(name.count)
            case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
                // A comment separates two words.
                result.append(UInt8(ascii: " "))
            default:
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The beginning of `text` up to the quotation mark that ends it; two of them are one inside.
    private static func quoted(_ text: ArraySlice<UInt8>, by mark: UInt8) -> ArraySlice<UInt8> {
        var end = text.startIndex + 1
        while end < text.endIndex {
            if text[end] == mark {
                guard end + 1 < text.endIndex, text[end + 1] == mark else { return text[...end] }
                end += 1
            }
            end += 1
        }
        return text
    }

    private static func unquoted(_ literal: ArraySlice<UInt8>, by mark: UInt8) -> [UInt8] {
        var text: [UInt8] = []
        var isSecond = false
        for byte in literal.dropFirst().dropLast() {
            isSecond = byte == mark && !isSecond
            if !isSecond { text.append(byte) }
        }
        return text
    }

    private static func endsInWord(_ text: ArraySlice<UInt8>) -> Bool {
        text.last.map { byte in
            byte == UInt8(ascii: "_") || byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        } ?? false
    }
}
