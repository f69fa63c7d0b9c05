/// Emphasis on a terminal that has colours; on others nothing at all.
struct TerminalStyle: Sendable {
    let isColored: Bool

    func text(_ runs: [Inline.Run]) -> String { runs.map { text($0.text, $0.style) }.joined() }

    func text(_ text: String, _ style: Inline.Style) -> String {
        switch style {
        case .plain, .code: text
        case .strong: wrapped(text, "1")
        case .faint: wrapped(text, "2")
        case .tone(.good): wrapped(text, "32")
        case .tone(.note): wrapped(text, "36")
        case .tone(.warning): wrapped(text, "33")
        case .tone(.error): wrapped(text, "1;31")
        }
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
