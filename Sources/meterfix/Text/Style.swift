internal import MeterModel

/// Emphasis on a terminal or in Markdown; nothing at all in a pipe.
struct Style {
    enum Form { case plain, colored, markdown }

    let form: Form

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { form == .markdown ? text : wrap(text, "2") }
    func good(_ text: String) -> String { wrap(text, "32") }

    func severity(_ severity: Severity, _ text: String) -> String {
        switch severity {
        case .error: wrap(text, "1;31")
        case .warning: wrap(text, "33")
        case .note: wrap(text, "36")
        }
    }

    /// Lines made with this style, as they are printed.
    func laidOut(_ lines: [String]) -> [String] { form == .markdown ? MarkdownText.lines(of: lines) : lines }

    private func wrap(_ text: String, _ code: String) -> String {
        switch form {
        case .plain: text
        case .colored: "\u{1B}[\(code)m\(text)\u{1B}[0m"
        case .markdown: "\(MarkdownText.bold.start)\(text)\(MarkdownText.bold.end)"
        }
    }
}
