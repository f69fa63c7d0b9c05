internal import Answer
internal import MeterModel
internal import MeterRepair

/// What only the owner knows, as questions with yes and no.
extension CustomerLetter {
    private static let mostQuestions = 6

    struct Asked {
        let text: Inline
        let yes: Inline
        let no: Inline
        /// Nil where it is not about one meter.
        var choice: RepairSummary.Choice?
    }

    /// Those of the letter, and how many more there are.
    var asked: (shown: [Question], rest: Int) {
        guard !isAboutAnotherFile else { return ([], 0) }
        let choices = choices.asked
        let asked = urgent.questions + choices.prefix(most(Self.mostQuestions)).map { question($0) }
        let questions = asked.enumerated().map { index, question in
            Question(
                number: index + 1, text: question.text,
                yes: .init(label: "\(index + 1) yes", text: question.yes),
                no: .init(label: "\(index + 1) no", text: question.no),
                address: question.choice?.meter.address, field: question.choice?.field)
        }
        return (questions, max(0, choices.count - most(Self.mostQuestions)))
    }

    /// Conflicts that are a question, and those that somebody has settled since.
    var choices: (asked: [RepairSummary.Choice], settled: [RepairSummary.Choice]) {
        let all = account.repair.summary?.choices ?? []
        return (all.filter { $0.isKept && !$0.value.isEmpty }, all.filter { !$0.isKept || $0.value.isEmpty })
    }

    private func question(_ choice: RepairSummary.Choice) -> Asked {
        let isAhead = if case .ahead = account.repair { true } else { false }
        let kept = value(choice.value, of: choice.field)
        let others = others(choice, "or")
        let values = Inline.count(choice.discarded.count + 1)
        let meter = meter(choice).withCapital
        let known: Inline =
            switch choice.field.known?.settable {
            case .name: isAhead ? "One meter has \(values) names." : "One meter had \(values) names."
            case .unit: "\(meter) \(isAhead ? "is" : "was") set to \(values) units."
            case nil: "\(meter) \(isAhead ? "has" : "had") \(values) values of \(Inline.typed(choice.field.name))."
            }
        let isOne = choice.discarded.count == 1
        if isAhead {
            return Asked(
                text: "\(known) Is \(kept) the right one?", yes: "It stays \(kept).",
                no: isOne ? "It becomes \(others)." : "Tell us which one: \(others).", choice: choice)
        }
        return Asked(
            text: "\(known) We kept \(kept). Is that right?", yes: "Nothing changes.",
            no: isOne
                ? "It becomes \(others) again. We still have it." : "Tell us which one: \(others). We still have them.",
            choice: choice)
    }

    func meter(_ choice: RepairSummary.Choice) -> Inline { meter(choice.meter.address, choice.meter.name) }

    /// The values that the meter does not have.
    func others(_ choice: RepairSummary.Choice, _ conjunction: String) -> Inline {
        var parts = choice.discarded.prefix(most()).map { value($0, of: choice.field) }
        if choice.discarded.count > parts.count { parts.append("\(choice.discarded.count - parts.count) more") }
        return Inline.list(parts, conjunction)
    }
}
