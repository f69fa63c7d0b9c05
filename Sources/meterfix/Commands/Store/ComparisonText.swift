internal import Answer
internal import MeterInspect
internal import MeterModel

/// Two sides: what they are, meter by meter what differs, and what that means.
extension ComparisonReport {
    /// Meters that are shown without `--verbose`.
    private static let most = 20

    func blocks(_ times: ShownTimes) -> [Block] {
        var blocks = accounts.blocks(of: ["A", "B"])
        blocks += a.alerts.blocks(of: "A", times) + b.alerts.blocks(of: "B", times)
        blocks.append(.group([side(.a, a), side(.b, b)]))
        if areCopies {
            let change: Inline =
                switch (copies?.isChangedByMeterfix ?? false, copies?.older) {
                case (true, nil): "meterfix has changed both, each without the other's changes; "
                case (true, let older?):
                    "\(older.letter) was changed by meterfix, and the store has gone on without that in \(later.letter); "
                case (false, _): ""
                }
            blocks.append(
                "these are two copies of one store: \(change)nothing is said of what happens when they sync")
        }
        // What the app shows by chance matters most.
        let sorted = meters.filter(\.hasSeveral) + meters.filter { !$0.hasSeveral }
        let shown = ShownPart(of: sorted, most: Self.most, showsAll: times.showsAll)
        blocks += shown.elements.map { section($0, times) }
        blocks += Inline.rest(shown.rest, of: "meters").map { .group([.paragraph($0)]) }
        return blocks + [.group(outcome(times))]
    }

    private func side(_ name: ComparisonSide, _ side: Side) -> Block {
        let without = side.withoutUsableAddress
        let now = areCopies ? " as it was later" : " as it is now"
        let then = copies?.isChangedByMeterfix == true ? " as meterfix has changed it" : " as it was"
        let isLater = copies?.older != nil && name == later
        let state = isOfOneStore ? (isLater ? now : then) : ""
        return
            "\(.strong("\(name.letter): \(side.path)\(state)")), \(Phrase.count(side.records, "record"))\(without == 0 ? "" : ", \(without) without a usable address, not compared")"
    }

    private func section(_ meter: MeterComparison, _ times: ShownTimes) -> Block {
        let mac = meter.address.text(in: letterCase)
        let title: Inline =
            switch meter.outcome {
            case .equal: "equal: \(summary(meter.a))\(deletion(meter))"
            case .onlyA: "only in A: \(summary(meter.a))\(deletion(meter))"
            case .onlyB: "only in B: \(summary(meter.b))\(deletion(meter))"
            case .different: meter.differences.isEmpty ? "the values are equal" : "different"
            }
        guard meter.hasSeveral || meter.outcome == .different else { return .section("\(.code(mac))  \(title)", []) }
        let label = Inline.meter(mac, [meter.a, meter.b].lazy.compactMap { $0?.names.first.flatMap(\.self) }.first)
        guard meter.hasSeveral else { return .section("\(label)  \(title)", details(meter, times)) }
        return .section(
            "\(label)  \(.tone(.warning, severalPhrase(meter)))", severalRecords(meter) + details(meter, times))
    }

    /// `2 records on both sides`, `2 records in A, none in B`.
    private func severalPhrase(_ meter: MeterComparison) -> String {
        let (a, b) = (meter.a?.rows.count ?? 0, meter.b?.rows.count ?? 0)
        if a == b { return "\(a) records on both sides" }
        guard a > 0 else { return "\(Phrase.count(b, "record")) in B, none in A" }
        return "\(Phrase.count(a, "record")) in A, \(b == 0 ? "none" : "\(b)") in B"
    }

    /// What the app makes of a meter with several records, and which of them is compared.
    private func severalRecords(_ meter: MeterComparison) -> [Block] {
        let sides = [("A", meter.a), ("B", meter.b)].compactMap { name, side in side.map { (name, $0) } }
        func list(_ side: ComparedRecord) -> String {
            Phrase.list(side.names.map { FieldText.name($0) ?? "no name" })
        }
        let isSame = sides.count == 2 && sides[0].1.names == sides[1].1.names
        let names = isSame ? ["\(list(sides[0].1)) on both"] : sides.map { "\(list($1)) in \($0)" }
        let compared = sides.filter { $0.1.rows.count > 1 }.map { name, side in
            "\(rowList(side.rows)) in \(name): row \(side.record.row) is compared"
        }
        let which = Set(sides.flatMap { $0.1.names }).count == 1 ? "record" : "of them"
        return [
            "\(names.joined(separator: ", ")); it is unpredictable which \(which) the app shows",
            "\(compared.joined(separator: "; "))",
        ]
    }

    private func details(_ meter: MeterComparison, _ times: ShownTimes) -> [Block] {
        let differences = meter.differences
        var blocks: [Block] = []
        let rows = differences.map { difference in
            [.text(difference.field.name)]
                + FieldText.cells([difference.before, difference.after], difference.field.kind, times)
        }
        if !rows.isEmpty { blocks.append(.table(.init(["", "A", "B"], widest: 32, rows: rows))) }
        guard forecasts else { return blocks }
        for side in ComparisonSide.allCases {
            guard let rows = meter[side]?.goes.map(\.row), !rows.isEmpty else { continue }
            blocks.append(
                "once both have synced, \(rowList(rows)) of \(side.letter) \(rows.count == 1 ? "is" : "are") deleted too"
            )
        }
        if meter.isSameRecord == false, meter.going == nil {
            blocks.append("these are two records: after a sync the meter has both, and a rebuild merges them")
        }
        if !differences.isEmpty { blocks += verdict(meter) }
        return blocks
    }

    private func summary(_ side: ComparedRecord?) -> String {
        guard let side else { return "–" }
        return "\(side.record[.meterName].quoted(as: .text)), \(rowList(side.rows))"
    }

    /// Of a meter that the other side has deleted: what that takes away; nothing of every other.
    private func deletion(_ meter: MeterComparison) -> Inline {
        guard let side = meter.going, forecasts else { return "" }
        let lost = meter.losses.map(text)
        let loss = lost.isEmpty ? "" : "; this loses \(lost.joined(separator: ", "))"
        guard meter[side.other] == nil || !meter.goesEverywhere else {
            return "; \(.tone(.warning, "it is about to be deleted on both sides"))\(loss)"
        }
        return "; \(.tone(.warning, "\(side.other.letter) has deleted it"))\(loss)"
    }

    private func text(_ loss: MeterComparison.Loss) -> String {
        "\(loss.field.name) \(loss.value.quoted(as: .text)) of \(loss.side.letter)"
    }

    private func verdict(_ meter: MeterComparison) -> [Block] {
        let unsent = [("A", meter.a), ("B", meter.b)].compactMap { name, side -> Block? in
            guard let names = side?.unsent else { return nil }
            let fields = names.isEmpty ? "it is not known which fields" : names.sorted().joined(separator: ", ")
            return "\(name) has a change that is not uploaded: \(fields)"
        }
        let losses = meter.losses
        var words = stay(meter)
        let certain = losses.filter { $0.first == nil }.map(text)
        if !certain.isEmpty { words += "; this loses \(certain.joined(separator: ", "))" }
        for first in ComparisonSide.allCases {
            let lost = losses.filter { $0.first == first }.map(text)
            guard !lost.isEmpty else { continue }
            let condition = meter.hasUnsent ? "\(first.letter) uploads first" : "\(first.letter)'s is kept"
            words += "; if \(condition), this loses \(lost.joined(separator: ", "))"
        }
        guard losses.isEmpty else { return unsent + [.paragraph(.tone(.warning, words))] }
        return unsent + ["\(words); nothing the user typed is lost"]
    }

    /// Which version stays, and why.
    private func stay(_ meter: MeterComparison) -> String {
        if meter.goesEverywhere { return "once both have synced, neither side has it" }
        if let going = meter.going { return "once both have synced, \(going.other.letter)'s record is kept" }
        let isLater = meter.winner != nil && meter.winner == meter.later
        if meter.isSameRecord == false {
            return meter.winner.map { "if both have a value, a rebuild keeps \($0.letter)'s, which was written last" }
                ?? "it is not known which values a rebuild keeps: updatedAt is the same"
        }
        guard let winner = meter.winner else {
            return meter.hasUnsent
                ? "once both have synced, the record has values from both (\(policy.rawValue))"
                : "it is not known which version CloudKit has: updatedAt is the same"
        }
        let why = meter.hasUnsent ? policy.rawValue : isLater ? "it was written last" : "nothing else differs"
        return "once both have synced, \(winner.letter)'s version is kept (\(why))"
    }

    private func outcome(_ times: ShownTimes) -> [Block] {
        let counts =
            "\(Phrase.count(count(.equal), "meter")) equal, \(count(.different)) different, "
            + "\(count(.onlyA)) only in A, \(count(.onlyB)) only in B"
        var blocks: [Block] = [.paragraph(isEqual ? .tone(.good, counts) : "\(counts)")]
        if !hasSameRecordsOfNoMeter { blocks.append(.note(.warning, "the records without a usable address differ")) }
        if several > 0 {
            blocks.append(.note(.warning, "\(Phrase.count(several, "meter")) with several records on a side"))
        }
        if losing > 0 {
            blocks.append(
                .note(
                    .warning,
                    "\(Phrase.count(losing, "meter")) for which something the user typed is lost, or may be (policy \(policy.rawValue))"
                ))
        }
        for (name, fields) in [("A", fieldsOnlyA), ("B", fieldsOnlyB)] where !fields.isEmpty {
            blocks.append("only in \(name), not compared: \(fields.joined(separator: ", "))")
        }
        return blocks + steps.blocks()
    }
}
