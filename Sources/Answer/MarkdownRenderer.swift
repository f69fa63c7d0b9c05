/// Blocks as Markdown, in the dialect of GitHub, for a ticket.
struct MarkdownRenderer {
    private var hasBlocks = false
    private var headings = Headings(top: 2)

    mutating func write(_ blocks: [Block], to sink: (String) -> Void) {
        for block in blocks { write(block, depth: 0, to: sink) }
    }

    private mutating func write(_ block: Block, depth: Int, to sink: (String) -> Void) {
        switch block {
        case .group(let blocks): for block in blocks { write(block, depth: depth, to: sink) }
        case .heading(let text): write(text, level: headings.next(), to: sink)
        case .section(let heading, let blocks):
            write(heading, level: headings.level(ofSection: depth), to: sink)
            for block in blocks { write(block, depth: depth + 1, to: sink) }
        case .paragraph(let text), .prose(let text), .remark(let text): begin(with: Self.block(text), to: sink)
        case .note(let tone, let text): begin(with: "> **\(tone.rawValue):** " + Self.inline(text), to: sink)
        case .list(let items, let marker):
            guard !items.isEmpty else { return }
            separate(to: sink)
            for (index, item) in items.enumerated() {
                let sign = if marker == .number { "\(index + 1)." } else { "-" }
                sink("\(sign) \(Self.block(item))\n")
            }
        case .table(let table): write(table, to: sink)
        case .pairs(let pairs): write(pairs, to: sink)
        case .merging(let merging): write(merging.table, to: sink)
        case .code(let lines): write(lines, to: sink)
        case .verdict, .opening, .card, .part, .questions, .steps, .points, .figures, .towers, .flow, .lanes, .contents,
            .place:
            for block in block.inWords { write(block, depth: depth, to: sink) }
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
        begin(with: String(repeating: "#", count: level) + " " + Self.heading(heading), to: sink)
    }

    private mutating func write(_ table: Block.Table, to sink: (String) -> Void) {
        let columns = table.columns
        guard columns > 0 else { return }
        separate(to: sink)
        func row(_ cells: [Block.Cell]) -> String {
            let missing = Array(repeating: "", count: columns - cells.count)
            return "| " + (cells.map(Self.cell) + missing).joined(separator: " | ") + " |\n"
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
                sink("| \(index == 0 ? Self.escaped(pair.key) : "") | \(Self.inline(value, isCell: true)) |\n")
            }
        }
    }

    private mutating func write(_ code: [String], to sink: (String) -> Void) {
        let lines = code.map(Escaped.text)
        let fence = String(repeating: "`", count: max(3, 1 + Self.longestFence(in: lines)))
        begin(with: fence, to: sink)
        for line in lines { sink(line + "\n") }
        sink(fence + "\n")
    }
}

/// Text within Markdown. Whatever in it could be taken for markup is escaped.
extension MarkdownRenderer {
    /// Text at the beginning of a line.
    private static func block(_ text: Inline) -> String { escapedStart(inline(text)) }

    /// - Parameter isCell: whether it is in a table, where a bar ends the cell even in code.
    private static func inline(_ text: Inline, isCell: Bool = false) -> String {
        var result = ""
        for (index, run) in text.runs.enumerated() {
            switch run.style {
            case .plain, .faint, .customer: result += escaped(run.text)
            case .code: result += code(run.text, isCell: isCell)
            case .strong, .tone:
                let before = index > 0 ? text.runs[index - 1].text.last : nil
                let after = index + 1 < text.runs.count ? text.runs[index + 1].text.first : nil
                result += strong(run.text, before: before, after: after)
            }
        }
        return result
    }

    /// Text in which everything is emphasised already.
    private static func heading(_ text: Inline) -> String {
        text.runs.map { $0.style == .code ? code($0.text, isCell: false) : escaped($0.text) }.joined()
    }

    private static func cell(_ cell: Block.Cell) -> String {
        switch cell.kind {
        case .code where !cell.isMarked: code(cell.text, isCell: true)
        case .text, .code, .number, .moment, .remark:
            cell.isMarked ? strong(cell.text, before: nil, after: nil) : escaped(cell.text)
        }
    }

    /// Asterisks count as emphasis only where no space follows or precedes them inside, and, beside a letter outside, no
    /// punctuation either (CommonMark 0.31, 6.2). Elsewhere the text has none.
    private static func strong(_ text: String, before: Character?, after: Character?) -> String {
        let start = text.prefix { $0 == " " }
        let end = text.dropFirst(start.count).reversed().prefix { $0 == " " }.count
        let words = text.dropFirst(start.count).dropLast(end)
        guard let first = words.first, let last = words.last else { return text }
        let isOpening = !start.isEmpty || !isLetter(before) || isLetter(first)
        let isClosing = end > 0 || !isLetter(after) || isLetter(last)
        let shown = escaped(String(words))
        let spaces = String(repeating: " ", count: end)
        return isOpening && isClosing ? "\(start)**\(shown)**\(spaces)" : start + shown + spaces
    }

    private static func isLetter(_ character: Character?) -> Bool {
        character.map { $0 != " " && !$0.isPunctuation && !$0.isSymbol } ?? false
    }

    /// Between more backticks than the text has in a row.
    private static func code(_ text: String, isCell: Bool) -> String {
        // A backslash before a bar would be taken for the escape of the backslash.
        if isCell && text.utf8.contains(UInt8(ascii: "\\")) && text.utf8.contains(UInt8(ascii: "|")) {
            return escaped(text)
        }
        var shown = Escaped.text(text)
        guard shown.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { return shown }
        let fence = String(repeating: "`", count: 1 + longestFence(in: [shown]))
        if isCell { shown = String(shown.unicodeScalars.reduce(into: "") { $0 += $1 == "|" ? "\\|" : String($1) }) }
        let ends = [shown.utf8.first, shown.utf8.last]
        let isPadded = ends.contains(UInt8(ascii: "`")) || ends == [UInt8(ascii: " "), UInt8(ascii: " ")]
        let space = isPadded ? " " : ""
        return fence + space + shown + space + fence
    }

    private static func longestFence(in lines: [String]) -> Int {
        var longest = 0
        for line in lines {
            var count = 0
            for byte in line.utf8 {
                count = byte == UInt8(ascii: "`") ? count + 1 : 0
                longest = max(longest, count)
            }
        }
        return longest
    }

    private static func escaped(_ text: String) -> String {
        let shown = Escaped.text(text)
        guard shown.utf8.contains(where: { isSpecial($0) }) else { return shown }
        // Scalar by scalar: an accent on an asterisk does not keep it from being one.
        let scalars = shown.unicodeScalars
        var result = String.UnicodeScalarView()
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#": result.append(contentsOf: ["\\", scalar])
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            // Nobody is to be told of a ticket because of a meter's name, and no name is a formula or a link.
            case "@": result.append(contentsOf: "&#64;".unicodeScalars)
            case "$": result.append(contentsOf: "&#36;".unicodeScalars)
            case ":" where scalars[index...].starts(with: "://".unicodeScalars):
                result.append(contentsOf: "&#58;".unicodeScalars)
            case "."
            where scalars[..<index].suffix(3).allSatisfy({ $0 == "w" || $0 == "W" }) && index > scalars.startIndex:
                result.append(contentsOf: "&#46;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: " "), UInt8(ascii: "-"), 0x80...:
            false
        default: true
        }
    }

    /// What is Markdown only at the beginning of a line: lists, rules, lines under headings, code by indentation.
    private static func escapedStart(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        switch first {
        case " ": return "&#32;" + String(text.unicodeScalars.dropFirst())
        case "+", "-", "=": return "\\" + text
        case "0"..."9":
            let number = text.prefix { $0.isASCII && $0.isNumber }
            let rest = text.dropFirst(number.count)
            return rest.first == "." || rest.first == ")" ? number + "\\" + rest : text
        default: return text
        }
    }
}
