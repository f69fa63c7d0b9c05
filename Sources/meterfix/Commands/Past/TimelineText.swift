internal import Answer
internal import MeterInspect
internal import MeterModel
internal import Texts

/// Who changed what on which of several devices, and how meters came to have several records.
struct TimelineText {
    private let timeline: Timeline
    private let logs: [LogText]
    private let times: ShownTimes

    init(_ timeline: Timeline, _ request: ChangeLog.Request, _ times: ShownTimes) {
        self.timeline = timeline
        self.times = times
        let all = timeline.sources.map(\.log)
        logs = all.indices.map { place in
            let others = all.indices.filter { $0 != place }.map { all[$0] }
            return LogText(log: all[place], request: request, times: times, beside: others)
        }
    }

    var blocks: [Block] {
        let count = Phrase.count(timeline.total, "change")
        let shown = timeline.entries.count
        let number = timeline.total > shown ? "the last \(shown) of \(count)" : count
        let rest = timeline.total - shown
        var blocks = timeline.accounts.blocks(of: timeline.sources.map(\.log.store))
        blocks += [
            .heading("\(Phrase.count(timeline.sources.count, "store")): \(number), newest first"), .pairs(stores),
        ]
        blocks += stories + sections
        for source in timeline.sources {
            if let problem = source.log.pastProblem {
                blocks.append(.note(.note, "\(source.log.store): no values from the -wal: \(problem)"))
            }
        }
        if rest > 0 { blocks.append("… and \(rest) more; --limit N shows more of them, --json all") }
        return blocks
    }

    private var stores: [Block.Pair] {
        timeline.sources.map { source in
            let device =
                source.device.map { FieldText.name($0.names.first) ?? "the device \($0.id ?? "")" }
                ?? "no record says whose store it is"
            return Block.Pair(source.log.store, "\(device)\(source.log.hasHistory ? "" : "; it keeps no history")")
        }
    }

    private var stories: [Block] {
        guard !timeline.duplicates.isEmpty else { return [] }
        let shown = ShownPart(of: timeline.duplicates, most: 12, showsAll: times.showsAll)
        let told = shown.elements.map { story in
            Block.section(
                Inline.meter(story.address.text(in: timeline.letterCase), story.name),
                [.list(story.sentences.map { "\(times.sentence($0))" }, marker: .dash)])
        }
        return [.section("meters with several records", told + shown.remark)]
    }

    /// One for each transaction of a store.
    private var sections: [Block] {
        timeline.entries.runs { $0.change.transaction === $1.change.transaction }.map { entries in
            let first = entries[entries.startIndex]
            let log = logs[first.source]
            return .section(
                "\(label(first.source))  \(log.headline(first.change.transaction))",
                [.list(entries.map { line($0, in: log) })])
        }
    }

    private func line(_ entry: Timeline.Entry, in log: LogText) -> Inline {
        guard let origin = entry.origin else { return log.line(entry.change) }
        return "\(log.line(entry.change))  (saved on \(label(origin.source)) in transaction \(origin.transaction))"
    }

    private func label(_ source: Int) -> String {
        let source = timeline.sources[source]
        return FieldText.name(source.device?.names.first) ?? source.log.store
    }
}
