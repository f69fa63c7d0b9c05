import Answer

/// What a terminal shows, as an SVG image: text that is text, at places that do not depend on a font.
///
/// The window is dark on any page. It has no script, and nothing is fetched for it.
struct TerminalPicture {
    /// A sequence that no terminal's answer of meterfix has.
    struct UnknownSequence: Error {
        let text: String
    }

    /// Emphasis, as `TerminalStyle` makes it.
    struct Style: Hashable {
        var isBold = false
        var color = Color.ink
    }

    enum Color: String, CaseIterable {
        case ink, faint, good, note, warning, error

        /// As red, green and blue.
        var rgb: UInt32 {
            switch self {
            case .ink: 0xE8E8EC
            case .faint: 0xA4A4AC
            case .good: 0x7FD992
            case .note: 0x7CC4EE
            case .warning: 0xEBC062
            case .error: 0xFF938A
            }
        }
    }

    struct Run: Hashable {
        var text: String
        let style: Style
    }

    /// Of the window.
    static let ground: UInt32 = 0x1B1B1F

    let lines: [[Run]]
    /// What it is, and what is to be seen in it.
    let title: String
    let summary: String
    let columns: Int

    // In pixels.
    private static let size = 14
    private static let advance = 8.4
    private static let leading = 20
    private static let margin = 18
    private static let bar = 34

    /// - Parameter text: lines with control sequences for emphasis.
    init(_ text: String, columns: Int, title: String, summary: String) throws {
        lines = try text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.runs)
        self.columns = columns
        self.title = title
        self.summary = summary
    }

    /// Text of one style each; a sequence holds until the end of its line.
    private static func runs(of line: Substring) throws -> [Run] {
        var style = Style()
        var runs: [Run] = []
        for (index, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
            var text = part
            if index > 0 {
                guard let end = part.firstIndex(of: "m") else { throw UnknownSequence(text: String(part)) }
                for code in part[..<end].split(separator: ";", omittingEmptySubsequences: false) {
                    style = try Self.style(style, after: code)
                }
                text = part[part.index(after: end)...]
            }
            guard !text.isEmpty else { continue }
            guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                throw UnknownSequence(text: String(text))
            }
            runs.append(Run(text: String(text), style: style))
        }
        return runs
    }

    private static func style(_ style: Style, after code: Substring) throws -> Style {
        var style = style
        switch code {
        case "", "0": style = Style()
        case "1": style.isBold = true
        case "2": style.color = .faint
        case "31": style.color = .error
        case "32": style.color = .good
        case "33": style.color = .warning
        case "36": style.color = .note
        default: throw UnknownSequence(text: String(code))
        }
        return style
    }

    var svg: String {
        let width = Int(Double(columns) * Self.advance) + 2 * Self.margin
        let height = Self.bar + lines.count * Self.leading + Self.margin
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            role="img" aria-labelledby="title summary" xml:lang="en">
            <title id="title">\(Self.escaped(title))</title>
            <desc id="summary">\(Self.escaped(summary))</desc>
            <style>
            text { font: \(Self.size)px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
            fill: \(Self.hex(Color.ink.rgb)); white-space: pre; }
            .bold { font-weight: bold; }

            """
        for color in Color.allCases where color != .ink { svg += ".\(color) { fill: \(Self.hex(color.rgb)); }\n" }
        svg += """
            </style>
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="9" fill="\(Self.hex(Self.ground))" \
            stroke="#6e6e76"/>

            """
        for (index, color) in ["#ff5f57", "#febc2e", "#28c840"].enumerated() {
            svg += "<circle cx=\"\(Self.margin + 2 + index * 20)\" cy=\"18\" r=\"6\" fill=\"\(color)\"/>\n"
        }
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let baseline = Self.bar + index * Self.leading + Self.size
            svg += "<text y=\"\(baseline)\" xml:space=\"preserve\">\(Self.spans(line))</text>\n"
        }
        return svg + "</svg>\n"
    }

    /// Each word or column begins at its place, however wide the font is.
    private static func spans(_ line: [Run]) -> String {
        var column = 0
        var spans = ""
        for run in line {
            for piece in pieces(run.text) {
                let width = DisplayWidth.of(piece)
                let classes =
                    (run.style.isBold ? ["bold"] : []) + (run.style.color == .ink ? [] : [run.style.color.rawValue])
                spans += "<tspan x=\"\(number(Double(margin) + Double(column) * advance))\""
                spans += " textLength=\"\(number(Double(width) * advance))\""
                spans += classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
                spans += ">\(escaped(String(piece)))</tspan>"
                column += width
            }
        }
        return spans
    }

    /// Parts of a text, each with the gap between two columns that is after it.
    private static func pieces(_ text: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = text[...]
        while let gap = rest.firstRange(of: /\ {2,}/), gap.upperBound < rest.endIndex {
            pieces.append(rest[..<gap.upperBound])
            rest = rest[gap.upperBound...]
        }
        return pieces + [rest]
    }

    /// With one decimal at most.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func hex(_ rgb: UInt32) -> String {
        let digits = String(rgb, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
