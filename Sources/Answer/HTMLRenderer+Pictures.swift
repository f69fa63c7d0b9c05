/// Pictures: what is drawn is written too, so that a page can be read without seeing them.
extension HTMLRenderer {
    // MARK: - Towers

    /// More are a number.
    private static let mostTowers = 24
    private static let highest = 4
    private static let side = 14
    private static let gap = 6

    static func write(_ before: Block.Towers, _ after: Block.Towers, _ text: String, to sink: (String) -> Void) {
        guard !before.heights.isEmpty else { return }
        sink("<div class=\"towers\" role=\"img\" aria-label=\"\(escaped(text))\">\n")
        write(before, to: sink)
        sink("<svg class=\"tip\" viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path d=\"M3 1l6 5-6 5\"/></svg>\n")
        write(after, to: sink)
        sink("</div>\n")
    }

    private static func write(_ group: Block.Towers, to sink: (String) -> Void) {
        let shown = group.heights.sorted(by: >).prefix(mostTowers)
        let height = min(shown.first ?? 1, highest)
        let size = (width: max(1, shown.count) * (side + gap), height: max(1, height) * (side + gap) + 2)
        var (kept, extra, text) = ("", "", "")
        for (column, tower) in shown.enumerated() {
            let x = column * (side + gap) + 1
            for level in 0..<min(max(tower, 1), highest) {
                let y = size.height - (level + 1) * (side + gap)
                let box = "M\(x) \(y)h\(side)v\(side)h-\(side)z"
                if level == 0 { kept += box } else { extra += "\(box)M\(x) \(y + side)l\(side)-\(side)" }
            }
            if tower > highest {
                text += "<text x=\"\(x + side / 2)\" y=\"10\" text-anchor=\"middle\">×\(tower)</text>"
            }
        }
        sink(
            "<figure><svg width=\"\(size.width)\" height=\"\(size.height)\" viewBox=\"0 0 \(size.width) \(size.height)\" aria-hidden=\"true\">"
                + "<path class=\"\(group.heights.contains { $0 > 0 } ? "box" : "none")\" d=\"\(kept)\"/>"
                + (extra.isEmpty ? "" : "<path class=\"extra\" d=\"\(extra)\"/>") + "\(text)</svg>")
        let cut = shown.count < group.heights.count ? "; \(shown.count) of \(group.heights.count) are drawn" : ""
        sink("<figcaption>\(escaped(group.caption))\(cut)</figcaption></figure>\n")
    }

    // MARK: - Flow

    static func write(_ stations: [Block.Station], _ hops: [Block.Hop], to sink: (String) -> Void) {
        sink("<ol class=\"card flow\">\n")
        for (index, station) in stations.enumerated() {
            sink("<li class=\"station\">\(station.icon.svg())<b>\(escaped(station.name))</b>\n")
            for line in station.lines { sink("<p>\(inline(line))</p>\n") }
            sink("</li>\n")
            guard index < hops.count else { continue }
            let hop = hops[index]
            sink("<li class=\"hop\">\n")
            write(hop.there, to: sink, isBack: false)
            if let back = hop.back { write(back, to: sink, isBack: true) }
            sink("</li>\n")
        }
        sink("</ol>\n")
    }

    private static func write(_ way: Block.Way, to sink: (String) -> Void, isBack: Bool) {
        let tip = isBack ? "M8 1 2 6l6 5" : "M4 1l6 5-6 5"
        let cross =
            way.state == .stopped
            ? "<svg class=\"cross\" viewBox=\"0 0 12 12\"><path d=\"M2 2l8 8M10 2 2 10\"/></svg>" : ""
        sink(
            "<div class=\"way \(way.state.rawValue)\(isBack ? " back" : "")\"><span class=\"wire\" aria-hidden=\"true\">"
                + "<svg class=\"tip\" viewBox=\"0 0 12 12\"><path d=\"\(tip)\"/></svg>\(cross)</span>"
                + "<b>\(escaped(way.title))</b>")
        sink(way.text.text.isEmpty ? "</div>\n" : "<p>\(inline(way.text))</p></div>\n")
    }

    // MARK: - Lanes

    static func write(_ lanes: Block.Lanes, to sink: (String) -> Void) {
        sink("<figure class=\"card lanes\" aria-label=\"\(escaped(lanes.title))\">\n")
        if !lanes.events.isEmpty {
            let height = lanes.events.count > 1 ? 58 : 36
            sink("<div class=\"lane\"><p class=\"who\">What happened</p>")
            sink("<svg class=\"track\" height=\"\(height)\" aria-hidden=\"true\">\(grid(lanes))")
            for (index, event) in lanes.events.enumerated() {
                // Two rows: what is close together is still told apart.
                sink(number(index + 1, at: event.place, y: index % 2 == 0 ? 18 : 42, isAlarming: event.isAlarming))
            }
            sink("</svg></div>\n")
        }
        for lane in lanes.lanes { write(lane, in: lanes, to: sink) }
        sink("<div class=\"lane axis\"><span></span><svg class=\"track\" height=\"24\" aria-hidden=\"true\">")
        for (index, label) in lanes.axis.enumerated() {
            sink(
                "<text class=\"\(index % 2 == 0 ? "label" : "label odd")\" x=\"\(percent(label.place))\" y=\"16\">\(escaped(label.label))</text>"
            )
        }
        sink("</svg></div>\n")
        if !lanes.events.isEmpty {
            sink("<figcaption><ol class=\"events\">\n")
            for (index, event) in lanes.events.enumerated() {
                sink(
                    "<li\(event.isAlarming ? " class=\"hot\"" : "")><b>\(index + 1)</b><span class=\"faint\">\(escaped(event.date))</span><span>\(inline(event.text))</span></li>\n"
                )
            }
            sink("</ol></figcaption>\n")
        }
        sink("</figure>\n")
    }

    private static func write(_ lane: Block.Lane, in lanes: Block.Lanes, to sink: (String) -> Void) {
        let sample = mark(lane.author, isLarge: false)
        sink(
            "<div class=\"lane\"><p class=\"who\"><svg class=\"sample\" viewBox=\"-12 -12 24 24\" aria-hidden=\"true\">\(sample)</svg>"
                + "<span>\(inline(lane.name))<span class=\"faint\">\(escaped(lane.remark))</span></span></p>")
        let words = lane.marks.map { $0.count > 1 ? "\($0.count) on \($0.label)" : $0.label }.joined(separator: ", ")
        let label = escaped("\(lane.name.text), \(lane.remark)\(words.isEmpty ? "" : ": \(words)")")
        sink("<svg class=\"track\" height=\"48\" role=\"img\" aria-label=\"\(label)\">\(grid(lanes))")
        if let span = lane.span {
            sink(
                "<line class=\"span\" x1=\"\(percent(span.lowerBound))\" x2=\"\(percent(span.upperBound))\" y1=\"24\" y2=\"24\"/>"
            )
        }
        for one in lane.marks {
            let isLarge = one.count > 1
            sink(
                "<svg x=\"\(percent(one.place))\" y=\"24\" overflow=\"visible\">\(mark(lane.author, isLarge: isLarge))"
                    + (isLarge
                        ? "<text class=\"count \(lane.author.rawValue)\(one.count > 99 ? " many" : "")\" y=\"4\">\(one.count > 99 ? "99+" : "\(one.count)")</text>"
                        : "") + "</svg>")
        }
        sink("</svg></div>\n")
    }

    private static func grid(_ lanes: Block.Lanes) -> String {
        lanes.axis.map {
            "<line class=\"grid\" x1=\"\(percent($0.place))\" x2=\"\(percent($0.place))\" y1=\"0\" y2=\"100%\"/>"
        }
        .joined()
    }

    /// Around the origin.
    private static func mark(_ author: Block.LaneAuthor, isLarge: Bool) -> String {
        let path =
            switch (author, isLarge) {
            case (.app, false): "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0"
            case (.app, true): "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0"
            case (.cloud, false): "M0-5.5 5.5 0 0 5.5-5.5 0z"
            case (.cloud, true): "M0-13 13 0 0 13-13 0z"
            case (.meterfix, false): "M-4.5-4.5h9v9h-9z"
            case (.meterfix, true), (.other, true): "M-9-9h18v18h-18z"
            case (.other, false): "M-5 4.5h10L0-4.5z"
            case (.device, _): "M0-9v18"
            }
        return "<path class=\"mark \(author.rawValue)\" d=\"\(path)\"/>"
    }

    private static func number(_ number: Int, at place: Double, y: Int, isAlarming: Bool) -> String {
        let kind = isAlarming ? "event hot" : "event"
        return
            "<svg x=\"\(percent(place))\" y=\"\(y)\" overflow=\"visible\"><path class=\"\(kind)\" d=\"M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0\"/>"
            + "<text class=\"\(kind)\" y=\"4\">\(number)</text></svg>"
    }

    /// With one digit after the point, and room for a mark at both ends.
    private static func percent(_ place: Double) -> String {
        let tenths = Int((20 + min(max(place, 0), 1) * 960).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }
}
