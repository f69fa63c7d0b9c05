internal import MeterModel
internal import Texts

/// Lines as somebody typed them, a meter in each: an address, a sign, and the name up to the end of the line, or a name, a
/// sign and the address. All of them have the same sign, in the same order. A unit may be at the end: `(°F)`.
struct TypedLines {
    private(set) var entries: [DumpEntry] = []

    private static let forms = TypedForm.all.filter { !$0.sign.isOfLists }

    private static let longestHead = 4_096

    /// Whether the first line is an address, a sign and a name, in either order, and nothing that a list may be.
    static func begins(_ text: [UInt8]) -> Bool {
        let head = String(decoding: text.prefix(longestHead), as: UTF8.self)
        guard let line = lines(of: head).first(where: { !WhiteSpace.isAll(String($0)) }) else { return false }
        return form(of: line) != nil
    }

    private static func lines(of text: String) -> [Substring] {
        // Of scalars: a line feed behind a return is one character with it.
        text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { Substring($0) }
    }

    private static func form(of line: Substring) -> TypedForm? {
        let line = Substring(WhiteSpace.trimmed(String(line)))
        return forms.first { $0.fits(line) }
    }

    init(_ text: [UInt8]) throws(DumpError) {
        try DumpText.validate(text)
        var budget = ValueBudget()
        var form: TypedForm?
        for line in Self.lines(of: String(decoding: text, as: UTF8.self)) where !WhiteSpace.isAll(String(line)) {
            try budget.count(depth: 1, at: 0)
            let trimmed = Substring(WhiteSpace.trimmed(String(line)))
            form = form ?? Self.form(of: trimmed)
            guard let (key, name, unit) = form?.parts(of: trimmed) else {
                throw Self.error("a line without an address and a name: \(String(trimmed).shortened)")
            }
            entries.append(DumpEntry(dictionary: .meterNames, key: key, value: .text(try Self.name(name, in: trimmed))))
            if let unit { entries.append(DumpEntry(dictionary: .temperatureUnits, key: key, value: .text(unit))) }
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
