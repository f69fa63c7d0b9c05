/// Several things that become one: what differs, and the choice first.
extension HTMLRenderer {
    static func write(_ merging: Block.Merging, to sink: (String) -> Void) {
        sink("<figure class=\"merging\">\n")
        for property in merging.properties where !property.lost.isEmpty { write(property, of: merging, to: sink) }
        sink("<div class=\"merge\">\n<div class=\"from\">\n")
        for (index, source) in merging.sources.enumerated() {
            sink("<div class=\"source\(source.isKept ? " left" : "")\"><b>\(escaped(source.name))</b>\n")
            let chosen = merging.properties.filter { property in
                !property.values[index].isDash && (merging.sources.count == 1 || property.isChoice)
                    && (!property.isMinor || property.lost.contains(index))
            }
            write(chosen.map { ($0.label ?? $0.name, value($0, of: index)) }, to: sink)
            if chosen.isEmpty { sink("<p class=\"remark\">no value of its own</p>\n") }
            sink("</div>\n")
        }
        sink("</div>\n\(wires(merging))\n<div class=\"result\"><b>\(merging.isDone ? "Became" : "Becomes")</b>\n")
        let kept = merging.sources.firstIndex(where: \.isKept) ?? 0
        write(merging.properties.filter { !$0.isMinor }.compactMap { result($0, kept) }, to: sink)
        let minor = merging.properties.filter(\.isMinor).compactMap { result($0, kept) }
        if !minor.isEmpty {
            sink("<details><summary>more</summary>\n")
            write(minor, to: sink)
            sink("</details>\n")
        }
        sink("</div>\n</div>\n</figure>\n")
    }

    /// A choice: the value that is kept, and those that are not.
    private static func write(_ property: Block.Merging.Property, of merging: Block.Merging, to sink: (String) -> Void)
    {
        let kept = merging.sources.firstIndex(where: \.isKept) ?? 0
        let source = property.taken ?? (property.becomes == nil ? kept : nil)
        let name = escaped(property.label ?? property.name)
        func option(_ cell: Block.Cell, _ source: Int?, isKept: Bool) {
            let word = merging.isDone ? (isKept ? "Kept" : "Discarded") : isKept ? "Will be kept" : "Will be discarded"
            let (icon, tone) = isKept ? (Block.Icon.kept, Tone.good) : (.discarded, .error)
            let from = source.map { "<p class=\"faint\">\(escaped(merging.sources[$0].name))</p>" } ?? ""
            sink(
                "<div class=\"\(isKept ? "yes" : "no")\"><p class=\"fate \(tone.rawValue)\">\(icon.svg())\(word): \(name)</p>"
                    + "<b>\(content(cell))</b>\(from)</div>\n")
        }
        sink("<div class=\"pick\">\n")
        option(property.becomes ?? property.values[kept], source, isKept: true)
        for other in property.lost.sorted() { option(property.values[other], other, isKept: false) }
        sink("</div>\n")
    }

    /// From each source to the result; where the page is narrow, an arrow down.
    private static func wires(_ merging: Block.Merging) -> String {
        var paths = ""
        for (index, source) in merging.sources.enumerated() {
            let height = (index * 2 + 1) * 500 / merging.sources.count
            paths +=
                "<path class=\"\(source.isKept ? "wire left" : "wire")\" d=\"M0 \(height)C55 \(height) 40 500 96 500\"/>"
        }
        return
            "<div class=\"link\" aria-hidden=\"true\"><svg class=\"across\" viewBox=\"0 0 100 1000\" preserveAspectRatio=\"none\">\(paths)</svg>"
            + "<svg class=\"tip\" viewBox=\"0 0 12 12\"><path d=\"M3 1l6 5-6 5\"/></svg></div>"
    }

    /// What is left of a property in the end, and where it comes from; nil where that is nothing.
    private static func result(_ property: Block.Merging.Property, _ kept: Int) -> (key: String, value: String)? {
        let result = property.becomes ?? property.values[kept]
        guard !result.isDash else { return nil }
        let reason = property.becomes == nil ? nil : property.reason
        let origin = reason.map { " <span class=\"remark\">\(escaped($0))</span>" } ?? ""
        return (property.label ?? property.name, content(result) + origin)
    }

    private static func value(_ property: Block.Merging.Property, of source: Int) -> String {
        let text = content(property.values[source])
        if property.taken == source { return "<mark>\(text)</mark> <span class=\"fate good\">✓ kept</span>" }
        if property.lost.contains(source) { return "\(text) <span class=\"fate error\">✗ discarded</span>" }
        return text
    }

    /// A picture has no room for a value of a megabyte.
    private static let widest = 400

    private static func content(_ cell: Block.Cell) -> String {
        let text = DisplayWidth.cut(cell.text, to: widest)
        switch cell.kind {
        case .code: return code(text)
        case .text, .number, .moment, .remark: return "<bdi>\(escaped(text))</bdi>"
        }
    }

    /// - Parameter pairs: of a text, and of what is HTML already.
    private static func write(_ pairs: [(key: String, value: String)], to sink: (String) -> Void) {
        write(pairs, in: "dl", to: sink) { sink("<dt>\(escaped($0.key))</dt><dd>\($0.value)</dd>\n") }
    }
}

extension Block.Merging.Property {
    /// Whether the sources do not all have the same value.
    fileprivate var isChoice: Bool {
        taken != nil || becomes != nil || !lost.isEmpty || Set(values.map(\.text)).count > 1
    }
}
