internal import Answer
internal import MeterModel
internal import MeterRepair

/// The letter to the owner of the meters, and the verdict above it: what is or was wrong, what was or will be done, the one
/// thing to do, and what only the owner knows, in words that need no explanation.
struct CustomerLetter {
    /// What the verdict's icon and color are made of.
    enum Situation {
        /// Something is lost as soon as somebody opens the app.
        case stop
        /// Another file is needed, or a newer meterfix.
        case unusable
        case repairNeeded
        case repaired
        /// No repair is ahead, and there is something to look at.
        case look
        case fine
    }

    /// The one thing to do.
    struct Task {
        let tag: String
        let title: String
        let text: Inline

        /// - Parameter isUrgent: whether something is lost until it is done.
        init(_ title: String, _ text: Inline, isUrgent: Bool = false) {
            tag = isUrgent ? "One thing to do, now" : "One thing to do"
            (self.title, self.text) = (title, text)
        }
    }

    /// A question that a person answers with yes or no, and what follows.
    struct Question {
        /// From 1.
        let number: Int
        let text: Inline
        /// What follows from each answer; the label is what the owner writes: `1 yes`.
        let yes: Block.Answer
        let no: Block.Answer
        /// Nil where it is not about one meter.
        let address: MACAddress?
        /// Of which the meter has several values; nil where it is about something else.
        let field: RecordLayout.Field?

        /// It, and what follows from each answer.
        var lines: [String] { [text.text] + [yes, no].map { "\($0.label): \($0.text.text)" } }
    }

    let account: CustomerSummary
    /// The most urgent first.
    let concerns: [OwnerIssue]
    let letterCase: LetterCase
    let showsAll: Bool
    let greeting = "Hello,"
    private(set) var questions: [Question] = []
    /// What else the owner should know or check, in whole sentences.
    private(set) var notes: [Inline] = []
    let closing = ["Kind regards,", "USB Meter support"]

    /// - Parameter showsAll: whether it has all names, questions and notes, however many they are.
    init(_ account: CustomerSummary, in letterCase: LetterCase, showsAll: Bool) {
        self.account = account
        self.letterCase = letterCase
        self.showsAll = showsAll
        concerns = OwnerIssue.all(of: account)
        let asked = asked
        questions = asked.shown
        notes = notes(furtherQuestions: asked.rest)
    }

    /// The questions and notes, a paragraph each.
    var checks: [String] { questions.map { $0.lines.joined(separator: " ") } + notes.map(\.text) }
}

extension CustomerSummary.Repair {
    /// What is or was repaired; nil where nothing is, or where that is not known.
    var summary: RepairSummary? {
        switch self {
        case .ahead(let summary), .done(let summary, _): summary
        case .none, .impossible, .forgotten: nil
        }
    }
}

/// How the parts of its sentences are written.
extension CustomerLetter {
    /// Names in a sentence, and notes, without `--verbose`.
    private static let mostNames = 12

    /// How many of a list are shown.
    func most(_ number: Int = Self.mostNames) -> Int { showsAll ? .max : number }

    /// `on 22 November`, or `at an unknown time`.
    func day(_ time: Timestamp?) -> Inline { time.flatMap(date).map { "on \($0)" } ?? "at an unknown time" }

    func date(_ time: Timestamp) -> String? { time.dateInLetter(now: account.now) }

    /// Its name, or else its address.
    func meter(_ address: MACAddress?, _ name: String?) -> Inline {
        if let name = Inline.name(name) { return name }
        return address.map { "the meter \($0.text(in: letterCase))" } ?? "a meter without a name"
    }

    /// The beginning of a list of names, and how many meters have none; nil where all have none.
    func names(_ names: [String?]) -> Inline? {
        let known = names.compactMap(Inline.name)
        guard !known.isEmpty else { return nil }
        var parts = Array(known.prefix(most()))
        if known.count > parts.count { parts.append("\(known.count - parts.count) more") }
        if known.count < names.count { parts.append("\(Inline.count(names.count - known.count)) without a name") }
        return Inline.list(parts)
    }

    /// The end of a sentence about meters: their names, or that they have none.
    func named(_ meters: [RepairSummary.Meter]) -> Inline {
        if let names = names(meters.map(\.name)) { return ": \(names)." }
        return meters.count == 1 ? ". It has no name." : ". None of them has a name."
    }

    /// `twice`, `3 times`, or `twice or more`.
    func often(_ repair: RepairSummary) -> String {
        guard let copies = repair.copies, copies.lowerBound == copies.upperBound else { return "twice or more" }
        return copies.lowerBound == 2 ? "twice" : "\(copies.lowerBound) times"
    }

    /// A value of a field, as its owner knows it.
    func value(_ value: FieldValue, of field: RecordLayout.Field) -> Inline {
        if field.known == .tc66TemperatureUnit, let unit = value.text.flatMap(TemperatureUnit.init(rawValue:)) {
            switch unit {
            case .celsius: return "Celsius"
            case .fahrenheit: return "Fahrenheit"
            }
        }
        return value.isEmpty ? "–" : Inline.typed(FieldText.value(value, field.kind))
    }
}
