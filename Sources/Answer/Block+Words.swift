extension Block {
    /// The same in blocks of text, for what draws nothing: a terminal, a ticket.
    var inWords: [Block] {
        switch self {
        case .verdict(let verdict):
            [.heading("\(.tone(verdict.tone, verdict.word)): \(verdict.title)"), .prose(verdict.lead)]
        case .opening(let cards): cards.map(Block.card)
        case .card(let card): [.section(card.heading, card.blocks)]
        case .part(let part): [.section(part.line, part.blocks)]
        case .questions(let questions):
            questions.isEmpty
                ? []
                : [
                    .list(
                        questions.map { question in
                            question.answers.reduce(question.text) { "\($0) \(.strong($1.label)): \($1.text)" }
                        }, marker: .number)
                ]
        case .steps(let steps):
            steps.isEmpty
                ? [] : [.list(steps.map { Self.line($0.title, $0.text, $0.state.word) }, marker: .number)]
        case .points(let points):
            points.isEmpty ? [] : [.list(points.map { Self.line($0.title, $0.text) }, marker: .dash)]
        case .figures(let pairs): [.pairs(pairs)]
        case .towers(let towers): [.paragraph(Inline(towers.text))]
        case .flow(let flow): [.list(flow.lines, marker: .dash)]
        case .lanes(let lanes):
            [.paragraph(Inline(lanes.title)), .table(lanes.table)]
                + (lanes.events.isEmpty ? [] : [.list(lanes.events.map { "\($0.date): \($0.text)" }, marker: .dash)])
        case .contents: []
        case .place(_, let block): [block]
        case .heading, .section, .group, .paragraph, .prose, .list, .table, .pairs, .merging, .code, .note, .remark,
            .deferred:
            [self]
        }
    }

    private static func line(_ title: Inline, _ text: Inline, _ word: String? = nil) -> Inline {
        let start = word.map { "\(title) (\($0))" } ?? title
        return text.text.isEmpty ? start : "\(start): \(text)"
    }
}

extension Block.Part {
    /// What it is, in a line.
    var line: Inline {
        let start = details.reduce(title) { "\($0)  \($1)" }
        return state.map { "\(start)  \(.tone($0.tone, $0.text))" } ?? start
    }
}

extension Block.Step.State {
    fileprivate var word: String? {
        switch self {
        case .past: "done"
        case .now: "now"
        case .later: nil
        }
    }
}

extension Block.Flow {
    fileprivate var lines: [Inline] {
        var lines: [Inline] = []
        for (index, station) in stations.enumerated() {
            let details = station.lines.reduce(Inline("")) { $0.text.isEmpty ? $1 : "\($0), \($1)" }
            lines.append(details.text.isEmpty ? .strong(station.name) : "\(.strong(station.name)): \(details)")
            guard index < hops.count else { continue }
            for way in [hops[index].there, hops[index].back].compactMap(\.self) {
                lines.append(way.text.text.isEmpty ? "\(way.title)" : "\(way.title): \(way.text)")
            }
        }
        return lines
    }
}
