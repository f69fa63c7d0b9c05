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
    package func beginning(title: String) -> String {
        switch self {
        case .terminal, .markdown, .csv: ""
        case .html: HTMLPage.beginning(title: title)
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
