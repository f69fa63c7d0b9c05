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
    case csv

    /// What comes before the first answer.
    /// - Parameter header: what is above everything on a page; nil for its title.
    package func beginning(title: String, header: String? = nil) -> String {
        switch self {
        case .terminal, .markdown, .csv: ""
        case .html: HTMLPage.beginning(title: title, header: header)
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
        case .html: HTMLPage.ending
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
        case .csv: CSVRenderer().write(blocks, to: sink)
        }
    }
}

/// Tables for spreadsheets: RFC 4180, with a line of column names. All other blocks are left out.
struct CSVRenderer {
    /// Writes one line at a time.
    func write(_ blocks: [Block], to sink: (String) -> Void) {
        for block in blocks {
            switch block {
            case .table(let table):
                for row in (table.head.isEmpty ? [] : [table.head]) + table.rows { sink(Self.line(row)) }
            case .section(_, let parts), .group(let parts): write(parts, to: sink)
            case .deferred(let make): write(make(), to: sink)
            case .heading, .paragraph, .prose, .list, .pairs, .merging, .code, .note, .remark: break
            case .verdict, .opening, .card, .part, .questions, .steps, .points, .figures, .towers, .flow, .lanes,
                .contents,
                .place:
                write(block.inWords, to: sink)
            }
        }
    }

    private static func line(_ row: [Block.Cell]) -> String {
        row.map { field($0.text) }.joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        var field = Escaped.text(text)
        // Spreadsheets take what begins with one of these for a formula, which could fetch or run something; some also
        // the wide ones of East Asian keyboards. A tab and a line feed are escaped already.
        // https://owasp.org/www-community/attacks/CSV_Injection
        if let first = field.first, "=+-@＝＋－＠".contains(first) { field = "'" + field }
        guard field.contains(where: { ",\"".contains($0) }) || field.first == " " || field.last == " " else {
            return field
        }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
