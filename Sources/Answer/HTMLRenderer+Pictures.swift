/// Pictures: what is drawn is written too, so that a page can be read without seeing them.
extension HTMLRenderer {
    // MARK: - Bars

    static func write(_ chart: Block.BarChart, to sink: (String) -> Void) {
        guard !chart.bars.isEmpty else { return }
        let title = escaped(chart.title)
        sink("<figure class=\"chart\">\n<figcaption>\(title)</figcaption>\n")
        sink("<svg class=\"bars\" role=\"img\" aria-label=\"\(title)\" width=\"100%\" height=\"\(Bars.height + 44)\">")
        sink("<title>\(title)</title>\n")
        let bars = Bars(chart)
        sink("<text x=\"0\" y=\"14\">\(bars.most)</text>\n")
        sink("<line x1=\"0\" y1=\"20\" x2=\"100%\" y2=\"20\"/>")
        sink("<line x1=\"0\" y1=\"\(Bars.height + 21)\" x2=\"100%\" y2=\"\(Bars.height + 21)\"/>\n")
        // Only the bars are stretched to the width of the page; what is written is not.
        sink(
            "<svg x=\"0\" y=\"20\" width=\"100%\" height=\"\(Bars.height)\" viewBox=\"0 0 \(bars.width) \(Bars.height)\" preserveAspectRatio=\"none\">\n"
        )
        for kind in chart.kinds.indices { for path in bars.paths(of: kind) { sink(path + "\n") } }
        sink("</svg>\n")
        for label in bars.labels {
            sink(
                "<text x=\"\(label.place)%\" y=\"\(Bars.height + 38)\"\(label.isEnd ? " text-anchor=\"end\"" : "")>\(escaped(label.text))</text>\n"
            )
        }
        sink("</svg>\n<ul class=\"legend\">\n")
        for (index, kind) in chart.kinds.enumerated() {
            let swatch = Pattern(index).paths(of: [Bar(x: 0, y: 0, height: 14)]).joined()
            sink(
                "<li><svg width=\"12\" height=\"14\" viewBox=\"0 0 8 14\" aria-hidden=\"true\">\(swatch)</svg> \(escaped(kind)): \(chart.total(of: index))</li>\n"
            )
        }
        sink("</ul>\n<details><summary>the numbers</summary>\n")
        write(chart.table, to: sink)
        sink("</details>\n</figure>\n")
    }

    /// A part of a bar; it is 8 wide.
    fileprivate struct Bar {
        let x: Int
        let y: Int
        let height: Int
    }

    /// Where the parts of the bars are. Each bar has 10 of the width.
    private struct Bars {
        static let height = 150
        /// A part of anything at all can be seen.
        private static let least = 2
        /// So that a single bar is not as wide as the page.
        private static let fewest = 8

        let most: Int
        let width: Int
        private let chart: Block.BarChart
        private let slots: Int

        init(_ chart: Block.BarChart) {
            self.chart = chart
            most = chart.bars.map(\.total).max() ?? 0
            slots = max(chart.bars.count, Self.fewest)
            width = slots * 10
        }

        func paths(of kind: Int) -> [String] {
            let bars = chart.bars.enumerated().compactMap { index, bar -> Bar? in
                let heights = bar.amounts.map(height)
                guard heights[kind] > 0 else { return nil }
                let below = heights[..<kind].reduce(0, +)
                return Bar(x: index * 10 + 1, y: Self.height - below - heights[kind], height: heights[kind])
            }
            return Pattern(kind).paths(of: bars)
        }

        private func height(_ amount: Int) -> Int {
            guard amount > 0, most > 0 else { return 0 }
            // What the small ones are too high is left free at the top.
            let room = Self.height - chart.kinds.count * Self.least
            return max(Self.least, Int(Double(amount) / Double(most) * Double(room)))
        }

        /// The first label and, where there is room, the last one, each with its place in hundredths of the width.
        var labels: [(place: Int, text: String, isEnd: Bool)] {
            let first = (0, chart.bars[0].label, false)
            let end = chart.bars.count * 100 / slots
            return end < 70 ? [first] : [first, (end, chart.bars[chart.bars.count - 1].label, true)]
        }
    }

    /// How a kind is told from the others: by its colour, and by its pattern for those who do not see colours, and on
    /// paper.
    fileprivate struct Pattern {
        private let index: Int
        private static let count = 6

        init(_ kind: Int) { index = kind % Self.count }

        func paths(of bars: [Bar]) -> [String] {
            guard !bars.isEmpty else { return [] }
            let ground = bars.map { "M\($0.x) \($0.y)h8v\($0.height)h-8z" }.joined()
            let ink = bars.map(ink).joined()
            return [
                "<path class=\"kind\(index) ground\" d=\"\(ground)\"/>", "<path class=\"kind\(index)\" d=\"\(ink)\"/>",
            ]
        }

        private func ink(_ bar: Bar) -> String {
            switch index {
            case 0: "M\(bar.x) \(bar.y)h8v\(bar.height)h-8z"
            case 1: stripes(bar, of: 3, every: 6, from: 0, width: 8)
            case 2: "M\(bar.x) \(bar.y)h4v\(bar.height)h-4z"
            case 3: stripes(bar, of: 2, every: 8, from: 0, width: 8)
            case 4: stripes(bar, of: 4, every: 8, from: 0, width: 4) + stripes(bar, of: 4, every: 8, from: 4, width: 4)
            default: "M\(bar.x + 3) \(bar.y)h2v\(bar.height)h-2z"
            }
        }

        /// - Parameter start: of the second column, by how much it is lower and further right.
        private func stripes(_ bar: Bar, of thickness: Int, every step: Int, from start: Int, width: Int) -> String {
            stride(from: start, to: bar.height, by: step).map { y in
                let height = min(thickness, bar.height - y)
                return "M\(bar.x + start) \(bar.y + y)h\(width)v\(height)h-\(width)z"
            }.joined()
        }
    }

    // MARK: - Several things that become one

    static func write(_ merging: Block.Merging, to sink: (String) -> Void) {
        let hasChoice = merging.sources.count > 1
        sink("<figure class=\"merging\">\n<div class=\"sources\">\n")
        for (index, source) in merging.sources.enumerated() {
            sink("<div class=\"card\(source.isKept ? " left" : "")\"><b>\(escaped(source.name))</b>\n")
            let chosen = merging.properties.filter { property in
                !property.values[index].isDash && (!hasChoice || property.isChoice)
                    && (!property.isMinor || property.lost.contains(index))
            }
            write(chosen.map { ($0.name, value($0, of: index)) }, to: sink)
            if chosen.isEmpty { sink("<p class=\"remark\">no value of its own</p>\n") }
            sink("</div>\n")
        }
        sink(
            "</div>\n<p class=\"becomes\"><span aria-hidden=\"true\">↓</span> becomes</p>\n<div class=\"card left\">\n")
        let kept = merging.sources.firstIndex(where: \.isKept) ?? 0
        write(merging.properties.filter { !$0.isMinor }.compactMap { result($0, kept) }, to: sink)
        let minor = merging.properties.filter(\.isMinor).compactMap { result($0, kept) }
        if !minor.isEmpty {
            sink("<details><summary>more</summary>\n")
            write(minor, to: sink)
            sink("</details>\n")
        }
        sink("</div>\n</figure>\n")
    }

    /// What is left of a property in the end, and where it comes from; nil where that is nothing.
    private static func result(_ property: Block.Merging.Property, _ kept: Int) -> (key: String, value: String)? {
        let result = property.becomes ?? property.values[kept]
        guard !result.isDash else { return nil }
        let reason = property.becomes == nil ? nil : property.reason
        let origin = reason.map { " <span class=\"remark\">\(escaped($0))</span>" } ?? ""
        return (property.name, content(result) + origin)
    }

    private static func value(_ property: Block.Merging.Property, of source: Int) -> String {
        let text = content(property.values[source])
        if property.taken == source { return "<mark>\(text)</mark> <span class=\"fate good\">✓ kept</span>" }
        if property.lost.contains(source) { return "\(text) <span class=\"fate error\">✗ given up</span>" }
        return text
    }

    /// A picture has no room for a value of a megabyte.
    private static let widest = 400

    private static func content(_ cell: Block.Cell) -> String {
        let text = escaped(DisplayWidth.cut(cell.text, to: widest))
        switch cell.kind {
        case .code: return "<code>\(text)</code>"
        case .text, .number, .moment, .remark: return text
        }
    }

    /// - Parameter pairs: of a text, and of what is HTML already.
    private static func write(_ pairs: [(key: String, value: String)], to sink: (String) -> Void) {
        guard !pairs.isEmpty else { return }
        sink("<dl>\n")
        for (key, value) in pairs { sink("<dt>\(escaped(key))</dt><dd>\(value)</dd>\n") }
        sink("</dl>\n")
    }
}

extension Block.Cell {
    /// Whether it stands for nothing at all.
    fileprivate var isDash: Bool { text.isEmpty || text == "–" }
}

extension Block.Merging.Property {
    /// Whether the sources do not all have the same value.
    fileprivate var isChoice: Bool {
        taken != nil || becomes != nil || !lost.isEmpty || Set(values.map(\.text)).count > 1
    }
}
