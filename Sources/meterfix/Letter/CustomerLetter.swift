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
        /// There is nothing to repair, and something to look at.
        case look
        case fine
    }

    /// The one thing to do.
    struct Task {
        let tag: String
        let title: String
        let text: Inline
    }

    /// A question that a person answers with yes or no, and what follows.
    struct Question {
        /// From 1.
        let number: Int
        let text: Inline
        /// What follows from each answer; the label is what the owner writes: `1 yes`.
        let yes: Block.Question.Answer
        let no: Block.Question.Answer
        /// Nil where it is not about one meter.
        let address: MACAddress?
        /// Of which the meter has several values; nil where it is about something else.
        let field: RecordLayout.Field?

    }

    let situation: Situation
    /// `Repair needed`.
    let word: String
    /// Without a full stop.
    let title: Inline
    /// One to three sentences below it.
    let lead: Inline
    let greeting = "Hello,"
    let opening: Inline
    /// Nil where there is nothing to do.
    let oneThing: Task?
    /// Nil where the questions are the one thing to do, and where there are none.
    let questionsLead: Inline?
    let questions: [Question]
    /// What else the owner should know or check, in whole sentences.
    let notes: [Inline]
    let closing = ["Kind regards,", "USB Meter support"]
    let steps: [Block.Step]
    /// Only where meters vanished.
    let donts: [Block.Point]

    /// - Parameter showsAll: whether it has all names, questions and notes, however many they are.
    init(_ account: CustomerSummary, in letterCase: LetterCase, showsAll: Bool) {
        let words = LetterWords(account, in: letterCase, showsAll: showsAll)
        let asked = words.questions
        questions = asked.shown
        notes = words.notes(furtherQuestions: asked.rest)
        situation = words.situation
        word = words.word
        title = words.title
        lead = words.lead(questions: questions.count, notes: notes.count)
        opening = words.opening
        oneThing = words.task(questions: questions.count)
        questionsLead = words.questionsLead(questions: questions.count)
        steps = LetterSteps(account, words.concerns.first, questions: questions.count).all
        donts = account.vanished == nil ? [] : Self.donts
    }

    /// The questions and notes, a paragraph each.
    var checks: [String] { questions.map { lines(of: $0).joined(separator: " ") } + notes.map(\.text) }

    /// The letter to copy, a paragraph on each line.
    var text: String {
        var parts = [greeting, opening.text]
        if let oneThing { parts.append("\(oneThing.tag): \(oneThing.title)\n\(oneThing.text.text)") }
        if let questionsLead { parts.append(questionsLead.text) }
        parts += questions.map { lines(of: $0).joined(separator: "\n") }
        if !notes.isEmpty { parts.append(notes.map { "- \($0.text)" }.joined(separator: "\n")) }
        return (parts + [closing.joined(separator: "\n")]).joined(separator: "\n\n") + "\n"
    }

    /// A question, and what follows from each answer.
    private func lines(of question: Question) -> [String] {
        [question.text.text]
            + [question.yes, question.no].map { "\($0.label): \($0.text.text)" }
    }
}
