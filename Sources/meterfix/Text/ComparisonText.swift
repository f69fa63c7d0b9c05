internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Two sides as text: what they are, meter by meter what differs, and what that means.
struct ComparisonText {
    private let report: ComparisonReport
    private let style: Style
    private let showsAll: Bool
    /// Meters that are shown without `--verbose`.
    private static let most = 20
    /// Characters of a value in the table.
    private static let widest = 32

    init(_ report: ComparisonReport, _ style: Style, showsAll: Bool) {
        self.report = report
        self.style = style
        self.showsAll = showsAll
    }

    var lines: [String] {
        var lines = [sideLine("A", report.a), sideLine("B", report.b)]
        for meter in showsAll ? report.meters[...] : report.meters.prefix(Self.most) { lines += [""] + block(meter) }
        if !showsAll && report.meters.count > Self.most {
            lines += ["", "… and \(report.meters.count - Self.most) more meters, see --verbose or --json"]
        }
        return lines + [""] + outcome
    }

    private func sideLine(_ name: String, _ side: ComparisonReport.Side) -> String {
        let kind = side.kind == .store ? "a store" : "an export of CloudKit records"
        let without = side.withoutUsableAddress
        return style.bold("\(name): \(Escaped.text(side.path))")
            + ", \(kind) of \(Phrase.count(side.records, "record"))"
            + (without == 0 ? "" : ", \(without) without a usable address, not compared")
    }

    private func block(_ meter: MeterComparison) -> [String] {
        let mac = meter.address.text(in: report.letterCase)
        switch meter.outcome {
        case .equal: return [style.bold("\(mac)  equal")]
        case .onlyA: return [style.bold("\(mac)  only in A: \(summary(meter.a))")]
        case .onlyB: return [style.bold("\(mac)  only in B: \(summary(meter.b))")]
        case .different: break
        }
        let differences = meter.differences
        var lines = [style.bold("\(mac)  " + (differences.isEmpty ? "the values are equal" : "different"))]
        lines += [("A", meter.a), ("B", meter.b)].compactMap { name, side in
            guard let side, side.rows.count > 1 else { return nil }
            return "  \(name) has \(Phrase.count(side.rows.count, "record")), \(rowList(side.rows)); "
                + "row \(side.record.row) is compared"
        }
        var table = TextTable(widest: Self.widest, hasHead: true)
        table.add(["", "A", "B"])
        for difference in differences {
            let kind = difference.field.kind
            table.add([
                Escaped.text(difference.field.name), Escaped.value(difference.a, kind),
                Escaped.value(difference.b, kind),
            ])
        }
        if !differences.isEmpty { lines += table.lines(indent: "  ", style) }
        if meter.isSameRecord == false {
            lines.append("  these are two records: when they meet, the meter has both, and a rebuild merges them")
        }
        if !differences.isEmpty { lines.append("  \(verdict(meter))") }
        return lines
    }

    private func summary(_ side: ComparedRecord?) -> String {
        guard let side else { return "–" }
        return "\(Escaped.quoted(side.record[.meterName], .text)), \(rowList(side.rows))"
    }

    private func verdict(_ meter: MeterComparison) -> String {
        let lost = meter.losses.map { loss in
            "\(loss.field.name) \(Escaped.quoted(loss.value, loss.field.kind)) of \(loss.side.rawValue.uppercased())"
        }
        guard let winner = meter.winner else {
            let risk = lost.isEmpty ? "nothing the user typed is at stake" : "at stake: \(lost.joined(separator: ", "))"
            return "written last: neither, updatedAt is the same; \(risk)"
        }
        let wins = "\(winner.rawValue.uppercased()) wins, it was written last; "
        guard !lost.isEmpty else { return wins + "nothing the user typed is lost" }
        return style.severity(.warning, wins + "that loses \(lost.joined(separator: ", "))")
    }

    private var outcome: [String] {
        let counts =
            "\(Phrase.count(report.count(.equal), "meter")) equal, \(report.count(.different)) different, "
            + "\(report.count(.onlyA)) only in A, \(report.count(.onlyB)) only in B"
        var lines = [report.isEqual ? style.good(counts) : counts]
        if report.several > 0 {
            lines.append("\(Phrase.count(report.several, "meter")) with several records on a side: rebuild merges them")
        }
        if report.losing > 0 {
            lines.append(
                style.severity(
                    .warning,
                    "last write wins would lose values of \(Phrase.count(report.losing, "meter")) that the user typed"))
        }
        for (name, fields) in [("A", report.fieldsOnlyA), ("B", report.fieldsOnlyB)] where !fields.isEmpty {
            let names = fields.map { Escaped.text($0) }.joined(separator: ", ")
            lines.append("only in \(name), not compared: \(names)")
        }
        return lines
    }
}
