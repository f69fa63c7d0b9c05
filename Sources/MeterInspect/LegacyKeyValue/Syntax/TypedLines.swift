internal import MeterModel
internal import Texts

/// Lines as somebody typed them, a meter in each: an address, a sign, and the name up to the end of the line. All of them
/// have the same sign.
struct TypedLines {
    private(set) var entries: [DumpEntry] = []

    private enum Sign: String, CaseIterable {
        case arrow = "->"
        case wideArrow = "→"
        case doubleArrow = "=>"
        case equals = "="
        case colon = ":"
        case enDash = "–"
        case emDash = "—"
        case hyphen = " - "
        case blank = " "

        /// What stands in front of the sign, and what behind it; nil where it is not in the line. A colon is one only in
        /// front of a blank: addresses have them too.
        func parts(of line: Substring) -> (key: String, name: String)? {
            let scalars = line.unicodeScalars
            var place = scalars.startIndex
            while place < scalars.endIndex {
                let rest = scalars[place...]
                if rest.starts(with: rawValue.unicodeScalars) {
                    let behind = rest.dropFirst(rawValue.unicodeScalars.count)
                    if self != .colon || behind.first?.properties.isWhitespace ?? true {
                        return (Self.withoutQuotes(String(scalars[..<place])), WhiteSpace.trimmed(String(behind)))
                    }
                }
                place = scalars.index(after: place)
            }
            return nil
        }

        private static func withoutQuotes(_ key: String) -> String {
            let key = WhiteSpace.trimmed(key)
            var scanner = TextScanner(Array(key.utf8))
            guard let quote = TypedText.quote(&scanner), let inner = TypedText.quoted(&scanner, closedBy: quote),
                scanner.isAtEnd
            else { return key }
            return inner
        }

        /// What a name cannot begin with in a line with this sign: it is a list, or another sign follows.
        var excluded: String { self == .blank ? ";,\t-:=>|*•.~/\\#" : ";,\t" }
    }

    private static let longestHead = 4_096

    /// Whether the first line is an address, a sign and a name, and nothing that a list may be.
    static func begins(_ text: [UInt8]) -> Bool {
        let head = String(decoding: text.prefix(longestHead), as: UTF8.self)
        guard let line = lines(of: head).first(where: { !WhiteSpace.isAll(String($0)) }) else { return false }
        return sign(of: line) != nil
    }

    private static func lines(of text: String) -> [Substring] {
        // Of scalars: a line feed behind a return is one character with it.
        text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { Substring($0) }
    }

    private static func sign(of line: Substring) -> Sign? {
        let line = Substring(WhiteSpace.trimmed(String(line)))
        return Sign.allCases.first { sign in
            guard let (key, name) = sign.parts(of: line), MACAddress.parse(key) != nil else { return false }
            return !(name.unicodeScalars.first.map(sign.excluded.unicodeScalars.contains) ?? true)
        }
    }

    init(_ text: [UInt8]) throws(DumpError) {
        try DumpText.validate(text)
        var budget = ValueBudget()
        var sign: Sign?
        for line in Self.lines(of: String(decoding: text, as: UTF8.self)) where !WhiteSpace.isAll(String(line)) {
            try budget.count(depth: 1, at: 0)
            let trimmed = Substring(WhiteSpace.trimmed(String(line)))
            sign = sign ?? Self.sign(of: trimmed)
            guard let (key, name) = sign?.parts(of: trimmed) else {
                throw Self.error("a line without an address and a name: \(String(trimmed).shortened)")
            }
            entries.append(DumpEntry(dictionary: .meterNames, key: key, value: .text(try Self.name(name, in: trimmed))))
        }
    }

    private static func error(_ reason: String) -> DumpError {
        DumpError(reason, hint: "send a line for each meter, with address, name and unit, \(DumpSyntax.example)")
    }

    /// A name as it is meant: in quotes, or as it stands there, if nothing else may be behind it.
    private static func name(_ text: String, in line: Substring) throws(DumpError) -> String {
        var scanner = TextScanner(Array(text.utf8))
        if let quote = TypedText.quote(&scanner) {
            let name = TypedText.quoted(&scanner, closedBy: quote)
            if !scanner.take(",") { _ = scanner.take(";") }
            // A backslash may have escaped something.
            guard let name, scanner.isAtEnd, !name.utf8.contains(UInt8(ascii: "\\")) else {
                throw error("a line with more in it than an address and a name: \(String(line).shortened)")
            }
            return name
        }
        let last = text.split { ",;\t|(".contains($0) }.last.map { $0.filter { $0 != ")" } }
        let hasUnit = last.map { $0.utf8.count < text.utf8.count && TemperatureUnit(understanding: String($0)) != nil }
        guard hasUnit != true, !text.utf8.contains(UInt8(ascii: ";")), !text.utf8.contains(UInt8(ascii: "\t")) else {
            throw error("a line with more in it than an address and a name: \(String(line).shortened)")
        }
        return text
    }
}
