/// Columns of text, aligned.
struct TextTable {
    private struct Row {
        var cells: [String]
        /// The columns of the cells that are marked.
        var marked: Set<Int>
    }

    /// What stands behind a marked cell, where colour alone would not be seen.
    private static let mark = "*"

    private var rows: [Row] = []
    /// Whether the first row says what is in the columns.
    private let hasHead: Bool
    /// Cells are cut to this many characters.
    private let widest: Int

    init(widest: Int = .max, hasHead: Bool = false) {
        self.widest = widest
        self.hasHead = hasHead
    }

    /// - Parameters:
    ///   - marked: the columns of cells to be marked.
    ///   - remark: a last cell that is never cut.
    mutating func add(_ cells: [String], marked: Set<Int> = [], remark: String? = nil) {
        let cut = cells.map { $0.count > widest ? $0.prefix(widest - 1) + "…" : $0 }
        rows.append(Row(cells: cut + (remark.map { [$0] } ?? []), marked: marked))
    }

    /// The rows, indented, with two spaces between columns and none at the end; in Markdown a table.
    func lines(indent: String, _ style: Style) -> [String] {
        style.form == .markdown ? markdown(style) : aligned(indent: indent, style)
    }

    private func markdown(_ style: Style) -> [String] {
        let columns = rows.map(\.cells.count).max() ?? 0
        let filled = rows.map { row in
            (0..<columns).map { column in
                guard column < row.cells.count else { return "" }
                return row.marked.contains(column) ? style.good(row.cells[column]) : row.cells[column]
            }
        }
        let head = hasHead ? filled.prefix(1) : [Array(repeating: "", count: columns)]
        return head.map(MarkdownText.row) + [MarkdownText.rule(columns: columns)]
            + filled.dropFirst(hasHead ? 1 : 0).map(MarkdownText.row)
    }

    private func aligned(indent: String, _ style: Style) -> [String] {
        let shown = rows.map { row in
            row.cells.enumerated().map { row.marked.contains($0) ? "\($1) \(Self.mark)" : $1 }
        }
        var widths: [Int] = []
        for cells in shown {
            for (column, cell) in cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return zip(rows, shown).map { row, cells in
            var line = indent
            for (column, cell) in cells.enumerated() {
                line += row.marked.contains(column) ? style.good(cell) : cell
                if column < cells.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
