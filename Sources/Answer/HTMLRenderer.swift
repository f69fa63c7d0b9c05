/// Blocks as a part of an HTML page, which is XML too.
struct HTMLRenderer {
    private var headings = Headings(top: 1)

    mutating func write(_ blocks: [Block], to sink: (String) -> Void) {
        sink("<article>\n")
        for block in blocks { write(block, depth: 0, to: sink) }
        sink("</article>\n")
    }

    private mutating func write(_ block: Block, depth: Int, to sink: (String) -> Void) {
        switch block {
        case .deferred(let made): for block in made() { write(block, depth: depth, to: sink) }
        case .group(let blocks):
            guard !blocks.isEmpty else { return }
            sink("<div class=\"group\">\n")
            for block in blocks { write(block, depth: depth, to: sink) }
            sink("</div>\n")
        case .heading(let text):
            let level = headings.next()
            sink("<h\(level)>\(Self.inline(text))</h\(level)>\n")
        case .section(let heading, let blocks):
            let level = headings.level(ofSection: depth)
            sink("<section>\n<h\(level)>\(Self.inline(heading))</h\(level)>\n")
            for block in blocks { write(block, depth: depth + 1, to: sink) }
            sink("</section>\n")
        case .paragraph(let text): sink("<p>\(Self.inline(text))</p>\n")
        case .prose(let text): sink("<p class=\"prose\">\(Self.inline(text))</p>\n")
        case .remark(let text): sink("<p class=\"remark\">\(Self.inline(text))</p>\n")
        case .note(let tone, let text):
            sink("<p class=\"banner \(tone.rawValue)\"><b>\(tone.rawValue):</b> \(Self.inline(text))</p>\n")
        case .list(let items, let marker): Self.write(items, marker, to: sink)
        case .table(let table): Self.write(table, to: sink)
        case .pairs(let pairs): Self.write(pairs, to: sink)
        case .chart(let chart): Self.write(chart, to: sink)
        case .merging(let merging): Self.write(merging, to: sink)
        case .code(let lines): sink("<pre>\(lines.map(Self.escaped).joined(separator: "\n"))</pre>\n")
        }
    }

    private static func write(_ items: [Inline], _ marker: Block.Marker, to sink: (String) -> Void) {
        guard !items.isEmpty else { return }
        let tag = if marker == .number { "ol" } else { "ul" }
        sink(marker == .arrow ? "<ul class=\"next\">\n" : "<\(tag)>\n")
        for item in items { sink("<li>\(inline(item))</li>\n") }
        sink("</\(tag)>\n")
    }

    static func write(_ table: Block.Table, to sink: (String) -> Void) {
        let columns = table.columns
        guard columns > 0 else { return }
        sink("<div class=\"table\"><table>\n")
        if !table.head.isEmpty { sink("<thead>\(row(table.head, isHead: true, columns))</thead>\n") }
        if !table.rows.isEmpty {
            sink("<tbody>\n")
            for cells in table.rows { sink(row(cells, isHead: false, columns) + "\n") }
            sink("</tbody>\n")
        }
        sink("</table></div>\n")
    }

    private static func row(_ cells: [Block.Cell], isHead: Bool, _ columns: Int) -> String {
        let (start, end) = isHead ? ("<th scope=\"col\"", "</th>") : ("<td", "</td>")
        var row = "<tr>"
        for cell in cells {
            let text = cell.isMarked ? "<mark>\(escaped(cell.text))</mark>" : escaped(cell.text)
            switch cell.kind {
            case .text: row += "\(start)>\(text)\(end)"
            case .code: row += "\(start)><code>\(text)</code>\(end)"
            case .number: row += "\(start) class=\"number\">\(text)\(end)"
            case .moment: row += "\(start) class=\"moment\">\(text)\(end)"
            case .remark: row += "\(start) class=\"remark\">\(text)\(end)"
            }
        }
        // A cell that is missing heads nothing.
        return row + String(repeating: "<td></td>", count: columns - cells.count) + "</tr>"
    }

    private static func write(_ pairs: [Block.Pair], to sink: (String) -> Void) {
        guard !pairs.isEmpty else { return }
        sink("<dl>\n")
        for pair in pairs {
            let values = pair.values.map { "<dd>\(inline($0))</dd>" }.joined()
            sink("<dt>\(escaped(pair.key))</dt>\(values)\n")
        }
        sink("</dl>\n")
    }

    private static func inline(_ text: Inline) -> String {
        text.runs.map { run in
            let shown = escaped(run.text)
            return switch run.style {
            case .plain: shown
            case .strong: "<b>\(shown)</b>"
            case .faint: "<span class=\"faint\">\(shown)</span>"
            case .code: "<code>\(shown)</code>"
            case .tone(let tone): "<span class=\"\(tone.rawValue)\">\(shown)</span>"
            }
        }.joined()
    }

    /// Text that is neither a tag nor a character reference.
    static func escaped(_ text: String) -> String {
        let shown = Escaped.text(text)
        guard shown.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return shown }
        var result = ""
        for scalar in shown.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
