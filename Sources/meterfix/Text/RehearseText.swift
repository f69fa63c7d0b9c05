internal import MeterInspect
internal import MeterModel
internal import MeterRehearsal
internal import MeterRepair

/// A rehearsal as text: what was played, how each procedure ended, and what to do.
struct RehearseText {
    private let report: RehearsalReport
    private let style: Style
    private let showsAll: Bool
    /// Losses that are shown without `--verbose`.
    private static let most = 10
    private static let mostSteps = 40

    init(_ report: RehearsalReport, _ style: Style, showsAll: Bool) {
        self.report = report
        self.style = style
        self.showsAll = showsAll
    }

    var lines: [String] {
        let options = report.options
        var lines = [
            style.bold(
                "a day of \(Phrase.count(report.devices.count, "device")) with \(Phrase.count(report.meters.count, "meter")), "
                    + "\(Phrase.count(report.records, "record")) in the cloud"),
            "strategy \(options.strategy.rawValue), policy \(options.policy.rawValue), seed \(options.seed)",
        ]
        for run in report.runs { lines += [""] + block(run) }
        lines += ["", style.bold("what a repair costs on all devices together")] + costs
        if report.lostWithoutRepair > 0 {
            lines += [
                "",
                "without any repair the merge policy loses \(Phrase.count(report.lostWithoutRepair, "typed value")) that day",
            ]
        }
        return lines + ["", style.bold("recommendation")] + report.recommendation.map { "  - \($0)" }
    }

    private static func title(_ procedure: Procedure) -> String {
        switch procedure {
        case .together: "all devices at a time, in use"
        case .oneAndWait: "one device, the others at rest until all is quiet"
        }
    }

    private func block(_ run: RehearsalReport.Run) -> [String] {
        let outcome = run.outcome
        var lines = [
            style.bold(Self.title(run.procedure)) + ": "
                + (run.hasNoLoss ? style.good("well") : style.severity(.error, "harm done"))
        ]
        var table = TextTable()
        table.add(
            ["converges", outcome.isConverged ? "yes" : "no"], remark: outcome.obstacles.first.map { Escaped.text($0) })
        table.add(["meters without a record", "\(outcome.metersWithoutRecord.count)"])
        table.add(["meters with several records in the end", "\(outcome.metersWithSeveralRecords)"])
        table.add(["typed values lost through the repair", "\(run.lostByRepair)"])
        table.add(["typed values lost through the merge policy", "\(run.lost.count - run.lostByRepair)"])
        table.add(["typed values the rebuild names as given up", "\(outcome.givenUp.count)"])
        table.add(["versions of a record that met", "\(outcome.conflicts)"])
        table.add(["quiet after the last repair", outcome.secondsUntilQuiet.map(duration) ?? "never"])
        lines += table.lines(indent: "  ", style)
        for meter in shown(outcome.metersWithoutRecord) { lines.append("  no record is left of \(mac(meter))") }
        for loss in shown(run.lost.filter(\.isByRepair)) { lines.append("  \(text(loss))") }
        if !showsAll, run.lostByRepair > Self.most { lines.append("  … see --verbose or --json") }
        if let story = run.shortest { lines += text(story) }
        return lines
    }

    private func shown<Element>(_ elements: [Element]) -> [Element] {
        showsAll ? elements : Array(elements.prefix(Self.most))
    }

    private func text(_ loss: RehearsalReport.Loss) -> String {
        var text =
            "lost: \(loss.value.field.rawValue) \"\(Escaped.text(loss.value.value))\" of \(mac(loss.value.meter))"
        if let end = loss.end { text += ", \(place(end)): \(Escaped.text(end.text))" }
        return text
    }

    private func text(_ story: RehearsalReport.Story) -> [String] {
        var lines = [
            "  the shortest schedule that shows it (seed \(report.options.seed), \(mac(story.meter)), "
                + "\(Phrase.count(story.events, "event"))):"
        ]
        lines += story.steps.prefix(Self.mostSteps).map { "    \(place($0)): \(Escaped.text($0.text))" }
        if story.steps.count > Self.mostSteps { lines.append("    … see --json") }
        return lines
    }

    private var costs: [String] {
        var table = TextTable()
        for run in report.runs + [report.otherStrategy] {
            let operations = run.repairOperations
            table.add([
                "\(run.strategy.rawValue), \(Self.title(run.procedure))", Phrase.count(operations.saves, "upload"),
                Phrase.count(operations.deletes, "delete"),
            ])
        }
        var lines = table.lines(indent: "  ", style)
        guard let run = report.runs.first(where: { $0.procedure == .oneAndWait }) else { return lines }
        var devices = TextTable()
        for (device, tally) in zip(report.devices, run.outcome.tallies) {
            devices.add([
                device.name, Phrase.count(tally.saves, "upload"), Phrase.count(tally.deletes, "delete"),
                Phrase.count(tally.batches, "batch", "batches"), "\(Phrase.count(tally.received, "change")) received",
            ])
        }
        lines += ["  that day, the repair included, with one device repairing:"] + devices.lines(indent: "    ", style)
        return lines
    }

    private func mac(_ meter: Int) -> String { report.meters[meter].address.text(in: .upper) }

    private func place(_ step: Outcome.Step) -> String {
        clock(step.time) + " " + (step.device.map { report.devices[$0].name } ?? "all devices")
    }

    /// `07:05:09`
    private func clock(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        return [whole / 3_600, whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private func duration(_ seconds: Double) -> String { seconds < 120 ? "\(Int(seconds)) s" : clock(seconds) }
}
