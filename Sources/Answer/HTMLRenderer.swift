/// Blocks as a part of an HTML page, which is XML too.
struct HTMLRenderer {
    private(set) var headings = Headings(top: 1)
    /// Of the section that comes next.
    private var place: Block.Place?

    mutating func write(_ blocks: [Block], to sink: (String) -> Void) {
        let hasContents = blocks.contains { if case .contents = $0 { true } else { false } }
        sink(hasContents ? "<article class=\"paged\">\n" : "<article>\n")
        for block in blocks { write(block, depth: 0, to: sink) }
        sink("</article>\n")
    }

    /// As an attribute, once.
    private mutating func takePlace() -> String {
        defer { place = nil }
        return place.map { " id=\"\($0.rawValue)\"" } ?? ""
    }

    mutating func write(_ block: Block, depth: Int, to sink: (String) -> Void) {
        switch block {
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
            sink("<section\(takePlace())>\n<h\(level)>\(Self.inline(heading))</h\(level)>\n")
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
        case .merging(let merging): Self.write(merging, to: sink)
        case .code(let lines): sink("<pre>\(lines.map(Self.unbroken).joined(separator: "\n"))</pre>\n")
        case .verdict(let verdict): write(verdict, to: sink)
        case .opening(let cards): write(cards, depth: depth, to: sink)
        case .card(let card): write(card, depth: depth, to: sink)
        case .part(let part): write(part, depth: depth, to: sink)
        case .questions(let questions): Self.write(questions, to: sink)
        case .steps(let steps): Self.write(steps, to: sink)
        case .points(let points): Self.write(points, to: sink)
        case .figures(let figures): Self.write(figures: figures, to: sink)
        case .towers(let before, let after, let text): Self.write(before, after, text, to: sink)
        case .flow(let stations, let hops): Self.write(stations, hops, to: sink)
        case .lanes(let lanes): Self.write(lanes, to: sink)
        case .contents(let entries): Self.write(entries, to: sink)
        case .place(let place, let block):
            self.place = place
            write(block, depth: depth, to: sink)
        }
    }

    /// Nothing where there are no items.
    /// - Parameter name: the class of the element, in the style sheet.
    static func write<Item>(
        _ items: [Item], in tag: String, _ name: String? = nil, to sink: (String) -> Void, _ write: (Item) -> Void
    ) {
        guard !items.isEmpty else { return }
        sink("<\(tag)\(name.map { " class=\"\($0)\"" } ?? "")>\n")
        items.forEach(write)
        sink("</\(tag)>\n")
    }

    private static func write(_ items: [Inline], _ marker: Block.Marker, to sink: (String) -> Void) {
        write(items, in: marker == .number ? "ol" : "ul", marker == .arrow ? "next" : nil, to: sink) {
            sink("<li>\(inline($0))</li>\n")
        }
    }

    static func write(_ table: Block.Table, to sink: (String) -> Void) {
        let columns = table.columns
        guard columns > 0 else { return }
        sink(table.isStacked ? "<table class=\"stacked\" role=\"table\">\n" : "<div class=\"table\"><table>\n")
        if !table.head.isEmpty { sink("<thead>\(row(table.head, isHead: true, columns))</thead>\n") }
        if !table.rows.isEmpty {
            sink("<tbody>\n")
            for cells in table.rows {
                sink((table.isStacked ? stackedRow(cells, table.head) : row(cells, isHead: false, columns)) + "\n")
            }
            sink("</tbody>\n")
        }
        sink(table.isStacked ? "</table>\n" : "</table></div>\n")
    }

    /// On a narrow page each cell has the head of its column before it, and is still a cell for who listens to the page.
    private static func stackedRow(_ cells: [Block.Cell], _ head: [Block.Cell]) -> String {
        var row = "<tr role=\"row\">"
        for (column, cell) in cells.enumerated() {
            let name = column < head.count ? escaped(head[column].text) : ""
            row +=
                column == 0
                ? "<th scope=\"row\" role=\"rowheader\">\(marked(cell))</th>"
                : "<td role=\"cell\" data-head=\"\(name)\">\(marked(cell))</td>"
        }
        return row + "</tr>"
    }

    private static func marked(_ cell: Block.Cell) -> String {
        let text = cell.kind == .code ? code(cell.text) : escaped(cell.text)
        return cell.isMarked ? "<mark>\(text)</mark>" : text
    }

    private static func row(_ cells: [Block.Cell], isHead: Bool, _ columns: Int) -> String {
        let (start, end) = isHead ? ("<th scope=\"col\"", "</th>") : ("<td", "</td>")
        var row = "<tr>"
        for cell in cells {
            let kind =
                switch cell.kind {
                case .text, .code: ""
                case .number: " class=\"number\""
                case .moment: " class=\"moment\""
                case .remark: " class=\"remark\""
                }
            row += "\(start)\(kind)>\(marked(cell))\(end)"
        }
        // A cell that is missing heads nothing.
        return row + String(repeating: "<td></td>", count: columns - cells.count) + "</tr>"
    }

    private static func write(_ pairs: [Block.Pair], to sink: (String) -> Void) {
        write(pairs, in: "dl", to: sink) { pair in
            let values = pair.values.map { "<dd>\(inline($0))</dd>" }.joined()
            sink("<dt>\(escaped(pair.key))</dt>\(values)\n")
        }
    }

    static func inline(_ text: Inline) -> String {
        text.runs.map { run in
            let shown = escaped(run.text)
            return switch run.style {
            case .plain: shown
            case .strong: "<b>\(shown)</b>"
            case .faint: "<span class=\"faint\">\(shown)</span>"
            case .code: code(run.text)
            case .customer: "<bdi>\(shown)</bdi>"
            case .tone(let tone): "<span class=\"\(tone.rawValue)\">\(shown)</span>"
            }
        }.joined()
    }

    static func code(_ text: String) -> String { "<code>\(unbroken(text))</code>" }

    /// A command or a word of a machine, in which no short word is broken: an address, an option.
    private static func unbroken(_ text: String) -> String {
        Escaped.text(text).split(separator: " ", omittingEmptySubsequences: false).map { word in
            let shown = escaped(String(word))
            let mayBreak = word.utf8.count > 2 && word.utf8.contains { "-:/.".utf8.contains($0) }
            return mayBreak && word.count <= longestWord ? "<span class=\"whole\">\(shown)</span>" : shown
        }.joined(separator: " ")
    }

    /// Characters.
    private static let longestWord = 32

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

/// What is around an answer in HTML: one page that needs nothing else, has no script, and asks for nothing.
extension HTMLRenderer {
    /// - Parameter header: what is above everything on the page; nil for the title.
    static func beginning(title: String, header: String?) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
        <meta name="referrer" content="no-referrer"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>\(escaped(title))</title>
        <style>
        \(styleSheet)
        </style>
        </head>
        <body>
        <main>
        <header>\(escaped(header ?? title))</header>

        """
    }

    static let ending = """
        </main>
        </body>
        </html>

        """
}

/// The levels of an answer's headings: one at the top, others below it, and sections below the heading before them.
struct Headings {
    private let top: Int
    private var last: Int?
    private static let lowest = 6

    /// - Parameter top: the level of the first heading.
    init(top: Int) { self.top = top }

    /// The level of a heading that comes now.
    mutating func next() -> Int {
        let level = last == nil ? top : top + 1
        last = level
        return level
    }

    /// - Parameter depth: how many sections it is in.
    func level(ofSection depth: Int) -> Int { min((last ?? top) + 1 + depth, Self.lowest) }
}
