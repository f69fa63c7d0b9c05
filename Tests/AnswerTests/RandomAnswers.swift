import Answer
import MeterTestSupport

/// Answers of which every part may be anybody's text.
extension SeededGenerator {
    private static let pieces = [
        "\u{1B}[31m", "\u{9B}2J", "|", "\\|", "\\", "||", "<script>alert(1)</script>", "</td></tr></table>", "<!--",
        "-->", "]]>", "&amp;", "&#x3c;", "\"", "'", "`", "``", "*", "**", "_", "~~", "# ", "#1", "- ", "+ ", "1. ",
        "2) ", "    ", "===", "> ", "$a$", "[a](b)", "![", "https://evil.example/", "www.evil.example", "@someone",
        "\n", "\r\n", "\t", "\u{0}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{E000}", "\u{E002}", "\u{200B}", "机架电源",
        "한글", "ｱ", "👩‍👩‍👧‍👦", "🇷🇴", "e\u{301}", "*\u{301}", "|\u{338}", "`\u{301}", "<\u{338}", "&\u{301}", "עברית", "", " ",
        "  ", "word", "two words", "a-long-word/with:places.to-break-it-at",
        "along0123456789wordwithoutanyplacetobreakitat", "2026-11-21T12:00:00.000Z",
    ]

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

    mutating func text() -> String {
        (0..<Int.random(in: 0...6, using: &self)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }.joined()
    }

    /// - Parameter hasCode: whether a part may be what is never broken.
    mutating func inline(hasCode: Bool) -> Inline {
        (0..<Int.random(in: 1...3, using: &self)).reduce(Inline("")) { inline, _ in
            let styles: [Inline.Style] = [.plain, .plain, .strong, .faint, .customer, .tone(.error), .tone(.good)]
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
        let head = hasHead ? (0..<columns).map { _ in Block.Cell(text()) } : []
        let isStacked = chance(2)
        let rows = (0..<Int.random(in: 1...5, using: &self)).map { _ in
            let count = chance(4) ? Int.random(in: 1...columns, using: &self) : columns
            return (0..<count).map { _ in cell() }
        }
        return Block.Table(head, isStacked: isStacked, rows: rows)
    }

    private mutating func parts(_ hasCode: Bool) -> [Inline] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in inline(hasCode: hasCode) }
    }

    private mutating func share() -> Double { Double.random(in: -0.2...1.2, using: &self) }

    mutating func towers() -> Block {
        func group() -> Block.Towers {
            let caption = text()
            let count = Int.random(in: 0...30, using: &self)
            return .init(caption: caption, heights: (0..<count).map { _ in Int.random(in: 0...9, using: &self) })
        }
        return .towers(group(), after: group(), text: text())
    }

    mutating func flow() -> Block {
        let states: [Block.Passage] = [.works, .stopped, .waits, .unknown]
        func way() -> Block.Way {
            .init(states.randomElement(using: &self) ?? .works, text(), inline(hasCode: false))
        }
        let count = Int.random(in: 1...4, using: &self)
        return .flow(
            (0..<count).map { _ in .init(.cloud, text(), parts(false)) },
            hops: (1..<count).map { _ in .init(there: way(), back: chance(2) ? way() : nil) })
    }

    mutating func lanes() -> Block.Lanes {
        let authors: [Block.LaneAuthor] = [.app, .cloud, .meterfix, .other, .device]
        let lanes = (0..<Int.random(in: 0...5, using: &self)).map { _ -> Block.Lane in
            let marks = (0..<Int.random(in: 0...4, using: &self)).map { _ in
                Block.Mark(place: share(), count: Int.random(in: 1...900, using: &self), label: text())
            }
            return .init(
                author: authors.randomElement(using: &self) ?? .app, name: inline(hasCode: false), remark: text(),
                marks: marks, span: chance(3) ? 0.2...0.7 : nil)
        }
        return .init(
            title: text(), lanes: lanes,
            events: parts(false).map { .init(place: share(), date: text(), text: $0, isAlarming: chance(2)) },
            axis: (0..<3).map { _ in (share(), text()) })
    }

    /// One of the blocks of a page.
    mutating func pageBlock(depth: Int, hasCode: Bool) -> Block {
        func inside() -> [Block] { depth > 0 ? blocks(depth: depth - 1, hasCode: hasCode) : [] }
        let line = inline(hasCode: hasCode)
        switch Int.random(in: 0..<13, using: &self) {
        case 0:
            return .verdict(
                .init(
                    tone: .warning, word: text(), title: line, lead: inline(hasCode: hasCode), isUrgent: chance(2)))
        case 1:
            return .opening([.init(.letter, line, icon: .letter, inside()), .init(.aside, line, place: .safety, [])])
        case 2: return .card(.init(chance(2) ? .request : .plain, line, inside()))
        case 3:
            let (blocks, details, isOpen) = (inside(), parts(hasCode), chance(2))
            let state: Block.Part.State? = chance(2) ? .init(.check, .good, text()) : nil
            return .part(.init(line, details: details, state: state, isOpen: isOpen, blocks))
        case 4:
            return .questions(
                parts(hasCode).map {
                    .init(text: $0, answers: [.init(label: text(), text: line), .init(label: text(), text: line)])
                })
        case 5: return .steps(parts(hasCode).map { .init(chance(2) ? .now : .later, $0, line) })
        case 6: return .points(parts(hasCode).map { .init(.eye, .good, $0, line) })
        case 7: return .figures([Block.Pair(text(), line)])
        case 8: return towers()
        case 9: return flow()
        case 10: return .lanes(lanes())
        case 11: return .contents([.init(.letter, text(), 3), .init(.cloud, text())])
        default: return .place(.history, .section(line, inside()))
        }
    }

    mutating func merging() -> Block.Merging {
        let count = Int.random(in: 1...4, using: &self)
        var merging = Block.Merging((0..<count).map { .init(text(), isKept: $0 == 0) })
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
                    Block.Pair(
                        chance(3) ? "a long key, number \(index)" : "key \(index)",
                        (0..<Int.random(in: 1...2, using: &self)).map { _ in inline(hasCode: hasCode) })
                })
        case 6: hasCode ? .code((0..<2).map { _ in text() }) : .remark(inline(hasCode: false))
        case 7: .note(.warning, inline(hasCode: hasCode))
        case 8: .heading(inline(hasCode: hasCode))
        case 9: pageBlock(depth: depth, hasCode: hasCode)
        case 10: .merging(merging())
        case 11: .section(inline(hasCode: hasCode), blocks(depth: depth - 1, hasCode: hasCode))
        default: .group(blocks(depth: depth - 1, hasCode: hasCode))
        }
    }

    mutating func blocks(depth: Int, hasCode: Bool) -> [Block] {
        (0..<Int.random(in: 1...5, using: &self)).map { _ in block(depth: depth, hasCode: hasCode) }
    }
}
