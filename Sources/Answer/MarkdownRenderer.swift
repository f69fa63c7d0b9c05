/// Blocks as Markdown, in the dialect of GitHub, for a ticket.
struct MarkdownRenderer {
    private var hasBlocks = false
    private var headings = Headings(top: 2)

    mutating func write(_ blocks: [Block], to sink: (String) -> Void) {
        for block in blocks { write(block, depth: 0, to: sink) }
    }

    private mutating func write(_ block: Block, depth: Int, to sink: (String) -> Void) {
        switch block {
        case .deferred(let made): for block in made() { write(block, depth: depth, to: sink) }
        case .group(let blocks): for block in blocks { write(block, depth: depth, to: sink) }
        case .heading(let text): write(text, level: headings.next(), to: sink)
        case .section(let heading, let blocks):
            write(heading, level: headings.level(ofSection: depth), to: sink)
            for block in blocks { write(block, depth: depth + 1, to: sink) }
        case .paragraph(let text), .prose(let text), .remark(let text): begin(with: MarkdownText.block(text), to: sink)
        case .note(let tone, let text):
            begin(with: "> **\(tone.rawValue):** " + MarkdownText.inline(text), to: sink)
        case .list(let items, let marker):
            guard !items.isEmpty else { return }
            separate(to: sink)
            for (index, item) in items.enumerated() {
                let sign = if marker == .number { "\(index + 1)." } else { "-" }
                sink("\(sign) \(MarkdownText.block(item))\n")
            }
        case .table(let table): write(table, to: sink)
        case .pairs(let pairs): write(pairs, to: sink)
        case .chart(let chart):
            guard !chart.bars.isEmpty else { return }
            begin(with: MarkdownText.block(Inline(chart.title)), to: sink)
            write(chart.table, to: sink)
        case .merging(let merging): write(merging.table, to: sink)
        case .code(let lines): write(lines, to: sink)
        }
    }

    private mutating func separate(to sink: (String) -> Void) {
        if hasBlocks { sink("\n") }
        hasBlocks = true
    }

    private mutating func begin(with line: String, to sink: (String) -> Void) {
        separate(to: sink)
        sink(line + "\n")
    }

    private mutating func write(_ heading: Inline, level: Int, to sink: (String) -> Void) {
        begin(with: String(repeating: "#", count: level) + " " + MarkdownText.heading(heading), to: sink)
    }

    private mutating func write(_ table: Block.Table, to sink: (String) -> Void) {
        let columns = table.columns
        guard columns > 0 else { return }
        separate(to: sink)
        func row(_ cells: [Block.Cell]) -> String {
            let missing = Array(repeating: "", count: columns - cells.count)
            return "| " + (cells.map(MarkdownText.cell) + missing).joined(separator: " | ") + " |\n"
        }
        sink(row(table.head))
        var rule = "|"
        for column in 0..<columns {
            let isNumber = table.rows.contains { column < $0.count && $0[column].kind == .number }
            rule += isNumber ? "---:|" : "---|"
        }
        sink(rule + "\n")
        for cells in table.rows { sink(row(cells)) }
    }

    private mutating func write(_ pairs: [Block.Pair], to sink: (String) -> Void) {
        guard !pairs.isEmpty else { return }
        begin(with: "|  |  |\n|---|---|", to: sink)
        for pair in pairs {
            for (index, value) in pair.values.enumerated() {
                sink(
                    "| \(index == 0 ? MarkdownText.escaped(pair.key) : "") | \(MarkdownText.inline(value, isCell: true)) |\n"
                )
            }
        }
    }

    private mutating func write(_ code: [String], to sink: (String) -> Void) {
        let lines = code.map(Escaped.text)
        let fence = String(repeating: "`", count: max(3, 1 + MarkdownText.longestFence(in: lines)))
        begin(with: fence, to: sink)
        for line in lines { sink(line + "\n") }
        sink(fence + "\n")
    }
}
