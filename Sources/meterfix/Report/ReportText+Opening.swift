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
        .verdict((letter.situation.tone, letter.word, letter.title, letter.lead, letter.situation == .stop))
    }

    var openingEntries: [Block.Entry] {
        [(.letter, "Letter", nil)] + (letter.donts.isEmpty ? [] : [(.warnings, "What not to do", nil)])
            + (letter.steps.isEmpty ? [] : [(.next, "What happens next", nil)])
            + (safety.isEmpty ? [] : [(.safety, safetyHeading, nil)])
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
        blocks.append(.questions(letter.questions.map { ($0.text, [$0.yes, $0.no]) }))
        return blocks + letter.notes.map(Block.prose) + [.group(letter.closing.map { .prose(Inline($0)) })]
    }

    // MARK: - At a glance

    /// Whether a repair is ahead that can be made of this file.
    private var isRepairAhead: Bool {
        if case .ahead = report.customer.repair { return letter.situation != .unusable }
        return false
    }

    private var towers: [Block] {
        if let earlier = report.earlier, let before = earlierHeights {
            let date = earlier.madeAt.dateText(to: .day) ?? "before"
            return [
                Self.towers(
                    before, heights, "\(date): \(Phrase.entries(before.reduce(0, +)))",
                    "now: \(Phrase.entries(records))")
            ]
        }
        guard isRepairAhead, heights.contains(where: { $0 > 1 }) else { return [] }
        return [
            Self.towers(
                heights, heights.map { _ in 1 }, "now: \(Phrase.entries(records))",
                "after: \(Phrase.entries(heights.count))")
        ]
    }

    private static func towers(_ before: [Int], _ after: [Int], _ one: String, _ other: String) -> Block {
        .towers((one, before), after: (other, after.isEmpty ? before.map { _ in 0 } : after), text: "\(one); \(other).")
    }

    private var figures: [Block.Pair] {
        guard report.customer.meters != nil else { return [] }
        var pairs: [Block.Pair] = []
        func add(_ number: String, _ words: String) { pairs.append(Block.Pair(number, Inline(words))) }
        if let before = earlierHeights, !letter.donts.isEmpty || heights.isEmpty {
            add("\(before.count) → \(heights.count)", "meters in this file")
        } else if let vanished = report.customer.vanished {
            add("\(vanished.deleted) → \(records)", "entries in this file")
        } else if let before = earlierHeights {
            add("\(before.reduce(0, +)) → \(records)", "entries, one per meter")
            add("\(report.earlier?.findings.count ?? 0) → \(found)", "findings")
        } else if records > heights.count, isRepairAhead {
            add("\(records) → \(heights.count)", "entries, one per meter")
            add("0", "meters lost")
        } else {
            add("\(heights.count)", heights.count == 1 ? "meter" : "meters")
        }
        if !letter.questions.isEmpty {
            add(
                "\(letter.questions.count)",
                letter.questions.count == 1 ? "question for the owner" : "questions for the owner")
        }
        let reserved = report.customer.reservations.count
        if reserved > 0 { add("\(reserved)", "\(reserved == 1 ? "meter" : "meters") reserved for too long") }
        if let mirror = try? report.sync.get().mirror, !mirror.objects.isEmpty {
            let count = mirror.objects.count
            add("\(count)", "\(count == 1 ? "change" : "changes") pending for iCloud")
        }
        return pairs
    }

    private var found: Int { report.checks.count(where: \.foundSomething) }

    // MARK: - Safety

    private var safetyHeading: String {
        switch report.customer.repair {
        case .done, .forgotten: "How do we know?"
        case .none, .ahead, .impossible: letter.donts.isEmpty ? "Is this safe?" : "Can they come back?"
        }
    }

    private var safety: [Block.Point] {
        if !letter.donts.isEmpty { return comeback }
        let unchanged = Self.point(.eye, "Nothing has been changed", "This report only looks.")
        switch report.customer.repair {
        case .none: return []
        case .impossible, .forgotten: return [unchanged]
        case .ahead where letter.situation == .unusable: return [unchanged]
        case .ahead(let account):
            return [
                unchanged,
                Self.point(.copy, "Tried on a private copy first", "A repair that does not go as planned is not made."),
                Self.point(.list, "Nothing typed gets lost", exceptions(account)),
                Self.point(.back, "There is a way back", "The repair makes a backup first."),
            ]
        case .done(let account, _):
            let saved = (try? report.backups.get())?.items.count ?? 0
            return [
                Self.point(
                    .copy,
                    saved == 0
                        ? "No backup is here" : "\(Phrase.count(saved, "backup")) \(saved == 1 ? "was" : "were") made",
                    saved == 0 ? "It may be in another folder." : "One before each change."),
                Self.point(.list, "Compared before saving", "The file differs only as planned."),
                Self.point(
                    .eye,
                    account.gone == 0 ? "No meter is missing" : "\(Phrase.count(account.gone, "meter")) gone since",
                    account.gone == 0
                        ? "Each meter that was repaired is in this file." : "Somebody deleted them after the repair."),
                Self.point(.back, "There is a way back", "Undo restores the file, byte for byte."),
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
            (.devices, .note, "From another device", "If the app has not been opened there since.")
        ]
        if let earlier = report.earlier {
            points.append(
                Self.point(
                    .back, "\(Phrase.count(earlierHeights?.count ?? 0, "meter")), from our backup",
                    "As they were on \(earlier.madeAt.dateText(to: .day) ?? "an unknown day")."))
        }
        if lost > 0 {
            points.append(
                Self.point(
                    .list, "\(Phrase.count(lost, "name or unit", "names and units")), from this file",
                    "What its log and free space still hold."))
        }
        switch report.customer.vanished?.author {
        case .otherDevice, .mirror(.reset):
            points.append((.cloud, .warning, "Not from iCloud", "The data was deleted there."))
        case .mirror, .program, .meterfix, nil: break
        }
        return points
    }

    private static func point(_ icon: Block.Icon, _ title: String, _ text: Inline) -> Block.Point {
        (icon, .good, Inline(title), text)
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
