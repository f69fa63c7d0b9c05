/// A table in aligned columns, with two spaces between them. Where lines have an end, cells wrap; where even that is too
/// wide, each row becomes a list of its cells.
struct TerminalTable {
    private let table: Block.Table
    private let indent: Int
    private let limit: Int?
    private let style: TerminalStyle
    /// Behind a marked cell, for colour alone would not be seen by everyone.
    private static let mark = " *"
    private static let gap = 2
    private static let space = String(repeating: " ", count: gap)
    /// A cell that wraps is cut later than one that does not.
    private static let wrappedLines = 10

    /// - Parameters:
    ///   - indent: columns before each line.
    ///   - limit: columns of a line, the indent included; nil where it has no end.
    init(_ table: Block.Table, indent: Int, limit: Int?, style: TerminalStyle) {
        self.table = table
        self.indent = indent
        self.limit = limit
        self.style = style
    }

    func write(to sink: (String) -> Void) {
        let natural = widths { text, _ in DisplayWidth.of(text) }
        guard let limit else { return rows { writeRow($0, $1, natural, to: sink) } }
        let available = limit - indent - Self.gap * max(0, natural.count - 1)
        // What says least goes first.
        if natural.reduce(0, +) > available, let smaller = table.withoutEmptyColumns ?? table.withShorterCells {
            return TerminalTable(smaller, indent: indent, limit: limit, style: style).write(to: sink)
        }
        let widths = Self.fitting(
            natural: natural, whole: widths { WrappedText.leastWidth(of: $0, breaksWords: !Self.isWhole($1)) },
            least: widths { text, _ in WrappedText.leastWidth(of: text, breaksWords: true) },
            unbroken: widths { text, kind in unbroken(text, kind) }, available: available)
        guard let widths, !hasTallRow(widths) else { return table.rows.forEach { writeList($0, limit, to: sink) } }
        if widths == natural {
            rows { writeRow($0, $1, natural, to: sink) }
        } else {
            rows { writeWrapped($0, $1, widths, to: sink) }
        }
    }

    /// A row of more lines is easier to read as a list.
    private static let mostLines = 4

    private func hasTallRow(_ widths: [Int]) -> Bool {
        table.rows.contains { zip($0, widths).contains { lines($0, width: $1).count > Self.mostLines } }
    }

    /// Whether its words are easier to read, and to look for, on one line.
    private static func isWhole(_ kind: Block.Cell.Kind) -> Bool {
        switch kind {
        case .code, .number, .moment: true
        case .text, .remark: false
        }
    }

    /// A machine's word up to this length is never broken.
    private static let shortWord = 24

    /// The columns of what is never broken: a command, an address, a time, a short word of a machine.
    private func unbroken(_ text: String, _ kind: Block.Cell.Kind) -> Int {
        switch kind {
        case .code: if text.contains(" ") || DisplayWidth.of(text) <= Self.shortWord { return DisplayWidth.of(text) }
        case .moment: if DisplayWidth.of(text) <= Self.shortWord { return DisplayWidth.of(text) }
        case .text, .number, .remark: break
        }
        return text.split(separator: " ").filter(WrappedText.hasAddress).map { DisplayWidth.of($0) }.max() ?? 0
    }

    /// The head, and every row.
    private func rows(_ body: (_ cells: [Block.Cell], _ style: Inline.Style) -> Void) {
        if !table.head.isEmpty { body(table.head, .strong) }
        for row in table.rows { body(row, .plain) }
    }

    /// The largest measure of each column.
    private func widths(_ measure: (String, Block.Cell.Kind) -> Int) -> [Int] {
        var widths: [Int] = []
        rows { cells, _ in
            for (column, cell) in cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], measure(text(cell), cell.kind) + mark(cell).utf8.count)
            }
        }
        return widths
    }

    private func text(_ cell: Block.Cell) -> String {
        let text = Escaped.text(cell.text)
        guard table.widest < .max && cell.kind != .remark else { return text }
        return DisplayWidth.cut(text, to: limit == nil ? table.widest : table.widest * Self.wrappedLines)
    }

    private func mark(_ cell: Block.Cell) -> String { cell.isMarked ? Self.mark : "" }

    private func writeRow(_ cells: [Block.Cell], _ base: Inline.Style, _ widths: [Int], to sink: (String) -> Void) {
        var line = String(repeating: " ", count: indent)
        for (column, cell) in cells.enumerated() {
            let isLast = column == cells.count - 1
            append(text(cell) + mark(cell), cell, base, isLast: isLast, widths[column], to: &line)
        }
        sink(line.withoutSpacesAtItsEnd + "\n")
    }

    /// A cell's text or a part of it, and the spaces beside it.
    private func append(
        _ text: String, _ cell: Block.Cell, _ base: Inline.Style, isLast: Bool, _ width: Int, to line: inout String
    ) {
        let shown = style.text(text, cell.isMarked ? .tone(.good) : cell.isFaint ? .faint : base)
        // Nothing is beside the last cell.
        guard !isLast || cell.kind == .number else {
            line += shown
            return
        }
        let spaces = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        line += cell.kind == .number ? spaces + shown : shown + spaces
        if !isLast { line += Self.space }
    }

    private func writeWrapped(_ cells: [Block.Cell], _ base: Inline.Style, _ widths: [Int], to sink: (String) -> Void) {
        let columns = zip(cells, widths).map { lines($0, width: $1).map { $0.map(\.text).joined() } }
        for index in 0..<(columns.map(\.count).max() ?? 0) {
            var line = String(repeating: " ", count: indent)
            let last = columns.lastIndex { index < $0.count } ?? 0
            for column in 0...last {
                let text = index < columns[column].count ? columns[column][index] : ""
                append(text, cells[column], base, isLast: column == last, widths[column], to: &line)
            }
            sink(line.withoutSpacesAtItsEnd + "\n")
        }
    }

    private func lines(_ cell: Block.Cell, width: Int) -> [[Inline.Run]] {
        WrappedText.lines(of: runs(cell), width: width)
    }

    private func runs(_ cell: Block.Cell, after name: String = "") -> [Inline.Run] {
        let text = text(cell)
        let isCommand = cell.kind == .code && text.contains(" ")
        let style: Inline.Style =
            cell.isMarked ? .tone(.good) : cell.isFaint ? .faint : isCommand ? .code : .plain
        let runs = [
            Inline.Run(text: name, style: .strong), Inline.Run(text: text, style: style),
            // It stays with the word before it.
            Inline.Run(text: mark(cell), style: .code),
        ]
        return runs.filter { !$0.text.isEmpty }
    }

    /// A row as a list: the first cell, and under it the others that say something, each behind what its column is called.
    private func writeList(_ cells: [Block.Cell], _ limit: Int, to sink: (String) -> Void) {
        let parts = cells.enumerated().map { column, cell -> [Inline.Run] in
            guard !cell.isDash || cell.isMarked || column == 0 else { return [] }
            // A mark in the first head explains those in the rows.
            let isNamed = column < table.head.count && !(column == 0 && table.head[column].isMarked)
            let head = isNamed ? Escaped.text(table.head[column].text) : ""
            return runs(cell, after: head.isEmpty ? "" : head + ": ")
        }
        let others = parts.dropFirst().filter { !$0.isEmpty }.joined(
            separator: [Inline.Run(text: Self.space, style: .plain)])
        for (margin, runs) in [(indent, parts.first ?? []), (indent + Self.gap, Array(others))] where !runs.isEmpty {
            for (index, line) in WrappedText.lines(of: runs, width: limit - margin - Self.gap).enumerated() {
                let start = String(repeating: " ", count: margin + (index == 0 ? 0 : Self.gap))
                sink((start + style.text(line)).withoutSpacesAtItsEnd + "\n")
            }
        }
    }
}

extension Block.Table {
    /// Nil where each column has something in it.
    fileprivate var withoutEmptyColumns: Block.Table? {
        let isEmpty = (0..<columns).map { column in
            !rows.isEmpty
                && rows.allSatisfy { column >= $0.count || ($0[column].isDash && !$0[column].isMarked) }
        }
        guard isEmpty.contains(true) else { return nil }
        func kept(_ cells: [Block.Cell]) -> [Block.Cell] { zip(cells, isEmpty).filter { !$0.1 }.map(\.0) }
        return Block.Table(kept(head), widest: widest, rows: rows.map(kept))
    }

    /// Nil where no cell can be shorter.
    fileprivate var withShorterCells: Block.Table? {
        guard rows.contains(where: { $0.contains { $0.shorter != nil } }) else { return nil }
        return Block.Table(head, widest: widest, rows: rows.map { $0.map(\.shortened) })
    }
}

extension String {
    var withoutSpacesAtItsEnd: String {
        guard utf8.last == 0x20 else { return self }
        return lastIndex { $0 != " " }.map { String(self[...$0]) } ?? ""
    }
}

/// How wide the columns are where lines have an end.
extension TerminalTable {
    /// A column that is broken in the middle of words is not narrower than this, unless all of its cells are.
    private static let narrowest = 8

    /// Takes from the widest columns first, and breaks words only where nothing else helps.
    /// - Parameters:
    ///   - natural: what each column needs for its longest cell.
    ///   - whole: what it needs so that nothing is broken that is easier to read as a whole.
    ///   - least: what it needs so that no word is broken where it has no separator.
    ///   - unbroken: what it needs so that nothing is broken that must not be.
    ///   - available: for all columns together, without what is between them.
    /// - Returns: nil where a table cannot be read any more at this width.
    static func fitting(
        natural: [Int], whole: @autoclosure () -> [Int], least: @autoclosure () -> [Int],
        unbroken: @autoclosure () -> [Int], available: Int
    ) -> [Int]? {
        if natural.reduce(0, +) <= available { return natural }
        let unbroken = unbroken()
        var widths = zip(least(), unbroken).map(max)
        var rest = available - widths.reduce(0, +)
        guard rest >= 0 else {
            let narrow = zip(natural, unbroken).map { max(min($0, narrowest), $1) }
            guard narrow.reduce(0, +) <= available else { return nil }
            return between(narrow, zip(widths, narrow).map(max), available)
        }
        let whole = whole()
        for column in whole.indices.sorted(by: { (whole[$0], $0) < (whole[$1], $1) }) {
            let more = whole[column] - widths[column]
            guard more > 0, more <= rest else { continue }
            widths[column] += more
            rest -= more
        }
        return between(widths, natural, available)
    }

    /// As wide as possible: no column wider than one level, but for its least width, or than its greatest.
    private static func between(_ least: [Int], _ greatest: [Int], _ available: Int) -> [Int] {
        func widths(_ level: Int) -> [Int] { zip(least, greatest).map { max($0, min($1, level)) } }
        var (low, high) = (0, greatest.max() ?? 0)
        while low < high {
            let middle = (low + high + 1) / 2
            if widths(middle).reduce(0, +) <= available { low = middle } else { high = middle - 1 }
        }
        return widths(low)
    }
}
