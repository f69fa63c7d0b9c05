internal import MeterModel
internal import Texts

/// Lines as somebody typed them, a meter in each: an address, a sign, and the name up to the end of the line, or a name, a
/// sign and the address. All of them have the same sign, in the same order. A unit may be at the end: `(°F)`.
struct TypedLines {
    private(set) var entries: [DumpEntry] = []
    /// What may be otherwise than it was read.
    private(set) var warnings: [String] = []

    private static let forms = TypedForm.all.filter { !$0.sign.isOfLists }

    private static let longestHead = 4_096

    /// Whether the first line is an address, a sign and a name, in either order, and nothing that a list may be.
    static func begins(_ text: [UInt8]) -> Bool {
        let head = String(decoding: text.prefix(longestHead), as: UTF8.self)
        guard let line = lines(of: head).first else { return false }
        return form(of: line) != nil
    }

    /// The lines that are not empty, without the white space around them, and without the sign of a list where each has one.
    private static func lines(of text: String) -> [Substring] {
        // Of scalars: a line feed behind a return is one character with it.
        let lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
            .map { Substring(WhiteSpace.trimmed(String(Substring($0)))) }.filter { !$0.isEmpty }
        let rests = lines.map(TypedForm.withoutMark)
        return zip(lines, rests).allSatisfy { $0.utf8.count > $1.utf8.count } ? rests : lines
    }

    private static func form(of line: Substring) -> TypedForm? { forms.first { $0.fits(line) } }

    private static func isNumbered(_ name: String) -> Bool { name.firstMatch(of: /^\d{1,3}[.)]\s/) != nil }

    init(_ text: [UInt8]) throws(DumpError) {
        try DumpText.validate(text)
        var budget = ValueBudget()
        var form: TypedForm?
        for line in Self.lines(of: String(decoding: text, as: UTF8.self)) {
            try budget.count(depth: 1, at: 0)
            form = form ?? Self.form(of: line)
            guard let (key, name, unit) = form?.parts(of: line) else {
                throw Self.error("a line without an address and a name: \(String(line).shortened)")
            }
            entries.append(DumpEntry(dictionary: .meterNames, key: key, value: .text(try Self.name(name, in: line))))
            if let unit { entries.append(DumpEntry(dictionary: .temperatureUnits, key: key, value: .text(unit))) }
        }
        if let warning = entries.takeUnits() { warnings.append(warning) }
        let names = entries.filter { $0.dictionary == .meterNames }.compactMap(\.value.text)
        if names.count > 1, names.allSatisfy(Self.isNumbered) {
            warnings.append("each name begins with a number, which stays: take it away where it is that of the list")
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
        for (opening, closing) in [("'", "'"), ("‘", "’")] as [(Character, Character)]
        where text.count > 2 && text.first == opening && text.last == closing {
            let inner = text.dropFirst().dropLast()
            // An apostrophe inside leaves open where the name ends.
            if !inner.contains(closing) { return WhiteSpace.trimmed(String(inner)) }
        }
        let last = text.split { ",;\t|(".contains($0) }.last.map { $0.filter { $0 != ")" } }
        let hasUnit = last.map { $0.utf8.count < text.utf8.count && TemperatureUnit(understanding: String($0)) != nil }
        guard hasUnit != true, !text.utf8.contains(UInt8(ascii: ";")), !text.utf8.contains(UInt8(ascii: "\t")) else {
            throw error("a line with more in it than an address and a name: \(String(line).shortened)")
        }
        return text
    }
}
