internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// One meter of a repair: what differs in its records, and what they become.
struct RepairCard {
    private let meter: MeterPlan
    private let store: StoreSummary
    /// Of the repair; nil where it was made once.
    private let change: ChangeReport?
    private let page: ReportText

    /// - Parameters:
    ///   - change: the repair that is planned; nil for one that was made.
    init(_ meter: MeterPlan, in store: StoreSummary, _ change: ChangeReport?, _ page: ReportText) {
        self.meter = meter
        self.store = store
        self.change = change
        self.page = page
    }

    private var isDone: Bool { change == nil }

    private var mac: String { meter.address?.text(in: store.letterCase) ?? "no usable address" }

    var part: Block.Part {
        let text = MeterText(meter, in: store.letterCase, names: store.names, page.times)
        let conflicts = !meter.discarded.isEmpty || !meter.conflicts.isEmpty
        var part = Block.Part(
            .name(text.name, orElse: "no name"), text.body(isDone: isDone) + [wayBack].compactMap(\.self))
        part.details = [.code(mac)]
        part.state = state(conflicts: conflicts)
        part.isOpen = conflicts
        return part
    }

    private func state(conflicts: Bool) -> Block.Part.State {
        let question = page.letter.questions.first { $0.address == meter.address }
        if conflicts, let question {
            return .init(.question, .warning, "Question \(question.number)")
        }
        let records = meter.deletions.count + 1
        let verb = isDone ? "became" : "become"
        guard records > 1 else {
            return .init(.check, .good, isDone ? "1 entry was put in order" : "1 entry is put in order")
        }
        return conflicts
            ? .init(
                .discarded, .warning,
                "\(Phrase.count(meter.discarded.count, "value")) \(isDone ? "was" : "will be") discarded")
            : .init(.check, .good, "\(records) entries \(verb) 1, nothing is lost")
    }

    /// How the other value can be had; nil where nothing is discarded.
    private var wayBack: Block? {
        let text = DiscardedText(meter.discarded, in: store, change, page.times, backupWords: page.backupWords)
        return meter.discarded.isEmpty ? nil : .part(Block.Part("If the answer is no", text.blocks))
    }
}
