internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What the checks found, for a page: a line for each check, and what else `verify` says of it when it is opened.
extension ReportText {
    var findings: Section {
        let verified = report.verification
        let found = report.checks.filter(\.foundSomething)
        let clean = report.checks.filter { $0.findings == 0 }
        let ids = clean.map { Inline.code($0.check.id) }.joined(separator: ", ")
        // What must not be done, and what comes before a repair, is said where the page begins.
        let next = StepPlan(verified).steps.filter { [.run, .ask].contains($0.kind) }
        let blocks: [Block] =
            [.paragraph(found.isEmpty ? .tone(.good, verified.headline) : "\(verified.headline)")]
            + report.status.alerts.blocks(times)
            + Severity.allCases.sorted(by: >).compactMap(card) + verified.comparisons
            + next.blocks(under: "what to do about \(verified.findings.counts), in order:") + resolvedSinceBackup
            + (clean.isEmpty
                ? [] : [.part("\(Phrase.count(clean.count, "check")) that found nothing", [.paragraph(ids)])])
            + notRun
        return Section(.findings, "Findings", found.isEmpty ? nil : found.count, heading: "What was found", blocks)
    }

    private func card(of severity: Severity) -> Block? {
        let parts = report.verification.parts(of: severity, times)
        guard !parts.isEmpty else { return nil }
        let count = report.verification.findings.count(of: severity)
        let heading = Inline("\(Phrase.count(count, severity.rawValue)), \(severity.meaning)", .tone(Tone(severity)))
        return .card(Block.Card(.plain, heading, icon: Tone(severity).icon, parts.map(Block.part)))
    }

    /// What the last backup had, and nothing has now.
    private var resolvedSinceBackup: [Block] {
        guard let earlier = report.earlier else { return [] }
        let still = Set(report.checks.filter(\.foundSomething).map(\.check.id))
        let resolved = earlier.findings.filter { !still.contains($0.check.id) }
        guard !resolved.isEmpty else { return [] }
        let day = earlier.madeAt.dateText(to: .day) ?? "the day of the backup"
        return [
            .part(
                "\(Phrase.count(resolved.count, "check")) that found something on \(day), and nothing now",
                [.list(resolved.map { "\(.code($0.check.id)) \($0.check.title)" }, marker: .dash)])
        ]
    }

    private var notRun: [Block] {
        let count = report.checks.count { $0.findings == nil }
        return count == 0
            ? [] : [.remark("\(Phrase.count(count, "check")) did not run: the store has no records of meters")]
    }
}

extension Severity {
    /// What it asks of a person.
    fileprivate var meaning: String {
        switch self {
        case .error: "to be repaired"
        case .warning: "somebody should look"
        case .note: "good to know"
        }
    }
}
