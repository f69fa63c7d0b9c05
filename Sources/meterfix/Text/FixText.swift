internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The cures of findings: what they do to which records.
struct FixText {
    private let report: Report
    private let cures: [Cure]
    private let showsAll: Bool
    /// The command that does what the dry run said, without the store, as words for a shell.
    private let command: [String]
    /// Records that are shown without `--verbose`.
    private static let most = 20

    /// - Parameter cures: that were asked for; needed only where there may be nothing to do.
    init(_ report: Report, of cures: [Cure] = [], showsAll: Bool, command: [String]) {
        self.report = report
        self.cures = cures
        self.showsAll = showsAll
        self.command = command
    }

    var blocks: [Block] {
        guard let plan = report.plan else { return [] }
        return deletions(plan) + plan.notes.map { .note(.warning, "\($0)") } + outcome(plan)
    }

    private func deletions(_ plan: Plan) -> [Block] {
        let deletions = plan.changes.compactMap { change in
            if case .cloudDelete(let deletion) = change { deletion } else { nil }
        }
        guard !deletions.isEmpty else { return [] }
        let shown = ShownPart(of: deletions, most: Self.most, showsAll: showsAll)
        var table = Block.Table(["entity", "row", "CloudKit record"])
        for deletion in shown.elements {
            table.add([
                .text(deletion.entity), "row \(deletion.row)", deletion.cloudRecord.map { .code($0) } ?? "unnamed",
            ])
        }
        return [
            .heading("\(report.store): \(Phrase.count(deletions.count, "record")) in CloudKit without a row here"),
            .table(table),
        ] + shown.remark
    }

    private func outcome(_ plan: Plan) -> [Block] {
        let numbers =
            "\(Phrase.count(plan.cloud.deletes, "delete")) for CloudKit written into the history, no row touched"
        switch report.outcome {
        case .planned:
            return [.paragraph("planned: \(numbers)")] + ClosingText.blocks(report)
                + [NextStep.line(command, on: report.store)]
        case .applied: return [.paragraph(.tone(.good, "done: \(numbers)"))] + ClosingText.blocks(report)
        case .unchanged, .stale, nil:
            guard plan.notes.isEmpty else { return [.paragraph("nothing can be done yet")] }
            return [.paragraph(.tone(.good, "nothing to do: \(Phrase.list(cures.map(\.absence)))"))]
        }
    }
}
