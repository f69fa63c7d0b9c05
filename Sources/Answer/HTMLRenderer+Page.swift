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
        if !card.heading.text.isEmpty {
            sink("<h\(level)>\(icon)\(Self.inline(card.heading))</h\(level)>\n")
        }
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
        guard !questions.isEmpty else { return }
        sink("<ol class=\"asks\">\n")
        for question in questions {
            sink("<li><p>\(inline(question.text))</p>\n<ul>\n")
            for answer in question.answers {
                sink("<li><b class=\"say\">\(escaped(answer.label))</b> <span>\(inline(answer.text))</span></li>\n")
            }
            sink("</ul></li>\n")
        }
        sink("</ol>\n")
    }

    static func write(_ steps: [Block.Step], to sink: (String) -> Void) {
        guard !steps.isEmpty else { return }
        sink("<ol class=\"path\">\n")
        for step in steps {
            sink("<li class=\"\(step.state.rawValue)\"><b>\(inline(step.title))</b>")
            sink(step.text.text.isEmpty ? "</li>\n" : "<p>\(inline(step.text))</p></li>\n")
        }
        sink("</ol>\n")
    }

    static func write(_ points: [Block.Point], to sink: (String) -> Void) {
        guard !points.isEmpty else { return }
        sink("<ul class=\"points\">\n")
        for point in points {
            sink("<li>\(point.icon.svg("i \(point.tone.rawValue)"))<b>\(inline(point.title))</b>")
            sink(point.text.text.isEmpty ? "</li>\n" : "<p>\(inline(point.text))</p></li>\n")
        }
        sink("</ul>\n")
    }

    static func write(figures: [Block.Pair], to sink: (String) -> Void) {
        guard !figures.isEmpty else { return }
        sink("<dl class=\"figures\">\n")
        for figure in figures {
            let words = figure.values.map { "<dd>\(inline($0))</dd>" }.joined()
            sink("<div><dt>\(escaped(figure.key))</dt>\(words)</div>\n")
        }
        sink("</dl>\n")
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
