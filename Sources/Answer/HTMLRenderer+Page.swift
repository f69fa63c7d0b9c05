/// The parts of a page that is read by several people.
extension HTMLRenderer {
    func write(_ verdict: Block.Verdict, to sink: (String) -> Void) {
        let kind = verdict.tone == .good ? "ok" : verdict.isUrgent ? "bad stop" : "bad"
        sink("<section class=\"verdict \(kind)\" aria-labelledby=\"verdict\">\n")
        sink("<p class=\"word\">\(verdict.tone.icon.svg())\(Self.escaped(verdict.word))</p>\n")
        sink("<h1 id=\"verdict\">\(Self.inline(verdict.title))</h1>\n")
        if !verdict.lead.text.isEmpty { sink("<p>\(Self.inline(verdict.lead))</p>\n") }
        sink("</section>\n")
    }

    /// The first screen: a letter, and beside it what is seen at first sight.
    mutating func write(_ opening: [Block.Card], depth: Int, to sink: (String) -> Void) {
        sink("<div class=\"top\">\n")
        for card in opening where card.role != .aside { write(card, depth: depth, to: sink) }
        let asides = opening.filter { $0.role == .aside }
        if !asides.isEmpty {
            sink("<div class=\"rail\">\n")
            for card in asides { write(card, depth: depth, to: sink) }
            sink("</div>\n")
        }
        sink("</div>\n")
    }

    mutating func write(_ card: Block.Card, depth: Int, to sink: (String) -> Void) {
        let level = card.role == .request ? 3 : headings.level(ofSection: depth)
        let tag = card.role == .request ? "div" : "section"
        let place = card.place.map { " id=\"\($0.rawValue)\"" } ?? ""
        sink("<\(tag) class=\"card \(card.role.rawValue)\"\(place)>\n")
        let icon = card.icon.map { $0.svg() } ?? ""
        if !card.heading.text.isEmpty { sink("<h\(level)>\(icon)\(Self.inline(card.heading))</h\(level)>\n") }
        // No level is left out below a card without a heading.
        let inside = card.heading.text.isEmpty ? depth : depth + 1
        for block in card.blocks { write(block, depth: inside, to: sink) }
        sink("</\(tag)>\n")
    }

    mutating func write(_ part: Block.Part, depth: Int, to sink: (String) -> Void) {
        let level = headings.level(ofSection: depth)
        let state = part.state.map {
            " <span class=\"state \($0.tone.rawValue)\">\($0.icon.svg())\(Self.escaped($0.text))</span>"
        }
        let line =
            "<h\(level)>\(Self.inline(part.title))</h\(level)>"
            + part.details.map { " <span class=\"faint\">\(Self.inline($0))</span>" }.joined() + (state ?? "")
        let (start, end) =
            part.blocks.isEmpty || part.isOpen
            ? ("<div class=\"part\"><div class=\"line\">\(line)</div>\n", "</div>\n")
            : ("<details class=\"part\"><summary class=\"line\">\(line)</summary>\n", "</details>\n")
        sink(start)
        for block in part.blocks { write(block, depth: depth + 1, to: sink) }
        sink(end)
    }

    static func write(_ questions: [Block.Question], to sink: (String) -> Void) {
        write(questions, in: "ol", "asks", to: sink) { question in
            sink("<li><p>\(inline(question.text))</p>\n<ul>\n")
            for answer in question.answers {
                sink("<li><b class=\"say\">\(escaped(answer.label))</b> <span>\(inline(answer.text))</span></li>\n")
            }
            sink("</ul></li>\n")
        }
    }

    static func write(_ steps: [Block.Step], to sink: (String) -> Void) {
        write(steps, in: "ol", "path", to: sink) { step in
            sink("<li class=\"\(step.state.rawValue)\">\(sentences(step.title, step.text))</li>\n")
        }
    }

    static func write(_ points: [Block.Point], to sink: (String) -> Void) {
        write(points, in: "ul", "points", to: sink) { point in
            sink("<li>\(point.icon.svg("i \(point.tone.rawValue)"))\(sentences(point.title, point.text))</li>\n")
        }
    }

    private static func sentences(_ title: Inline, _ text: Inline) -> String {
        "<b>\(inline(title))</b>" + (text.text.isEmpty ? "" : "<p>\(inline(text))</p>")
    }

    static func write(figures: [Block.Pair], to sink: (String) -> Void) {
        write(figures, in: "dl", "figures", to: sink) { figure in
            let words = figure.values.map { "<dd>\(inline($0))</dd>" }.joined()
            sink("<div><dt>\(escaped(figure.key))</dt>\(words)</div>\n")
        }
    }

    static func write(_ contents: [Block.Entry], to sink: (String) -> Void) {
        guard !contents.isEmpty else { return }
        sink("<nav class=\"contents\" aria-labelledby=\"contents\">\n<p id=\"contents\">On this page</p>\n<ul>\n")
        for entry in contents {
            let count = entry.count.flatMap { $0 > 0 ? $0 : nil }.map { " <span class=\"faint\">\($0)</span>" } ?? ""
            sink("<li><a href=\"#\(entry.place.rawValue)\">\(escaped(entry.title))\(count)</a></li>\n")
        }
        sink("</ul>\n</nav>\n")
    }
}
