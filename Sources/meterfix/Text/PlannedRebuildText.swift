internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What a rebuild would do: the first meters in pictures, the others in a table.
struct PlannedRebuildText {
    private let rebuild: TicketReport.Rebuild
    private let showsAll: Bool
    private let times: ShownTimes
    private let backupWords: [String]
    /// Meters that are drawn, and others that are listed, without `--verbose`.
    private static let mostDrawn = 12
    private static let mostListed = 300

    init(_ rebuild: TicketReport.Rebuild, _ times: ShownTimes, showsAll: Bool, backupWords: [String]) {
        self.rebuild = rebuild
        self.times = times
        self.showsAll = showsAll
        self.backupWords = backupWords
    }

    var blocks: [Block] {
        switch rebuild {
        case .inapplicable: return [.paragraph("the store has no records of meters")]
        case .refused(let error): return [.paragraph("a rebuild refuses this store:")] + ReportText.blocks(error)
        case .planned(let report):
            guard let plan = report.plan, !plan.isEmpty else {
                return [.paragraph(.tone(.good, "nothing to do: each meter has one record"))]
            }
            guard plan.changesRecords else {
                return [
                    .paragraph(.tone(.good, "no record changes: each meter has one; only the store's marker is set")),
                    next(report),
                ]
            }
            return meters(of: plan, report)
        }
    }

    private func next(_ report: Report) -> Block { NextStep.line(["rebuild"] + backupWords, on: report.store) }

    private func meters(of plan: Plan, _ report: Report) -> [Block] {
        let (meters, _) = PlannedMeter.first(.max, of: plan)
        let drawn = ShownPart(of: meters, most: Self.mostDrawn, showsAll: showsAll)
        let listed = ShownPart(
            of: Array(meters[drawn.elements.endIndex...]), most: Self.mostListed, showsAll: showsAll)
        var blocks: [Block] = [.paragraph("planned: \(RebuildText.numbers(plan.summary))")]
        for meter in drawn.elements {
            blocks.append(
                .deferred { MeterText(meter, in: report.letterCase, names: report.names, times).blocks })
        }
        if !listed.elements.isEmpty {
            let head: Inline = "\(Phrase.count(drawn.rest, "more meter"))"
            blocks.append(
                .section(head, [.deferred { [.table(table(of: listed.elements, report))] }] + listed.remark))
        }
        let givenUp = GivenUpText(report, times, showsAll: showsAll, backupWords: backupWords).blocks
        if !givenUp.isEmpty { blocks.append(.section("given up", givenUp)) }
        return blocks + ConditionText.blocks(report) + [next(report)]
    }

    private func table(of meters: ArraySlice<PlannedMeter>, _ report: Report) -> Block.Table {
        var table = Block.Table(["meter", Block.Cell("records", .number), "stays", "given up"])
        for meter in meters {
            let row = meter.deletions.first?.merger?.survivor.row ?? meter.update?.row
            let values = meter.givenUp.map { given in
                let value = FieldText.quoted([given.value], given.field.kind, times)[0]
                return given.field.known == .meterName ? value : "\(given.field.name) \(value)"
            }
            table.add([
                MeterLabel.cell(meter.address.text(in: report.letterCase), meter.nameAfter),
                .number("\(meter.deletions.count + (row == nil ? 0 : 1))"), .text(row.map { "row \($0)" } ?? "–"),
                .remark(values.isEmpty ? "–" : values.joined(separator: ", ")),
            ])
        }
        return table
    }
}
