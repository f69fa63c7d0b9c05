internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// One meter of a repair: what differs in its records, and what they become.
extension ReportText {
    /// - Parameter change: the repair that is planned; nil for one that was made.
    func card(of meter: MeterPlan, in store: StoreSummary, _ change: ChangeReport?) -> Block.Part {
        let text = MeterText(meter: meter, letterCase: store.letterCase, names: store.names, times: times)
        let hasChoice = !meter.discarded.isEmpty || !meter.conflicts.isEmpty
        var part = Block.Part(
            Inline.name(text.name) ?? "no name", text.body(isDone: change == nil) + wayBack(meter, in: store, change))
        part.details = [.code(text.mac)]
        part.state = state(of: meter, hasChoice: hasChoice, isDone: change == nil)
        part.isOpen = hasChoice
        return part
    }

    private func state(of meter: MeterPlan, hasChoice: Bool, isDone: Bool) -> Block.Part.State {
        if hasChoice, let question = letter.questions.first(where: { $0.address == meter.address }) {
            return (.question, .warning, "Question \(question.number)")
        }
        let records = meter.deletions.count + 1
        guard records > 1 else {
            return (.check, .good, isDone ? "1 entry was put in order" : "1 entry is put in order")
        }
        guard hasChoice else {
            return (.check, .good, "\(records) entries \(isDone ? "became" : "become") 1, nothing is lost")
        }
        return (
            .discarded, .warning,
            "\(Phrase.count(meter.discarded.count, "value")) \(isDone ? "was" : "will be") discarded"
        )
    }

    /// How the other value can be had; nothing where none is discarded.
    private func wayBack(_ meter: MeterPlan, in store: StoreSummary, _ change: ChangeReport?) -> [Block] {
        guard !meter.discarded.isEmpty else { return [] }
        let text = DiscardedText(meter.discarded, in: store, change, times, backupWords: backupWords)
        return [.part("If the answer is no", text.blocks)]
    }
}
