internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What a repair will do, what one did, or what is known of meters that are gone.
extension ReportText {
    /// Meters that are listed without `--verbose`; fewer of them are drawn.
    private static let mostListed = 300

    var repair: [Section] {
        let isGone = report.customer.vanished != nil || report.customer.former != nil
        let sections =
            switch report.customer.repair {
            case _ where isGone: [former]
            case .done: [comparison, merged, planned]
            case .none, .ahead, .impossible, .forgotten: [planned]
            }
        return sections.compactMap(\.self)
    }

    // MARK: - Ahead

    private var planned: Section? {
        switch report.outlook {
        case .inapplicable: return nil
        case .refused(let error):
            return section("Why this file cannot be repaired as it is", nil, Self.blocks(error))
        case .planned(let planned):
            let plan = planned.plan
            // What is left then is only noted.
            if case .done = report.customer.repair { return nil }
            guard !plan.isEmpty else {
                let isWell =
                    report.status.alerts.isEmpty
                    && report.verification.findings.allSatisfy { $0.severity == .note }
                let nothing: Inline =
                    isWell
                    ? .tone(.good, "There is nothing to repair: each meter is stored once.")
                    : "A repair would change nothing."
                return section("The repair", nil, [.paragraph(nothing)])
            }
            let numbers = plan.numbersOfFixes
            guard case .ahead = report.customer.repair else {
                return section("The repair", nil, ["Planned: \(numbers).", next(planned)])
            }
            let meters = Array(plan.changedMeters)
            let steps = letter.situation == .stop ? [] : planned.stepsBefore.blocks(under: "before that")
            return section(
                letter.situation == .unusable
                    ? "What a repair of this part would do" : "What the repair will do", meters.count,
                ["Planned: \(numbers). What is marked goes into the result."]
                    + cards(meters, in: planned.storeSummary, planned) + steps + [next(planned)])
        }
    }

    private func section(_ heading: Inline, _ count: Int?, _ blocks: [Block]) -> Section {
        Section(.repair, "The repair", count, heading: heading, blocks)
    }

    private func next(_ report: ChangeReport) -> Block {
        NextStep.line(NextStep.command(["fix --all"] + backupWords, on: report.store))
    }

    /// Conflicts first, open; what loses nothing in a line each; the rest in a table.
    private func cards(_ meters: [MeterPlan], in store: StoreSummary, _ change: ChangeReport?) -> [Block] {
        let conflicts = meters.filter { !$0.discarded.isEmpty || !$0.conflicts.isEmpty }
        let others = meters.filter { $0.discarded.isEmpty && $0.conflicts.isEmpty }
        let open = ShownPart(of: conflicts, most: 20, showsAll: showsAll)
        let folded = ShownPart(of: others, most: 30, showsAll: showsAll)
        let rest = Array(conflicts[open.elements.endIndex...] + others[folded.elements.endIndex...])
        let listed = ShownPart(of: rest, most: Self.mostListed, showsAll: showsAll)
        var blocks: [Block] = (open.elements + folded.elements).map { .part(card(of: $0, in: store, change)) }
        if !listed.elements.isEmpty {
            blocks.append(
                .part(
                    "\(Phrase.count(rest.count, "more meter"))",
                    [.table(table(of: listed.elements, in: store))] + listed.remark))
        }
        return blocks
    }

    private func table(of meters: ArraySlice<MeterPlan>, in store: StoreSummary) -> Block.Table {
        let rows: [[Block.Cell]] = meters.map { meter in
            let row = meter.winner?.row ?? meter.update?.row
            let values = meter.discarded.map { given in
                let value = FieldText.quoted([given.value], given.field.kind, times)[0]
                return given.field.known == .meterName ? value : "\(given.field.name) \(value)"
            }
            return [
                .meter(meter.address?.text(in: store.letterCase) ?? "no usable address", meter.nameAfter),
                .number("\(meter.deletions.count + (row == nil ? 0 : 1))"), .text(row.map { "row \($0)" } ?? "–"),
                .remark(values.isEmpty ? "–" : values.joined(separator: ", ")),
            ]
        }
        return Block.Table(["meter", .number("records"), "kept", "discarded"], rows: rows)
    }

    // MARK: - Done

    /// Each meter before the last repairs, and now.
    private var comparison: Section? {
        guard let earlier = report.earlier, let now = try? report.meters.get() else { return nil }
        let after = Dictionary(now.compactMap { meter in meter.address.map { ($0, meter) } }) { $1 }
        let before = earlier.meters.filter { $0.address != nil }
        let known = Set(before.compactMap(\.address))
        let others = now.filter { $0.address.map { !known.contains($0) } ?? false }
        let pairs: [(MeterSummary?, MeterSummary?)] =
            before.map { ($0, $0.address.flatMap { after[$0] }) } + others.map { (nil, $0) }
        let changed = pairs.filter { Self.words($0) != Self.words($1) }
        let shown = ShownPart(of: changed, most: Self.mostListed, showsAll: showsAll)
        let rows = shown.elements.compactMap { one, other -> [Block.Cell]? in
            guard let meter = other ?? one, let address = meter.address else { return nil }
            return [
                .text(meter.name ?? "no name"), .code(address.text(in: report.verification.letterCase)),
                .remark(Self.words(one)), .remark(Self.words(other)), .remark(Self.change(one, other)),
            ]
        }
        let table = Block.Table(["meter", "address", "before", "now", "state"], isStacked: true, rows: rows)
        let same = pairs.count - changed.count
        let day = earlier.madeAt.dateText(to: .day) ?? "an unknown day"
        let lead =
            "\(Phrase.count(changed.count, "meter")) changed since the backup of \(day)"
            + (same == 0 ? "." : "; \(Phrase.count(same, "is", "are")) as before.")
        return Section(
            .repair, "Before and after", pairs.count, heading: "Before and after",
            [.paragraph(Inline(lead))] + (changed.isEmpty ? [] : [.table(table)]) + shown.remark)
    }

    /// What there is of a meter, in a few words.
    private static func words(_ meter: MeterSummary?) -> String {
        guard let meter else { return "nothing" }
        var names = meter.recordNames.prefix(mostNames).map { "“\(Escaped.start(of: $0, columns: 60))”" }
        if meter.recordNames.count > names.count { names.append("and \(meter.recordNames.count - names.count) more") }
        let unit = meter.temperatureUnit.map { ", \($0)" } ?? ""
        let lock = meter.lock.flatMap { meter.isLockExpired ? nil : $0.holder }.map { ", reserved for \($0)" } ?? ""
        return
            "\(Phrase.entries(meter.rows.count)): \(names.isEmpty ? "no name" : names.joined(separator: ", "))\(unit)\(lock)"
    }

    private static let mostNames = 4

    private static func change(_ before: MeterSummary?, _ now: MeterSummary?) -> String {
        guard let before else { return "new" }
        guard let now else { return "no longer in this file" }
        if before.rows.count > now.rows.count { return "merged" }
        if before.name != now.name { return before.name == nil ? "named" : "renamed" }
        return "changed"
    }

    /// The records that the last repairs merged, as they were before.
    private var merged: Section? {
        let meters = report.repairs.flatMap(\.meters).filter { $0.address != nil && $0.winner != nil }
        guard !meters.isEmpty else { return nil }
        return Section(
            .former, "What was merged", meters.count, heading: "What was merged",
            ["What is marked went into the result."] + cards(meters, in: report.verification.storeSummary, nil))
    }

    // MARK: - Gone

    /// What a backup has of meters that the store no longer has.
    private var former: Section? {
        guard let earlier = report.earlier else { return nil }
        let meters = ShownPart(of: earlier.meters, most: Self.mostListed, showsAll: showsAll)
        let rows = meters.elements.map { cells(of: $0, in: earlier.letterCase) }
        let day = earlier.madeAt.dateText(to: .day) ?? "an unknown day"
        return Section(
            .former, "What was in it", earlier.meters.count, heading: "What was in it",
            [
                "\(Phrase.count(earlier.meters.count, "meter")) known from the backup of \(day): \(.code(earlier.backup))",
                .table(.init(Self.columns, isStacked: true, rows: rows)),
            ] + meters.remark)
    }

    // MARK: - One meter

    /// What differs in the records of a meter, and what they become.
    /// - Parameter change: the repair that is planned; nil for one that was made.
    private func card(of meter: MeterPlan, in store: StoreSummary, _ change: ChangeReport?) -> Block.Part {
        let text = MeterText(meter: meter, letterCase: store.letterCase, names: store.names, times: times)
        let hasChoice = !meter.discarded.isEmpty || !meter.conflicts.isEmpty
        return Block.Part(
            Inline.name(text.name) ?? "no name", details: [.code(text.mac)],
            state: state(of: meter, hasChoice: hasChoice, isDone: change == nil), isOpen: hasChoice,
            text.body(isDone: change == nil) + wayBack(meter, in: store, change))
    }

    private func state(of meter: MeterPlan, hasChoice: Bool, isDone: Bool) -> Block.Part.State {
        if hasChoice, let question = letter.questions.first(where: { $0.address == meter.address }) {
            return .init(.question, .warning, "Question \(question.number)")
        }
        let records = meter.deletions.count + 1
        guard records > 1 else {
            return .init(.check, .good, isDone ? "1 entry was put in order" : "1 entry is put in order")
        }
        guard hasChoice else {
            return .init(.check, .good, "\(records) entries \(isDone ? "became" : "become") 1, nothing is lost")
        }
        return .init(
            .discarded, .warning,
            "\(Phrase.count(meter.discarded.count, "value")) \(isDone ? "was" : "will be") discarded")
    }

    /// How the other value can be had; nothing where none is discarded.
    private func wayBack(_ meter: MeterPlan, in store: StoreSummary, _ change: ChangeReport?) -> [Block] {
        guard !meter.discarded.isEmpty else { return [] }
        let text = DiscardedText(meter.discarded, in: store, change, times, backupWords: backupWords)
        return [.part("If the answer is no", text.blocks)]
    }
}
