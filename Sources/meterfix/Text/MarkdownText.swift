/// The lines of an answer as Markdown: lines in bold are headings, indented lines items of a list, tables tables.
/// Whatever in them could be taken for Markdown is escaped, for much of it is a customer's.
enum MarkdownText {
    /// Stand for emphasis until the text around them is escaped. `Escaped` lets no customer's text have them.
    static let bold: (start: Character, end: Character) = ("\u{E000}", "\u{E001}")
    /// Begins a line that is Markdown already.
    static let done: Character = "\u{E002}"

    /// The private characters above.
    static let reserved: ClosedRange<UInt32> = 0xE000...0xE002

    private enum Kind { case blank, heading, paragraph, item, table }

    static func lines(of lines: [String]) -> [String] {
        var result: [String] = []
        var last = Kind.blank
        for line in lines {
            let (kind, text) = block(line, isFirst: result.isEmpty)
            // Items, and the rows of a table, stand together; anything else has an empty line around it.
            if kind != .blank, last != .blank, kind != last || kind == .paragraph { result.append("") }
            if kind != .blank || last != .blank { result.append(text) }
            last = kind
        }
        while result.last?.isEmpty == true { result.removeLast() }
        return result
    }

    private static func block(_ line: String, isFirst: Bool) -> (Kind, String) {
        if line.isEmpty { return (.blank, "") }
        let text = line.drop { $0 == " " }
        if text.first == done { return (.table, String(text.dropFirst())) }
        if text.startIndex > line.startIndex { return (.item, "- \(emphasised(text))") }
        if text.first == bold.start, text.firstIndex(of: bold.end) == text.index(before: text.endIndex) {
            return (.heading, "\(isFirst ? "##" : "###") \(escaped(text.dropFirst().dropLast()))")
        }
        return (.paragraph, emphasised(text))
    }

    /// A table's row of cells.
    static func row(_ cells: [String]) -> String {
        "\(done)| \(cells.map { emphasised($0[...]) }.joined(separator: " | ")) |"
    }

    /// The line under a table's head.
    static func rule(columns: Int) -> String { "\(done)|" + String(repeating: "---|", count: columns) }

    private static func emphasised(_ text: Substring) -> String {
        String(escaped(text).map { $0 == bold.start || $0 == bold.end ? "**" : String($0) }.joined())
    }

    private static func escaped(_ text: Substring) -> String {
        var result = ""
        for (index, character) in text.enumerated() {
            switch character {
            case "\\", "`", "*", "_", "[", "]", "|", "~": result += "\\\(character)"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            // Nobody is to be told of a ticket because of a meter's name.
            case "@": result += "&#64;"
            case "#" where index == 0, "+" where index == 0, "-" where index == 0, "=" where index == 0:
                result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
