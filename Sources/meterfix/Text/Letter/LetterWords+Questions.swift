internal import Answer
internal import MeterModel
internal import MeterRepair

/// What only the owner knows, as questions with yes and no.
extension LetterWords {
    private static let mostQuestions = 6

    /// Those of the letter, and how many more there are.
    var questions: (shown: [CustomerLetter.Question], rest: Int) {
        var asked: [(text: Inline, yes: Inline, no: Inline, choice: RepairAccount.Choice?)] = []
        switch concerns.first {
        case .vanished(let vanished): asked = questions(on: vanished)
        case .incomplete, .damaged, .recovered, .empty, .foreign, .newerApp: return ([], 0)
        case .storm, .placeLost, .otherAccount, .dataDeleted, .cloud, .putBack, nil: break
        }
        let choices = choices.asked
        asked += choices.prefix(most(Self.mostQuestions)).map { question($0) }
        let questions = asked.enumerated().map { index, question in
            CustomerLetter.Question(
                number: index + 1, text: question.text,
                yes: .init(speaker.text(.labelYes, index + 1), question.yes),
                no: .init(speaker.text(.labelNo, index + 1), question.no),
                address: question.choice?.meter.address, field: question.choice?.field)
        }
        return (questions, max(0, choices.count - most(Self.mostQuestions)))
    }

    /// Conflicts that are a question, and those that somebody has settled since.
    var choices: (asked: [RepairAccount.Choice], settled: [RepairAccount.Choice]) {
        let all: [RepairAccount.Choice] =
            switch account.repair {
            case .ahead(let repair), .done(let repair, _): repair.choices
            case .none, .impossible, .forgotten: []
            }
        return (
            all.filter { $0.isKept && !$0.value.isEmpty }, all.filter { !$0.isKept || $0.value.isEmpty }
        )
    }

    private func question(
        _ choice: RepairAccount.Choice
    ) -> (text: Inline, yes: Inline, no: Inline, choice: RepairAccount.Choice?) {
        var isAhead = false
        if case .ahead = account.repair { isAhead = true }
        let kept = value(choice.value, of: choice.field)
        let others = others(choice, isChoice: true)
        let text: LetterSentence =
            switch choice.field.known?.settable {
            case .name: isAhead ? .askName : .checkName
            case .unit: isAhead ? .askUnit : .checkUnit
            case nil: isAhead ? .askField : .checkField
            }
        let no: LetterSentence =
            choice.discarded.count == 1
            ? isAhead ? .becomes : .becomesAgain : isAhead ? .tellWhich : .tellWhichAgain
        return (
            say(text, choice.discarded.count + 1, values(of: choice)),
            isAhead ? say(.stays, nil, [.value: kept]) : say(.nothingChanges),
            say(no, nil, [.others: others]), choice
        )
    }

    /// What sentences on a choice have in them.
    func values(of choice: RepairAccount.Choice) -> [LetterPlaceholder: Inline] {
        [
            .value: value(choice.value, of: choice.field), .meter: meter(choice.meter.address, choice.meter.name),
            .field: speaker.quoted(choice.field.name), .others: others(choice, isChoice: false),
        ]
    }

    private func others(_ choice: RepairAccount.Choice, isChoice: Bool) -> Inline {
        let shown = choice.discarded.prefix(most())
        var parts = shown.map { value($0, of: choice.field) }
        if choice.discarded.count > shown.count {
            parts.append(say(.moreNames, choice.discarded.count - shown.count))
        }
        return speaker.language.list(parts, isChoice: isChoice)
    }

    private func questions(
        on vanished: CustomerAccount.Vanished
    ) -> [(text: Inline, yes: Inline, no: Inline, choice: RepairAccount.Choice?)] {
        let device = (say(.askOtherDevice), say(.askOtherDeviceYes), say(.askOtherDeviceNo))
        let purge = (say(.askPurge), say(.askPurgeYes), say(.askPurgeNo))
        return (vanished.isByApp ? [device] : [device, purge]).map { ($0.0, $0.1, $0.2, nil) }
    }
}
