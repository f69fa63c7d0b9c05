internal import Texts

/// What an answer is printed on.
package enum Medium: Sendable {
    /// Or a file of text, or another program.
    /// - Parameters:
    ///   - width: columns of a line, where the text is to fit; nil where a line has no end.
    ///   - isColored: whether emphasis is shown, which is done by control sequences.
    case terminal(width: Int?, isColored: Bool)
    /// A ticket.
    case markdown
    /// One page for a browser or a printer.
    case html
    /// A spreadsheet: tables only.
    /// - Parameter isShown: on a terminal, which obeys control characters; elsewhere each cell is data, as it is.
    case csv(isShown: Bool)

    /// What comes before the first answer.
    /// - Parameter header: what is above everything on a page; nil for its title.
    package func beginning(title: String, header: String? = nil) -> String {
        switch self {
        case .terminal, .markdown, .csv: ""
        case .html: HTMLRenderer.beginning(title: title, header: header)
        }
    }

    /// What is between two answers.
    package var separator: String {
        switch self {
        case .terminal, .html, .csv: ""
        case .markdown: "\n"
        }
    }

    /// What comes after the last answer.
    package var ending: String {
        switch self {
        case .terminal, .markdown, .csv: ""
        case .html: HTMLRenderer.ending
        }
    }

    /// Writes one answer, a line or a few at a time.
    package func write(_ blocks: [Block], to sink: (String) -> Void) {
        switch self {
        case .terminal(let width, let isColored):
            var renderer = TerminalRenderer(width: width, isColored: isColored)
            renderer.write(blocks, to: sink)
        case .markdown:
            var renderer = MarkdownRenderer()
            renderer.write(blocks, to: sink)
        case .html:
            var renderer = HTMLRenderer()
            renderer.write(blocks, to: sink)
        case .csv(let isShown): Self.writeTables(of: blocks, isShown: isShown, to: sink)
        }
    }
}

/// Tables for spreadsheets: RFC 4180, with a line of column names. All other blocks are left out.
extension Medium {
    private static func writeTables(of blocks: [Block], isShown: Bool, to sink: (String) -> Void) {
        for block in blocks {
            switch block {
            case .table(let table):
                for row in (table.head.isEmpty ? [] : [table.head]) + table.rows {
                    sink(row.map { field($0.text, isShown: isShown) }.joined(separator: ",") + "\r\n")
                }
            case .section(_, let parts), .group(let parts): writeTables(of: parts, isShown: isShown, to: sink)
            case .heading, .paragraph, .prose, .list, .pairs, .merging, .code, .note, .remark: break
            case .verdict, .opening, .card, .part, .questions, .steps, .points, .figures, .towers, .flow, .lanes,
                .contents, .place:
                writeTables(of: block.inWords, isShown: isShown, to: sink)
            }
        }
    }

    private static func field(_ text: String, isShown: Bool) -> String {
        let field = FormulaGuard.protected(isShown ? Escaped.text(text) : text)
        let ends = [field.unicodeScalars.first, field.unicodeScalars.last]
        let isQuoted =
            ends.contains { $0?.properties.isWhitespace ?? false }
            || field.utf8.contains { ",\"\r\n".utf8.contains($0) }
        guard isQuoted else { return field }
        // Compare bytes: Swift joins a quote and a combining accent.
        let quote = UInt8(ascii: "\"")
        let doubled = field.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
        return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
    }
}
