internal import Answer
internal import MeterInspect
internal import MeterModel

/// Two sides: what they are, meter by meter what differs, and what that means.
struct ComparisonText {
    private let report: ComparisonReport
    private let showsAll: Bool
    private let times: ShownTimes
    /// Meters that are shown without `--verbose`.
    private static let most = 20
    private static let widest = 32

    init(_ report: ComparisonReport, _ times: ShownTimes, showsAll: Bool) {
        self.times = times
        self.report = report
        self.showsAll = showsAll
    }

    var blocks: [Block] {
        var blocks: [Block] = [.group([side("A", report.a), side("B", report.b)])]
        let shown = ShownPart(of: report.meters, most: Self.most, showsAll: showsAll)
        for meter in shown.elements { blocks.append(.deferred { [section(meter)] }) }
        blocks += Inline.rest(shown.rest, of: "meters").map { .group([.paragraph($0)]) }
        return blocks + [.group(outcome)]
    }

    private func side(_ name: String, _ side: ComparisonReport.Side) -> Block {
        let kind = side.kind == .store ? "a store" : "an export of CloudKit records"
        let without = side.withoutUsableAddress
        return .paragraph(
            "\(.strong("\(name): \(side.path)")), \(kind) of \(Phrase.count(side.records, "record"))\(without == 0 ? "" : ", \(without) without a usable address, not compared")"
        )
    }

    private func section(_ meter: MeterComparison) -> Block {
        let mac = Inline.code(meter.address.text(in: report.letterCase))
        switch meter.outcome {
        case .equal: return .section("\(mac)  equal", [])
        case .onlyA: return .section("\(mac)  only in A: \(summary(meter.a))", [])
        case .onlyB: return .section("\(mac)  only in B: \(summary(meter.b))", [])
        case .different: break
        }
        let differences = meter.differences
        var blocks: [Block] = [("A", meter.a), ("B", meter.b)].compactMap { name, side in
            guard let side, side.rows.count > 1 else { return nil }
            return .paragraph(
                "\(name) has \(Phrase.count(side.rows.count, "record")), \(rowList(side.rows)); row \(side.record.row) is compared"
            )
        }
        var table = Block.Table(["", "A", "B"], widest: Self.widest)
        for difference in differences {
            let field = difference.field
            table.add(
                [.text(field.name)] + FieldText.cells([difference.a, difference.b], field.kind, times))
        }
        if !differences.isEmpty { blocks.append(.table(table)) }
        if meter.isSameRecord == false {
            blocks.append(
                .paragraph("these are two records: when they meet, the meter has both, and a rebuild merges them"))
        }
        if !differences.isEmpty { blocks.append(.paragraph(verdict(meter))) }
        return .section("\(mac)  \(differences.isEmpty ? "the values are equal" : "different")", blocks)
    }

    private func summary(_ side: ComparedRecord?) -> String {
        guard let side else { return "–" }
        return "\(FieldText.quoted(side.record[.meterName])), \(rowList(side.rows))"
    }

    private func verdict(_ meter: MeterComparison) -> Inline {
        let lost = meter.losses.map { loss in
            "\(loss.field.name) \(FieldText.quoted(loss.value)) of \(loss.side.rawValue.uppercased())"
        }
        guard let winner = meter.winner else {
            let risk = lost.isEmpty ? "nothing the user typed is at stake" : "at stake: \(lost.joined(separator: ", "))"
            return "written last: neither, updatedAt is the same; \(risk)"
        }
        let wins = "\(winner.rawValue.uppercased()) wins, it was written last; "
        guard !lost.isEmpty else { return "\(wins)nothing the user typed is lost" }
        return .tone(.warning, wins + "that loses \(lost.joined(separator: ", "))")
    }

    private var outcome: [Block] {
        let counts =
            "\(Phrase.count(report.count(.equal), "meter")) equal, \(report.count(.different)) different, "
            + "\(report.count(.onlyA)) only in A, \(report.count(.onlyB)) only in B"
        var blocks: [Block] = [.paragraph(report.isEqual ? .tone(.good, counts) : "\(counts)")]
        if report.several > 0 {
            blocks.append(
                .paragraph(
                    "\(Phrase.count(report.several, "meter")) with several records on a side: rebuild merges them"))
        }
        if report.losing > 0 {
            blocks.append(
                .note(
                    .warning,
                    "last write wins would lose values of \(Phrase.count(report.losing, "meter")) that the user typed"))
        }
        for (name, fields) in [("A", report.fieldsOnlyA), ("B", report.fieldsOnlyB)] where !fields.isEmpty {
            blocks.append(.paragraph("only in \(name), not compared: \(fields.joined(separator: ", "))"))
        }
        return blocks
    }
}
