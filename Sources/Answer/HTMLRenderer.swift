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
            case .customer: "<bdi>\(shown)</bdi>"
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

/// What is around an answer in HTML: one page that needs nothing else, has no script, and asks for nothing.
enum HTMLPage {
    static func beginning(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
        <meta name="referrer" content="no-referrer"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>\(HTMLRenderer.escaped(title))</title>
        <style>
        \(styleSheet)
        </style>
        </head>
        <body>
        <main>
        <header>\(HTMLRenderer.escaped(title))</header>

        """
    }

    static let ending = """
        </main>
        </body>
        </html>

        """

    private static let styleSheet = """
        :root { color-scheme: light dark; --paper: #fff; --ink: #1d1d1f; --faint: #6b6b70; --line: #d8d8dc; --shade: #f4f4f6;
          --good: #17692f; --note: #1b5a8c; --warning: #8a5300; --error: #b3201b; --mark: #ddf3e1;
          --kind0: #1b5a8c; --kind1: #8a5300; --kind2: #17692f; --kind3: #7a2e8c; --kind4: #b3201b; --kind5: #55555a; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #1b1b1d; --ink: #ececee; --faint: #a0a0a6; --line: #3b3b40; --shade: #27272a;
            --good: #6fcf87; --note: #7cb8e8; --warning: #e8b45c; --error: #ff8a80; --mark: #1f4029;
            --kind0: #7cb8e8; --kind1: #e8b45c; --kind2: #6fcf87; --kind3: #d9a0ea; --kind4: #ff8a80; --kind5: #b4b4ba; }
        }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
        main { max-width: 75rem; margin: 0 auto; padding: 1.5rem; overflow-x: clip; }
        article + article { margin-top: 2.5rem; border-top: 3px solid var(--line); }
        h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; } h3, h4, h5, h6 { font-size: 1rem; }
        h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 0.5em; }
        header, h1, h2, h3, h4, h5, h6, p, li, dt, dd, pre { overflow-wrap: anywhere; }
        p, ul, ol, dl, pre, .table { margin: 0.5em 0; }
        .group { margin: 1.2em 0; }
        .prose { max-width: 42rem; }
        code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.92em; }
        code { background: var(--shade); padding: 0.1em 0.3em; border-radius: 3px; }
        code, mark { -webkit-box-decoration-break: clone; box-decoration-break: clone; }
        pre { background: var(--shade); padding: 0.7em 1em; white-space: pre-wrap; }
        .table { overflow-x: auto; background:
            linear-gradient(to left, var(--paper) 40%, transparent) right / 3rem 100% no-repeat local,
            linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { border-bottom: 1px solid var(--line); padding: 0.3em 0.8em 0.3em 0; text-align: left; vertical-align: top; }
        th, td { overflow-wrap: break-word; max-width: 36rem; }
        td { min-width: 2em; } td:first-child { min-width: 3.5em; } .number { text-align: right; } .moment { min-width: 6.5em; }
        dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 0.2em 1.2em; }
        dt { grid-column: 1; font-weight: 600; } dd { grid-column: 2; margin: 0; }
        ul.next { list-style-type: "→ "; }
        mark { background: var(--mark); color: inherit; padding: 0.1em 0.3em; border-bottom: 2px solid var(--good); }
        header, .faint, .remark { color: var(--faint); }
        .good { color: var(--good); } .note { color: var(--note); }
        .warning { color: var(--warning); font-weight: 600; } .error { color: var(--error); font-weight: 600; }
        .banner { border-left: 4px solid currentColor; padding: 0.3em 0.8em; font-weight: inherit; }
        figure { margin: 0.8em 0; } figcaption, summary { font-weight: 600; }
        .bars { display: block; font-size: 12px; max-width: 60rem; } .bars text { fill: var(--ink); }
        .bars line { stroke: var(--line); } .ground { fill-opacity: 0.25; }
        .kind0 { fill: var(--kind0); } .kind1 { fill: var(--kind1); } .kind2 { fill: var(--kind2); }
        .kind3 { fill: var(--kind3); } .kind4 { fill: var(--kind4); } .kind5 { fill: var(--kind5); }
        .legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2em 1.4em; }
        .legend svg { vertical-align: -2px; }
        .sources { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0.6em; }
        .card { border: 1px solid var(--line); border-radius: 6px; padding: 0.5em 0.8em; max-width: 42rem; }
        .fate { white-space: nowrap; } .left { border: 2px solid var(--good); } .becomes { margin: 0.3em 0; font-weight: 600; }
        .card dl { font-size: 0.93em; grid-template-columns: fit-content(52%) 1fr; gap: 0.1em 0.8em; margin: 0.3em 0; }
        .card dt, .card summary { font-weight: inherit; color: var(--faint); }
        @media screen and (max-width: 40rem) {
          main { padding: 1rem; } h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; }
          ul, ol { padding-left: 1.5em; } table { font-size: 0.9em; } dl { column-gap: 0.8em; }
          th, td { max-width: 15rem; }
          th:first-child, td:first-child { position: sticky; left: 0; max-width: 12rem; background: var(--paper); }
        }
        @media print {
          :root { color-scheme: light; --paper: #fff; --ink: #000; --faint: #444; --line: #999; --shade: #f2f2f2;
            --good: #145a28; --note: #174f7a; --warning: #6f4300; --error: #94170f; --mark: #e4f3e7;
            --kind0: #174f7a; --kind1: #6f4300; --kind2: #145a28; --kind3: #63226f; --kind4: #94170f; --kind5: #444; }
          body { font-size: 10pt; } main { max-width: none; padding: 0; }
          .table { overflow: visible; background: none; } thead { display: table-header-group; }
          table { font-size: 0.85em; } td + td { overflow-wrap: anywhere; min-width: 5em; }
          th, td:first-child { max-width: 9.5rem; } code { padding: 0; }
          details::details-content { content-visibility: visible; block-size: auto; } summary { list-style: none; }
          tr, li, dd, p, .card, .bars { break-inside: avoid; } h1, h2, h3, h4, h3 + p, figcaption { break-after: avoid; }
        }
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
