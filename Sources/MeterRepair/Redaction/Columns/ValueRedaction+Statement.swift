/// The statements of a schema, which somebody may have added to by hand.
extension ValueRedaction {
    /// A statement of SQL without comments, each literal and each number of several digits in it replaced, and each word in
    /// quotation marks that is no name of the schema: SQLite takes it for a literal. The white space stays: Core Data's own
    /// statements are as they were.
    func statement(_ sql: String) -> String {
        var result: [UInt8] = []
        var rest = Array(sql.utf8)[...]
        var lastWord = ""
        while let first = rest.first {
            switch first {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
                let quoted = Self.quoted(rest, by: first)
                rest = rest.dropFirst(quoted.count)
                result += redacted(quoted, by: first)
            case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
                // A comment separates two words.
                result.append(UInt8(ascii: " "))
            case UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let number = Self.number(rest)
                rest = rest.dropFirst(number.count)
                result += redacted(number: number)
            case _ where Self.isOfWord(first):
                if let type = words.numberedTypes.first(where: rest.starts) {
                    result += type
                    rest = rest.dropFirst(type.count)
                    continue
                }
                let word = rest.prefix(while: Self.isOfWord)
                rest = rest.dropFirst(word.count)
                let text = String(decoding: word, as: UTF8.self).uppercased()
                if text == "X", rest.first == UInt8(ascii: "'") {
                    // The hex digits of a BLOB.
                    let digits = Self.quoted(rest, by: UInt8(ascii: "'"))
                    rest = rest.dropFirst(digits.count)
                    result += word + "'".utf8 + digits.dropFirst().dropLast().map { _ in UInt8(ascii: "0") } + "'".utf8
                } else if lastWord == "DEFAULT", !Self.defaults.contains(text) {
                    // A word that is a default is a literal too.
                    result += redacted("'".utf8 + word + "'".utf8, by: UInt8(ascii: "'"))
                } else {
                    result += word
                }
                lastWord = text
                continue
            default:
                result.append(first)
                rest = rest.dropFirst()
            }
            if ![0x20, 0x09, 0x0A, 0x0D].contains(first) { lastWord = "" }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Words that stand for a value behind `DEFAULT`.
    private static let defaults: Set = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]

    /// A literal, or a name in quotation marks, with these around it.
    private func redacted(_ quoted: ArraySlice<UInt8>, by mark: UInt8) -> [UInt8] {
        let end = mark == UInt8(ascii: "[") ? UInt8(ascii: "]") : mark
        let text = Self.unquoted(quoted, by: end).withUnsafeBufferPointer {
            replacements.text($0, .text, in: "the schema", isHarmless: words.isOfSchema)
        }
        return [mark] + text.flatMap { $0 == end ? [end, end] : [$0] } + [end]
    }

    /// A number of one digit says nothing of anybody.
    private func redacted(number: ArraySlice<UInt8>) -> [UInt8] {
        guard number.count > 1 else { return Array(number) }
        let text = String(decoding: number.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self).lowercased()
        let integer = text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
        // Whole numbers from 1001 up and others from 0.0001 up: what has fewer digits is the schema's own.
        let rank = integer.map { replacements.integer($0) } ?? Int64(replacements.real(Double(text) ?? 0))
        return Array((integer == nil ? "0.\(String(rank + 10_000).dropFirst())" : "\(rank + 1_000)").utf8)
    }

    /// The number that a text begins with, with its exponent; or only a dot.
    private static func number(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isHexadecimal = text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8)
        var end = text.startIndex
        while end < text.endIndex {
            let isSign = text[end] == UInt8(ascii: "+") || text[end] == UInt8(ascii: "-")
            let isOfExponent =
                isSign && !isHexadecimal && end > text.startIndex && text[end - 1] | 0x20 == UInt8(ascii: "e")
            guard isOfWord(text[end]) || text[end] == UInt8(ascii: ".") || isOfExponent else { break }
            // A dot that no digit follows is between two names.
            if text[text.startIndex] == UInt8(ascii: "."), end == text.startIndex,
                !text.dropFirst().prefix(1).allSatisfy({ (0x30...0x39).contains($0) })
            {
                return text.prefix(1)
            }
            end += 1
        }
        return text[..<end]
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The beginning of `text` up to the quotation mark that ends it; two of them are one inside.
    private static func quoted(_ text: ArraySlice<UInt8>, by mark: UInt8) -> ArraySlice<UInt8> {
        if mark == UInt8(ascii: "[") { return text.firstIndex(of: UInt8(ascii: "]")).map { text[...$0] } ?? text }
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
}
