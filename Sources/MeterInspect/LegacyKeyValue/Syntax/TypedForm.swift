internal import MeterModel
internal import Texts

/// How an address and a name stand in a line that somebody typed.
struct TypedForm: Hashable {
    let sign: Sign
    /// Whether the name comes first. It may have the sign in it, too.
    let isNameFirst: Bool

    static let all = [false, true].flatMap { isNameFirst in
        Sign.allCases.map { TypedForm(sign: $0, isNameFirst: isNameFirst) }
    }

    /// Nil where the sign is not in the line.
    func parts(of line: Substring) -> (key: String, name: String, unit: String?)? {
        var (rest, unit) = Self.withoutUnit(line, behind: sign)
        // Of an address and a unit, the unit stands in the place of the name.
        if sign == .blank, sign.parts(of: rest, atLast: isNameFirst) == nil { (rest, unit) = (line, nil) }
        guard let parts = sign.parts(of: rest, atLast: isNameFirst) else { return nil }
        guard isNameFirst else { return (Sign.withoutQuotes(parts.before), parts.behind, unit) }
        // As the last entry of a list that somebody typed between commas.
        let key = Sign.withoutQuotes(parts.behind.hasSuffix(",") ? String(parts.behind.dropLast()) : parts.behind)
        if let unit { return (key, parts.before, unit) }
        let name = Self.withoutUnit(Substring(parts.before))
        return (key, WhiteSpace.trimmed(String(name.text)), name.unit)
    }

    /// Whether a line is an address and a name, and nothing that a list may be.
    func fits(_ line: Substring) -> Bool {
        guard let (key, name, _) = parts(of: line), MACAddress.parse(key) != nil, let first = name.unicodeScalars.first
        else { return false }
        guard !isNameFirst else { return !name.contains { ";,\t|".contains($0) } }
        return !sign.excluded.unicodeScalars.contains(first)
    }

    /// A text and the unit at its end: in brackets, `(°F)`, as the last column of a list, or as the last word. A letter that
    /// is in brackets, or a word, may be a part of a name.
    private static func withoutUnit(
        _ text: Substring, behind sign: Sign? = nil
    ) -> (text: Substring, unit: String?) {
        let isInBrackets = text.unicodeScalars.last == ")"
        let isColumn = sign?.isOfLists ?? false
        let isWord = sign == .blank && !isInBrackets
        var rest = text.unicodeScalars
        guard isColumn || isWord || isInBrackets else { return (text, nil) }
        if !isColumn, isInBrackets { rest.removeLast() }
        let start = isColumn || isWord ? sign?.rawValue.unicodeScalars.first : "("
        guard let start, let place = rest.lastIndex(of: start) else { return (text, nil) }
        let unit = String(rest[place...].dropFirst())
        let isCertain = isColumn || unit.utf8.count > 1
        guard isCertain, TemperatureUnit(understanding: unit) != nil else { return (text, nil) }
        return (text[..<place], unit)
    }

    /// A line without the sign of a list before it, such as `- ` or `• [x] `. A number may be a part of the name.
    static func withoutMark(_ line: Substring) -> Substring {
        guard let mark = line.unicodeScalars.first, marks.contains(mark) else { return line }
        let rest = line.unicodeScalars.drop(while: marks.contains)
        guard rest.first?.properties.isWhitespace ?? false else { return line }
        // What a mail quotes may be a list.
        let text = withoutMark(Substring(WhiteSpace.trimmed(String(Substring(rest)))))
        guard let box = ["[ ] ", "[x] ", "[X] "].first(where: text.hasPrefix) else { return text }
        return text.dropFirst(box.count)
    }

    private static let marks = "-*•·–—+◦▪‣●○☐✓✅>".unicodeScalars

    enum Sign: String, CaseIterable {
        case arrow = "->"
        case wideArrow = "→"
        case doubleArrow = "=>"
        case equals = "="
        case colon = ":"
        case enDash = "–"
        case emDash = "—"
        case hyphen = " - "
        case semicolon = ";"
        case comma = ","
        case tab = "\t"
        case blank = " "

        /// Whether lines with it are a list, whose columns may be in quotes.
        var isOfLists: Bool { self == .semicolon || self == .comma || self == .tab }

        /// What stands in front of the sign, the first or the last one in the line, and what behind it; nil where it is not
        /// there. A colon is one only in front of a blank: addresses have them too.
        func parts(of line: Substring, atLast isLast: Bool) -> (before: String, behind: String)? {
            let scalars = line.unicodeScalars
            let places = scalars.indices.lazy.filter { place in
                let rest = scalars[place...]
                guard rest.starts(with: rawValue.unicodeScalars) else { return false }
                let behind = rest.dropFirst(rawValue.unicodeScalars.count).first
                return self != .colon || behind?.properties.isWhitespace ?? true
            }
            guard let place = isLast ? places.last : places.first else { return nil }
            let behind = scalars[place...].dropFirst(rawValue.unicodeScalars.count)
            return (WhiteSpace.trimmed(String(scalars[..<place])), WhiteSpace.trimmed(String(behind)))
        }

        static func withoutQuotes(_ key: String) -> String {
            var scanner = TextScanner(Array(key.utf8))
            guard let quote = TypedText.quote(&scanner), let inner = TypedText.quoted(&scanner, closedBy: quote),
                scanner.isAtEnd
            else { return key }
            return inner
        }

        /// What a name cannot begin with in a line with this sign: it is a list, or another sign follows.
        var excluded: String { self == .blank ? ";,\t-:=>|*•.~/\\#" : ";,\t" }
    }
}

extension MACAddress {
    /// Whether a text is an address, or something like one.
    static func isMeant(by text: String) -> Bool {
        parse(text) != nil || AddressFault(in: text)?.isCoreBluetooth == true
            || (text.utf8.count <= 40 && !text.contains("=") && !guesses(from: text).isEmpty)
    }
}
