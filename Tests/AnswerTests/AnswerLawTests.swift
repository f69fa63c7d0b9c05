import MeterModel
import MeterTestSupport
import Testing
import Texts

@testable import Answer

@Suite("laws of what is rendered, whatever is in it")
struct AnswerLawTests {
    private static func text(_ blocks: [Block], width: Int? = nil, isColored: Bool = false) -> String {
        Medium.terminal(width: width, isColored: isColored).page(blocks, title: "")
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("no line is longer than the terminal is wide, unless it has code, which is not broken")
    func width() {
        for seed in LawSeeds.first(300) {
            var random = SeededGenerator(seed: seed)
            let blocks = random.blocks(depth: 2, hasCode: false)
            let width = Int.random(in: 40...130, using: &random)
            let long = Self.lines(Self.text(blocks, width: width)).first { DisplayWidth.of($0) > width }
            #expect(long == nil, "seed \(seed), \(width) columns")
        }
    }

    @Test("nothing is lost where lines are broken")
    func complete() {
        for seed in LawSeeds.first(300) {
            var random = SeededGenerator(seed: seed)
            var blocks = random.blocks(depth: 0, hasCode: true)
            // Where a row becomes a list, it repeats what is in the head.
            blocks = blocks.map { block in
                switch block {
                case .heading, .section, .group, .paragraph, .prose, .list, .pairs, .code, .note, .remark:
                    block
                default: .table(random.table(hasHead: false))
                }
            }
            func scalars(_ width: Int?) -> [Unicode.Scalar] {
                Self.text(blocks, width: width).unicodeScalars.filter { $0 != " " && $0 != "\n" }.sorted()
            }
            let isWhole = scalars(Int.random(in: 20...130, using: &random)) == scalars(nil)
            #expect(isWhole, "seed \(seed)")
        }
    }

    @Test("a terminal gets no control character but line feeds, and with colours only those of the colours")
    func control() {
        for seed in LawSeeds.first(200) {
            var random = SeededGenerator(seed: seed)
            let blocks = random.blocks(depth: 2, hasCode: true)
            let width = random.chance(2) ? Int.random(in: 20...130, using: &random) : nil
            let plain = Self.text(blocks, width: width)
            #expect(
                !plain.unicodeScalars.contains {
                    $0 != "\n"
                        && [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                        || $0.properties.isBidiControl
                }, "seed \(seed)")
            let colored = Self.text(blocks, width: width, isColored: true)
            // Where a coloured text ends in spaces, what ends the colour is after them.
            #expect(
                Self.lines(colored.replacing(/\u{1B}\[(?:0|1|2|32|33|36|1;31)m/, with: "")).map(\.withoutTrailingSpaces)
                    == Self.lines(plain).map(\.withoutTrailingSpaces), "seed \(seed)")
        }
    }

    @Test("an HTML page is balanced, has only tags of ours, and has every text as text")
    func html() throws {
        let known: Set = [
            "html", "head", "meta", "title", "style", "body", "main", "header", "article", "section", "div", "h1", "h2",
            "h3", "h4", "h5", "h6", "p", "b", "bdi", "span", "code", "pre", "ul", "ol", "li", "dl", "dt", "dd", "table",
            "thead", "tbody", "tr", "th", "td", "mark", "figure", "figcaption", "svg", "path", "line", "text",
            "details", "summary", "nav", "a",
        ]
        for seed in LawSeeds.first(200) {
            var random = SeededGenerator(seed: seed)
            let blocks = random.blocks(depth: 2, hasCode: true)
            let name = random.text()
            let page = Medium.html.page(blocks + [.paragraph(Inline(name))], title: random.text())
            var reader = XMLReader(Array(page.utf8))
            var open: [String] = []
            var last = ""
            while let token = try reader.next() {
                switch token {
                case .start(let tag):
                    #expect(known.contains(tag.name), "seed \(seed)")
                    if tag.name == "p" { last = "" }
                    if !tag.isEmpty { open.append(tag.name) }
                case .end(let name, _): #expect(open.popLast() == name, "seed \(seed)")
                case .text(let text): if open.last == "p" { last = text.value }
                }
            }
            #expect(open.isEmpty, "seed \(seed)")
            #expect(last == Escaped.text(name), "seed \(seed)")
        }
    }

    @Test("each line of a table in Markdown has as many cells as its head")
    func markdownTables() {
        for seed in LawSeeds.first(200) {
            var random = SeededGenerator(seed: seed)
            let table = random.table(hasHead: random.chance(2))
            let lines = Self.lines(Medium.markdown.page([.table(table)], title: "")).dropLast()
            #expect(lines.count == table.rows.count + 2, "seed \(seed)")
            let counts = Set(lines.map(Self.bars)).count
            #expect(counts == 1, "seed \(seed)")
            #expect(lines.allSatisfy { $0.hasPrefix("|") && $0.hasSuffix("|") }, "seed \(seed)")
        }
    }

    /// The bars that are not escaped. GitHub looks for them before it looks for code.
    private static func bars(_ line: Substring) -> Int {
        var count = 0
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if !isEscaped && scalar == "|" { count += 1 }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return count
    }

    @Test("a paragraph in Markdown is text and nothing else, and read as Markdown it is the text that it was")
    func markdownText() {
        for seed in LawSeeds.first(300) {
            var random = SeededGenerator(seed: seed)
            let name = random.text()
            let line = Self.lines(Medium.markdown.page([.paragraph(Inline(name))], title: ""))[0]
            let unescaped = line.replacing(Self.reference) { _ in "" }
            #expect(
                !unescaped.unicodeScalars.contains { "\\`*_[]<>|~#@$&".unicodeScalars.contains($0) }, "seed \(seed)")
            #expect(!unescaped.contains("://") && !unescaped.lowercased().contains("www."), "seed \(seed)")
            #expect(line.firstMatch(of: /^(?: |[-+=]|\d+[.)])/) == nil, "seed \(seed)")
            #expect(Array(Self.read(line).utf8) == Array(Escaped.text(name).utf8), "seed \(seed)")
        }
    }

    /// An escaped character, or one by its name or number. An accent may follow, which is a scalar of its own.
    private static var reference: Regex<(Substring, Substring?, Substring?)> {
        /\\([!-\/:-@\[-`{-~])|&(#\d+|[a-z]+);/.matchingSemantics(.unicodeScalar)
    }

    /// A line of Markdown without its escapes.
    private static func read(_ line: Substring) -> String {
        String(
            line.replacing(reference) { match in
                if let character = match.1 { return String(character) }
                switch match.2 {
                case "lt"?: return "<"
                case "gt"?: return ">"
                case "amp"?: return "&"
                case let number?: return UInt32(number.dropFirst()).flatMap(Unicode.Scalar.init).map(String.init) ?? "?"
                case nil: return "?"
                }
            })
    }
}

extension Substring {
    fileprivate var withoutTrailingSpaces: Substring {
        var text = self
        while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
        return text
    }
}
