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
            [
                .list(
                    questions.map { question in
                        question.answers.reduce(question.text) { "\($0) \(.strong($1.label)): \($1.text)" }
                    }, marker: .number)
            ]
        case .steps(let steps): [.list(steps.map { Self.line($0.title, $0.text, $0.state.word) }, marker: .number)]
        case .points(let points): [.list(points.map { Self.line($0.title, $0.text) }, marker: .dash)]
        case .figures(let pairs): [.pairs(pairs)]
        case .towers(_, _, let text): [.paragraph(Inline(text))]
        case .flow(let stations, let hops): [.list(Self.lines(stations, hops), marker: .dash)]
        case .lanes(let lanes):
            [
                .paragraph(Inline(lanes.title)), .table(Self.table(lanes.lanes)),
                .list(lanes.events.map { "\($0.date): \($0.text)" }, marker: .dash),
            ]
        case .contents: []
        case .place(_, let block): [block]
        case .heading, .section, .group, .paragraph, .prose, .list, .table, .pairs, .merging, .code, .note, .remark:
            [self]
        }
    }

    private static func table(_ lanes: [Lane]) -> Table {
        Table(
            ["who", "what", "when"],
            rows: lanes.map { lane in
                let marks = lane.marks.map { $0.count > 1 ? "\($0.label) (\($0.count))" : $0.label }
                return [.text(lane.name.text), .text(lane.remark), .text(marks.joined(separator: ", "))]
            })
    }

    private static func lines(_ stations: [Station], _ hops: [Hop]) -> [Inline] {
        var lines: [Inline] = []
        for (index, station) in stations.enumerated() {
            let details = station.lines.joined(separator: ", ")
            lines.append(details.text.isEmpty ? .strong(station.name) : "\(.strong(station.name)): \(details)")
            guard index < hops.count else { continue }
            for way in [hops[index].there, hops[index].back].compactMap(\.self) {
                lines.append(line(Inline(way.title), way.text))
            }
        }
        return lines
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

extension Block.StepState {
    fileprivate var word: String? {
        switch self {
        case .past: "done"
        case .now: "now"
        case .later: nil
        }
    }
}
