internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The first screen of a report: the verdict, the letter, what happens next, and what is seen at first sight.
struct ReportOpening {
    private let page: ReportText
    private var report: TicketReport { page.report }
    private var words: CustomerLetter { page.letter }

    private var heights: [Int] { page.heights }
    /// The same before the last repairs; nil where that is not known.
    private let earlierHeights: [Int]?

    init(_ page: ReportText) {
        self.page = page
        earlierHeights = page.report.earlier.map { ReportText.heights($0.meters) }
    }

    private var now: Int { heights.reduce(0, +) }

    var verdict: Block {
        var verdict = Block.Verdict(words.situation.tone, words.word, title: words.title, lead: words.lead)
        verdict.isUrgent = words.situation == .stop
        return .verdict(verdict)
    }

    var entries: [Block.Entry] {
        [Block.Entry(.letter, "Letter")] + (words.donts.isEmpty ? [] : [Block.Entry(.warnings, "What not to do")])
            + (words.steps.isEmpty ? [] : [Block.Entry(.next, "What happens next")])
            + (safety.isEmpty ? [] : [Block.Entry(.safety, safetyHeading)])
    }

    var cards: [Block.Card] {
        var cards = [letterCard]
        if !words.donts.isEmpty {
            cards.append(
                Block.Card(.warning, "What not to do", place: .warnings, [.points(words.donts)]))
        }
        if !words.steps.isEmpty {
            cards.append(Block.Card(.steps, "What happens next", place: .next, [.steps(words.steps)]))
        }
        if !figures.isEmpty { cards.append(Block.Card(.aside, "At a glance", towers + [.figures(figures)])) }
        if !safety.isEmpty {
            cards.append(Block.Card(.aside, Inline(safetyHeading), place: .safety, [.points(safety)]))
        }
        return cards
    }

    /// The verdict and the letter, all that a ticket needs.
    var letter: [Block] { [verdict, .card(letterCard)] }

    private var letterCard: Block.Card {
        Block.Card(.letter, "For the owner of these meters", icon: .letter, place: .letter, letterBlocks)
    }

    private var letterBlocks: [Block] {
        var blocks: [Block] = [.prose(Inline(words.greeting)), .prose(words.opening)]
        if let one = words.oneThing {
            blocks.append(.card(Block.Card(.request, "\(one.tag): \(one.title)", [.prose(one.text)])))
        }
        if let lead = words.questionsLead { blocks.append(.prose(lead)) }
        blocks.append(.questions(words.questions.map { Block.Question($0.text, [$0.yes, $0.no]) }))
        return blocks + words.notes.map(Block.prose) + [.group(words.closing.map { .prose(Inline($0)) })]
    }

    // MARK: - At a glance

    /// Whether a repair is ahead that can be made of this file.
    private var isRepairAhead: Bool {
        if case .ahead = report.customer.repair { return words.situation != .unusable }
        return false
    }

    private var towers: [Block] {
        if let earlier = report.earlier, let before = earlierHeights {
            let date = earlier.madeAt.dateText(to: .day) ?? "before"
            return [
                Self.towers(
                    before, heights, "\(date): \(Phrase.entries(before.reduce(0, +)))", "now: \(Phrase.entries(now))")
            ]
        }
        guard isRepairAhead, heights.contains(where: { $0 > 1 }) else { return [] }
        return [
            Self.towers(
                heights, heights.map { _ in 1 }, "now: \(Phrase.entries(now))",
                "after: \(Phrase.entries(heights.count))")
        ]
    }

    private static func towers(_ before: [Int], _ after: [Int], _ one: String, _ other: String) -> Block {
        .towers(
            Block.Towers(
                .init(one, before), .init(other, after.isEmpty ? before.map { _ in 0 } : after),
                text: "\(one); \(other)."))
    }

    private var figures: [Block.Pair] {
        guard report.customer.meters != nil else { return [] }
        var pairs: [Block.Pair] = []
        func add(_ number: String, _ words: String) { pairs.append(Block.Pair(number, Inline(words))) }
        if let before = earlierHeights, !words.donts.isEmpty || heights.isEmpty {
            add("\(before.count) → \(heights.count)", "meters in this file")
        } else if let vanished = report.customer.vanished {
            add("\(vanished.deleted) → \(now)", "entries in this file")
        } else if let before = earlierHeights {
            add("\(before.reduce(0, +)) → \(now)", "entries, one per meter")
            add("\(report.earlier?.findings.count ?? 0) → \(found)", "findings")
        } else if now > heights.count, isRepairAhead {
            add("\(now) → \(heights.count)", "entries, one per meter")
            add("0", "meters lost")
        } else {
            add("\(heights.count)", heights.count == 1 ? "meter" : "meters")
        }
        if !words.questions.isEmpty {
            add(
                "\(words.questions.count)",
                words.questions.count == 1 ? "question for the owner" : "questions for the owner")
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
        case .none, .ahead, .impossible: words.donts.isEmpty ? "Is this safe?" : "Can they come back?"
        }
    }

    private var safety: [Block.Point] {
        if !words.donts.isEmpty { return comeback }
        let unchanged = Self.point(.eye, "Nothing has been changed", "This report only looks.")
        switch report.customer.repair {
        case .none: return []
        case .impossible, .forgotten: return [unchanged]
        case .ahead where words.situation == .unusable: return [unchanged]
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
            "Except for \(Phrase.count(discarded, "value")), see the \(words.questions.isEmpty ? "repair" : "questions")."
    }

    private var comeback: [Block.Point] {
        let lost = (try? report.lost?.get())?.values.count ?? 0
        var points = [
            Block.Point(.devices, .note, "From another device", "If the app has not been opened there since.")
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
            points.append(Block.Point(.cloud, .warning, "Not from iCloud", "The data was deleted there."))
        case .mirror, .program, .meterfix, nil: break
        }
        return points
    }

    private static func point(_ icon: Block.Icon, _ title: String, _ text: Inline) -> Block.Point {
        Block.Point(icon, .good, Inline(title), text)
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
