/// Columns of text, aligned.
struct TextTable {
    private var rows: [[String]] = []
    /// Whether the first row says what is in the columns.
    private let hasHead: Bool
    /// Cells are cut to this many characters.
    private let widest: Int

    init(widest: Int = .max, hasHead: Bool = false) {
        self.widest = widest
        self.hasHead = hasHead
    }

    /// - Parameter remark: a last cell that is never cut.
    mutating func add(_ cells: [String], remark: String? = nil) {
        rows.append(cells.map { $0.count > widest ? $0.prefix(widest - 1) + "…" : $0 } + (remark.map { [$0] } ?? []))
    }

    /// The rows, indented, with two spaces between columns and none at the end; in Markdown a table.
    func lines(indent: String, _ style: Style) -> [String] {
        style.form == .markdown ? markdown : aligned(indent: indent)
    }

    private var markdown: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let filled = rows.map { $0 + Array(repeating: "", count: columns - $0.count) }
        let head = hasHead ? filled.prefix(1) : [Array(repeating: "", count: columns)]
        return head.map(MarkdownText.row) + [MarkdownText.rule(columns: columns)]
            + filled.dropFirst(hasHead ? 1 : 0).map(MarkdownText.row)
    }

    private func aligned(indent: String) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = indent
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - cell.count + 2)
                }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
