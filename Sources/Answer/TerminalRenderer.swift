/// Blocks as lines for a terminal, or for a file of text.
struct TerminalRenderer {
    /// Columns of a line; nil where it has no end.
    let width: Int?
    let style: TerminalStyle
    /// Columns of a line that is read from beginning to end, on a terminal that has more.
    private static let proseWidth = 80
    private static let step = 2
    /// Narrower than this nothing can be read.
    private static let narrowest = 20

    private var hasLines = false
    /// Whether the next block stands apart from what was written last.
    private var isApart = false

    init(width: Int?, isColored: Bool) {
        self.width = width.map { max($0, Self.narrowest) }
        style = TerminalStyle(isColored: isColored)
    }

    mutating func write(_ blocks: [Block], to sink: (String) -> Void) {
        for block in blocks { write(block, to: sink) }
    }

    /// A block that is in no section.
    private mutating func write(_ block: Block, to sink: (String) -> Void) {
        switch block {
        case .group(let blocks):
            guard !blocks.isEmpty else { return }
            isApart = true
            write(blocks, to: sink)
            isApart = true
        case .heading:
            isApart = true
            writeLines(of: block, at: 0, to: sink)
        case .section, .prose:
            isApart = true
            writeLines(of: block, at: 0, to: sink)
            isApart = true
        case .paragraph, .note: writeLines(of: block, at: 0, to: sink)
        case .verdict, .opening, .card, .part, .questions, .steps, .points, .figures, .towers, .flow, .lanes, .contents,
            .place:
            write(block.inWords, to: sink)
        case .list(let items, _) where items.isEmpty: break
        // These belong to the line above them, if there is one.
        case .list, .table, .pairs, .merging, .code, .remark:
            writeLines(of: block, at: hasLines ? Self.step : 0, to: sink)
        }
    }

    private mutating func writeLines(of block: Block, at indent: Int, to sink: (String) -> Void) {
        if isApart && hasLines { sink("\n") }
        isApart = false
        hasLines = true
        writeBlock(block, at: indent, to: sink)
    }

    private func writeBlock(_ block: Block, at indent: Int, to sink: (String) -> Void) {
        switch block {
        case .heading(let text): writeText(Self.strong(text), at: indent, to: sink)
        case .section(let heading, let blocks):
            writeText(Self.strong(heading), at: indent, to: sink)
            for block in blocks { writeBlock(block, at: indent + Self.step, to: sink) }
        case .group(let blocks): for block in blocks { writeBlock(block, at: indent, to: sink) }
        case .paragraph(let text), .remark(let text): writeText(text, at: indent, to: sink)
        case .prose(let text):
            writeText(text, at: indent, hanging: 0, limit: width.map { min($0, Self.proseWidth) }, to: sink)
        case .note(let tone, let text): writeText(Inline(text.text, .tone(tone)), at: indent, to: sink)
        case .list(let items, let marker):
            for (index, item) in items.enumerated() {
                let sign = marker.text(at: index)
                writeText(
                    Inline(sign, marker == .arrow ? .faint : .plain) + item, at: indent,
                    hanging: sign.isEmpty ? Self.step : sign.count, limit: width, to: sink)
            }
        case .table(let table): TerminalTable(table, indent: indent, limit: width, style: style).write(to: sink)
        case .pairs(let pairs): write(pairs, at: indent, to: sink)
        case .merging(let merging): writeBlock(.table(merging.table), at: indent, to: sink)
        case .code(let lines):
            for line in lines { sink(String(repeating: " ", count: indent) + Escaped.text(line) + "\n") }
        case .verdict, .opening, .card, .part, .questions, .steps, .points, .figures, .towers, .flow, .lanes, .contents,
            .place:
            for block in block.inWords { writeBlock(block, at: indent, to: sink) }
        }
    }

    /// In a heading all is emphasised; what is so already in its own way.
    private static func strong(_ text: Inline) -> Inline {
        text.runs.reduce(Inline("")) {
            $0 + Inline($1.text, [.plain, .code, .customer].contains($1.style) ? .strong : $1.style)
        }
    }

    private func writeText(_ text: Inline, at indent: Int, to sink: (String) -> Void) {
        writeText(text, at: indent, hanging: Self.step, limit: width, to: sink)
    }

    /// - Parameters:
    ///   - hanging: by how much lines after the first are indented more.
    ///   - limit: columns of a line; nil where it has no end.
    private func writeText(_ text: Inline, at indent: Int, hanging: Int, limit: Int?, to sink: (String) -> Void) {
        let runs = Self.escaped(text)
        let margin = String(repeating: " ", count: indent)
        guard let limit, runs.reduce(indent, { $0 + DisplayWidth.of($1.text) }) > limit else {
            return sink(margin + style.text(runs) + "\n")
        }
        let more = String(repeating: " ", count: hanging)
        for (index, line) in WrappedText.lines(of: runs, width: limit - indent - hanging).enumerated() {
            sink(margin + (index == 0 ? "" : more) + style.text(line) + "\n")
        }
    }

    private func write(_ pairs: [Block.Pair], at indent: Int, to sink: (String) -> Void) {
        let keys = pairs.map { Escaped.text($0.key) }
        var column = indent + (keys.map { DisplayWidth.of($0) }.max() ?? 0) + 2
        // Where too little is left for the values, they are below the keys.
        if let width, width - column < min(column, width / 2) { column = indent + Self.step }
        let margin = String(repeating: " ", count: column)
        for (pair, key) in zip(pairs, keys) {
            var start = String(repeating: " ", count: indent) + key
            let space = column - indent - DisplayWidth.of(key)
            if space >= 2 {
                start += String(repeating: " ", count: space)
            } else {
                writeText(Inline(key), at: indent, to: sink)
                start = margin
            }
            for value in pair.values {
                let runs = Self.escaped(value)
                for line in width.map({ WrappedText.lines(of: runs, width: $0 - column) }) ?? [runs] {
                    sink((start + style.text(line)).withoutSpacesAtItsEnd + "\n")
                    start = margin
                }
            }
        }
    }

    private static func escaped(_ text: Inline) -> [Inline.Run] {
        text.runs.map { Inline.Run(text: Escaped.text($0.text), style: $0.style) }
    }
}

/// Emphasis on a terminal that has colours; on others nothing at all.
struct TerminalStyle: Sendable {
    let isColored: Bool

    func text(_ runs: [Inline.Run]) -> String { runs.map { text($0.text, $0.style) }.joined() }

    func text(_ text: String, _ style: Inline.Style) -> String {
        switch style {
        case .plain, .code, .customer: text
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
