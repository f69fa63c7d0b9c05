internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The first screen of a report: the verdict, the letter, what happens next, and what is seen at first sight.
extension ReportText {
    /// How many records each meter had before the last repairs; nil where that is not known.
    private var earlierHeights: [Int]? { report.earlier.map { Self.heights($0.meters) } }

    private var records: Int { heights.reduce(0, +) }

    var verdict: Block {
        .verdict(
            .init(
                tone: letter.situation.tone, word: letter.word, title: letter.title, lead: letter.lead,
                isUrgent: letter.situation == .stop))
    }

    /// - Parameter cards: `openingCards`, of which the first is the letter.
    func entries(of cards: [Block.Card]) -> [Block.Entry] {
        [.init(.letter, "Letter")]
            + cards.dropFirst().compactMap { card in card.place.map { Block.Entry($0, card.heading.text) } }
    }

    var openingCards: [Block.Card] {
        var cards = [letterCard]
        if !letter.donts.isEmpty {
            cards.append(Block.Card(.warning, "What not to do", place: .warnings, [.points(letter.donts)]))
        }
        if !letter.steps.isEmpty {
            cards.append(Block.Card(.steps, "What happens next", place: .next, [.steps(letter.steps)]))
        }
        if !figures.isEmpty { cards.append(Block.Card(.aside, "At a glance", towers + [.figures(figures)])) }
        if !safety.isEmpty {
            cards.append(Block.Card(.aside, Inline(safetyHeading), place: .safety, [.points(safety)]))
        }
        return cards
    }

    /// The verdict and the letter, all that a ticket needs.
    var verdictAndLetter: [Block] { [verdict, .card(letterCard)] }

    private var letterCard: Block.Card {
        Block.Card(.letter, "For the owner of these meters", icon: .letter, place: .letter, letterBlocks)
    }

    private var letterBlocks: [Block] {
        var blocks: [Block] = [.prose(Inline(letter.greeting)), .prose(letter.opening)]
        if let one = letter.oneThing {
            blocks.append(.card(Block.Card(.request, "\(one.tag): \(one.title)", [.prose(one.text)])))
        }
        if let lead = letter.questionsLead { blocks.append(.prose(lead)) }
        blocks.append(.questions(letter.questions.map { .init(text: $0.text, answers: [$0.yes, $0.no]) }))
        return blocks + letter.notes.map(Block.prose) + [.group(letter.closing.map { .prose(Inline($0)) })]
    }

    // MARK: - At a glance

    /// Whether a repair is ahead that can be made of this file.
    private var isRepairAhead: Bool {
        if case .ahead = report.customer.repair { letter.situation != .unusable } else { false }
    }

    private var towers: [Block] {
        if let earlier = report.earlier, let before = earlierHeights {
            let date = earlier.madeAt.dateText(to: .day) ?? "before"
            return Self.towers(
                before, heights, "\(date): \(Phrase.entries(before.reduce(0, +)))", "now: \(Phrase.entries(records))")
        }
        guard isRepairAhead, heights.contains(where: { $0 > 1 }) else { return [] }
        return Self.towers(
            heights, heights.map { _ in 1 }, "now: \(Phrase.entries(records))",
            "after: \(Phrase.entries(heights.count))")
    }

    private static func towers(_ before: [Int], _ after: [Int], _ one: String, _ other: String) -> [Block] {
        let after = after.isEmpty ? before.map { _ in 0 } : after
        return [
            .towers(
                .init(caption: one, heights: before), after: .init(caption: other, heights: after),
                text: "\(one); \(other).")
        ]
    }

    private var figures: [Block.Pair] {
        guard report.customer.meters != nil else { return [] }
        var pairs: [Block.Pair] = []
        func add(_ number: String, _ words: String) { pairs.append(Block.Pair(number, Inline(words))) }
        func add(_ count: Int, _ one: String, _ many: String) { add("\(count)", count == 1 ? one : many) }
        if let before = earlierHeights, !letter.donts.isEmpty || heights.isEmpty {
            add("\(before.count) → \(heights.count)", "meters in this file")
        } else if let vanished = report.customer.vanished {
            add("\(vanished.deleted) → \(records)", "entries in this file")
        } else if let before = earlierHeights {
            add("\(before.reduce(0, +)) → \(records)", "entries, one per meter")
            add("\(report.earlier?.findings.count ?? 0) → \(report.checks.count(where: \.foundSomething))", "findings")
        } else if records > heights.count, isRepairAhead {
            add("\(records) → \(heights.count)", "entries, one per meter")
            add("0", "meters lost")
        } else {
            add(heights.count, "meter", "meters")
        }
        let questions = letter.questions.count
        if questions > 0 { add(questions, "question for the owner", "questions for the owner") }
        let reserved = report.customer.reservations.count
        if reserved > 0 { add(reserved, "meter reserved for too long", "meters reserved for too long") }
        let pending = (try? report.sync.get().mirror)?.objects.count ?? 0
        if pending > 0 { add(pending, "change pending for iCloud", "changes pending for iCloud") }
        return pairs
    }

    // MARK: - Safety

    private var safetyHeading: String {
        switch report.customer.repair {
        case .done, .forgotten: "How do we know?"
        case .none, .ahead, .impossible: letter.donts.isEmpty ? "Is this safe?" : "Can they come back?"
        }
    }

    private var safety: [Block.Point] {
        if !letter.donts.isEmpty { return comeback }
        let unchanged = Block.Point(.eye, .good, "Nothing has been changed", "This report only looks.")
        switch report.customer.repair {
        case .none: return []
        case .impossible, .forgotten: return [unchanged]
        case .ahead where letter.situation == .unusable: return [unchanged]
        case .ahead(let account):
            return [
                unchanged,
                .init(
                    .copy, .good, "Tried on a private copy first", "A repair that does not go as planned is not made."),
                .init(.list, .good, "Nothing typed gets lost", exceptions(account)),
                .init(.back, .good, "There is a way back", "The repair makes a backup first."),
            ]
        case .done(let account, _):
            let saved = (try? report.changes.get())?.items.count { $0.entry != nil } ?? 0
            return [
                saved == 0
                    ? .init(.copy, .good, "No backup is here", "It may be in another folder.")
                    : .init(
                        .copy, .good, "\(Phrase.count(saved, "backup was", "backups were")) made",
                        "One before each change."),
                .init(.list, .good, "Compared before saving", "The file differs only as planned."),
                account.gone == 0
                    ? .init(.eye, .good, "No meter is missing", "Each meter that was repaired is in this file.")
                    : .init(
                        .eye, .good, "\(Phrase.count(account.gone, "meter")) gone since",
                        "Somebody deleted them after the repair."),
                .init(.back, .good, "There is a way back", "Undo restores the file, byte for byte."),
            ]
        }
    }

    /// What is typed and will be nowhere.
    private func exceptions(_ repair: RepairSummary) -> Inline {
        let discarded = repair.choices.reduce(0) { $0 + $1.discarded.count }
        guard discarded > 0 else { return "Every name and unit is kept." }
        return
            "Except for \(Phrase.count(discarded, "value")), see the \(letter.questions.isEmpty ? "repair" : "questions")."
    }

    private var comeback: [Block.Point] {
        let lost = (try? report.lost?.get())?.values.count ?? 0
        var points: [Block.Point] = [
            .init(.devices, .note, "From another device", "If the app has not been opened there since.")
        ]
        if let earlier = report.earlier {
            let day = earlier.madeAt.dateText(to: .day) ?? "an unknown day"
            let meters = Phrase.count(earlierHeights?.count ?? 0, "meter")
            points.append(.init(.back, .good, "\(meters), from our backup", "As they were on \(day)."))
        }
        if lost > 0 {
            let values = Phrase.count(lost, "name or unit", "names and units")
            points.append(.init(.list, .good, "\(values), from this file", "What its log and free space still hold."))
        }
        switch report.customer.vanished?.author {
        case .otherDevice, .mirror(.reset):
            points.append(.init(.cloud, .warning, "Not from iCloud", "The data was deleted there."))
        case .mirror, .program, .meterfix, nil: break
        }
        return points
    }
}

extension CustomerLetter.Situation {
    fileprivate var tone: Tone {
        switch self {
        case .stop, .unusable: .error
        case .repairNeeded, .look: .warning
        case .repaired, .fine: .good
        }
    }
}

extension Phrase {
    /// `1 entry`, `7 entries`.
    static func entries(_ count: Int) -> String { Phrase.count(count, "entry", "entries") }
}
