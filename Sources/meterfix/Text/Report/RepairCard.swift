internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// One meter of a repair: what differs in its records, and what they become.
struct RepairCard {
    private let meter: MeterPlan
    private let report: Report
    private let page: ReportText
    private let isDone: Bool

    /// - Parameters:
    ///   - report: of the repair, or of the store after it.
    ///   - isDone: whether it was made.
    init(_ meter: MeterPlan, _ report: Report, _ page: ReportText, isDone: Bool) {
        self.meter = meter
        self.report = report
        self.page = page
        self.isDone = isDone
    }

    private var mac: String { meter.address?.text(in: report.letterCase) ?? "no usable address" }

    var part: Block.Part {
        let text = MeterText(meter, in: report.letterCase, names: report.names, page.times)
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
        let text = DiscardedText(meter.discarded, of: report, page.times, backupWords: page.backupWords)
        return meter.discarded.isEmpty ? nil : .part(Block.Part("If the answer is no", text.blocks))
    }
}
