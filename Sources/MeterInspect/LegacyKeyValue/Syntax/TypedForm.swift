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
        let (rest, unit) = Self.withoutUnit(String(line), behind: sign)
        guard let parts = sign.parts(of: Substring(rest), atLast: isNameFirst) else { return nil }
        guard isNameFirst else { return (Sign.withoutQuotes(parts.before), parts.behind, unit) }
        let key = Sign.withoutQuotes(parts.behind)
        if let unit { return (key, parts.before, unit) }
        let name = Self.withoutUnit(parts.before)
        return (key, name.text, name.unit)
    }

    /// Whether a line is an address and a name, and nothing that a list may be.
    func fits(_ line: Substring) -> Bool {
        guard let (key, name, _) = parts(of: line), MACAddress.parse(key) != nil, let first = name.unicodeScalars.first
        else { return false }
        guard !isNameFirst else { return !name.contains { ";,\t|".contains($0) } }
        return !sign.excluded.unicodeScalars.contains(first)
    }

    /// A text and the unit at its end: in brackets, `(°F)`, or as the last column of a list. A letter in brackets may be a
    /// part of a name.
    private static func withoutUnit(_ text: String, behind sign: Sign? = nil) -> (text: String, unit: String?) {
        let isOfList = sign?.isOfLists ?? false
        let mark: Unicode.Scalar = isOfList ? sign?.rawValue.unicodeScalars.first ?? ";" : "("
        var unit = text.unicodeScalars[...]
        guard isOfList || unit.popLast() == ")", let place = unit.lastIndex(of: mark) else { return (text, nil) }
        let last = String(unit[place...].dropFirst())
        let isLetter = last.utf8.count == 1
        guard TemperatureUnit(understanding: last) != nil, isOfList || !isLetter else { return (text, nil) }
        return (WhiteSpace.trimmed(String(unit[..<place])), last)
    }

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
