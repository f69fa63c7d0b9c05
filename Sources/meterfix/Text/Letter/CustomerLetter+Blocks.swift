internal import Answer

extension CustomerLetter {
    /// The verdict and the letter.
    var blocks: [Block] {
        var blocks: [Block] = [.paragraph(.strong("\(word): ") + title), .prose(lead)]
        blocks.append(.prose(Inline("\(greeting) ") + opening))
        if let oneThing { blocks.append(.prose(.strong("\(oneThing.tag): \(oneThing.title). ") + oneThing.text)) }
        if let questionsLead { blocks.append(.prose(questionsLead)) }
        let answers = questions.map { question in
            question.text + Inline(" (\(question.yes.label): ") + question.yes.text
                + Inline(" \(question.no.label): ") + question.no.text + Inline(")")
        }
        if !answers.isEmpty { blocks.append(.list(answers, marker: .number)) }
        if !notes.isEmpty { blocks.append(.list(notes, marker: .dash)) }
        return blocks + [remark.map { .remark("\($0)") }].compactMap(\.self)
    }
}
