import Answer
import MeterModel

/// Answers of which every part may be anybody's text.
extension SeededGenerator {
    private static let pieces = [
        "\u{1B}[31m", "\u{9B}2J", "|", "\\|", "\\", "||", "<script>alert(1)</script>", "</td></tr></table>", "<!--",
        "-->",
        "]]>", "&amp;", "&#x3c;", "\"", "'", "`", "``", "*", "**", "_", "~~", "# ", "#1", "- ", "+ ", "1. ", "2) ",
        "    ",
        "===", "> ", "$a$", "[a](b)", "![", "https://evil.example/", "www.evil.example", "@someone", "\n", "\r\n", "\t",
        "\u{0}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{E000}", "\u{E002}", "\u{200B}", "机架电源", "한글", "ｱ", "👩‍👩‍👧‍👦", "🇷🇴",
        "e\u{301}", "*\u{301}", "|\u{338}", "`\u{301}", "<\u{338}", "&\u{301}", "עברית", "", " ", "  ", "word",
        "two words",
        "a-long-word/with:places.to-break-it-at", "along0123456789wordwithoutanyplacetobreakitat",
        "2026-11-21T12:00:00.000Z",
    ]

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

    mutating func text() -> String {
        (0..<Int.random(in: 0...6, using: &self)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }.joined()
    }

    /// - Parameter hasCode: whether a part may be what is never broken.
    mutating func inline(hasCode: Bool) -> Inline {
        (0..<Int.random(in: 1...3, using: &self)).reduce(Inline("")) { inline, _ in
            let styles: [Inline.Style] = [.plain, .plain, .strong, .faint, .tone(.error), .tone(.good)]
            let style = hasCode && chance(4) ? .code : styles.randomElement(using: &self) ?? .plain
            return inline + Inline(text(), style)
        }
    }

    mutating func cell() -> Block.Cell {
        let kinds: [Block.Cell.Kind] = [.text, .text, .code, .number, .moment, .remark]
        let kind = kinds.randomElement(using: &self) ?? .text
        // Several words of code are a command, which is never broken.
        let text = kind == .code ? text().replacing(" ", with: "") : text()
        return Block.Cell(text, kind, isMarked: chance(5))
    }

    mutating func table(hasHead: Bool) -> Block.Table {
        let columns = Int.random(in: 1...9, using: &self)
        var table = Block.Table(hasHead ? (0..<columns).map { _ in Block.Cell(text()) } : [])
        for _ in 0..<Int.random(in: 1...5, using: &self) {
            let count = chance(4) ? Int.random(in: 1...columns, using: &self) : columns
            table.add((0..<count).map { _ in cell() })
        }
        return table
    }

    mutating func chart() -> Block.BarChart {
        let kinds = (0..<Int.random(in: 1...8, using: &self)).map { _ in text() }
        return Block.BarChart(
            text(), axis: text(), kinds: kinds,
            bars: (0..<Int.random(in: 0...40, using: &self)).map { _ in
                Block.BarChart.Bar(text(), kinds.map { _ in chance(3) ? 0 : Int.random(in: 0...900, using: &self) })
            })
    }

    mutating func merging() -> Block.Merging {
        let count = Int.random(in: 1...4, using: &self)
        var merging = Block.Merging((0..<count).map { Block.Merging.Source(text(), isKept: $0 == 0) })
        for _ in 0..<Int.random(in: 0...4, using: &self) {
            var property = Block.Merging.Property(text(), (0..<count).map { _ in cell() })
            if chance(2) { property.taken = Int.random(in: 0..<count, using: &self) }
            if chance(3) { property.lost = [Int.random(in: 0..<count, using: &self)] }
            if chance(2) {
                property.becomes = cell()
                property.reason = text()
            }
            property.isMinor = chance(3)
            merging.add(property)
        }
        return merging
    }

    mutating func block(depth: Int, hasCode: Bool) -> Block {
        switch Int.random(in: 0..<(depth > 0 ? 14 : 11), using: &self) {
        case 0: .paragraph(inline(hasCode: hasCode))
        case 1: .prose(inline(hasCode: hasCode))
        case 2:
            .list(
                (0..<Int.random(in: 0...4, using: &self)).map { _ in inline(hasCode: hasCode) },
                marker: [.none, .dash, .arrow, .number].randomElement(using: &self) ?? .none)
        case 3, 4: .table(table(hasHead: chance(2)))
        case 5:
            .pairs(
                (0..<Int.random(in: 1...3, using: &self)).map { index in
                    var pair = Block.Pair(chance(3) ? "a long key, number \(index)" : "key \(index)")
                    pair.values = (0..<Int.random(in: 1...2, using: &self)).map { _ in inline(hasCode: hasCode) }
                    return pair
                })
        case 6: hasCode ? .code((0..<2).map { _ in text() }) : .remark(inline(hasCode: false))
        case 7: .note(.warning, inline(hasCode: hasCode))
        case 8: .heading(inline(hasCode: hasCode))
        case 9: .chart(chart())
        case 10: .merging(merging())
        case 11: .section(inline(hasCode: hasCode), blocks(depth: depth - 1, hasCode: hasCode))
        case 12: .group(blocks(depth: depth - 1, hasCode: hasCode))
        default:
            { (blocks: [Block]) in .deferred { blocks } }(blocks(depth: depth - 1, hasCode: hasCode))
        }
    }

    mutating func blocks(depth: Int, hasCode: Bool) -> [Block] {
        (0..<Int.random(in: 1...5, using: &self)).map { _ in block(depth: depth, hasCode: hasCode) }
    }
}
