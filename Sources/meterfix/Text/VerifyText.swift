internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Findings as text: by check, each with its subjects and what to do.
struct VerifyText {
    private let report: Report
    private let style: Style
    private let showsAll: Bool
    /// Findings of one check that are shown without `--verbose`.
    private static let most = 20

    init(_ report: Report, _ style: Style, showsAll: Bool) {
        self.report = report
        self.style = style
        self.showsAll = showsAll
    }

    var lines: [String] {
        let path = Escaped.text(report.store)
        guard !report.findings.isEmpty else {
            return [style.good("\(path): clean, \(Phrase.count(report.summary.records, "record"))")] + modelLines
        }
        return [style.bold("\(path): \(Self.counts(report.findings))")]
            + modelLines + Self.blocks(report.findings, style, showsAll: showsAll)
    }

    private var modelLines: [String] {
        guard let model = report.comparedModel else { return [] }
        let name = Escaped.text(model.version ?? model.path)
        return [
            model.matches
                ? style.good("the store matches the model \(name)") : "the store does not match the model \(name)"
        ]
    }

    /// `2 errors, 1 warning`.
    static func counts(_ findings: [Finding]) -> String {
        [Severity.error, .warning, .note].compactMap { severity in
            let number = findings.count { $0.severity == severity }
            return number == 0 ? nil : Phrase.count(number, severity.rawValue)
        }.joined(separator: ", ")
    }

    /// A block for each check, the worst first, in the order of the catalogue.
    static func blocks(_ findings: [Finding], _ style: Style, showsAll: Bool) -> [String] {
        var lines: [String] = []
        for severity in Severity.allCases.sorted(by: >) {
            for check in CheckCatalogue.descriptions where check.severity == severity {
                let found = findings.filter { $0.id == check.id }
                if !found.isEmpty { lines += [""] + block(check, found, style, showsAll: showsAll) }
            }
        }
        return lines
    }

    /// What a change leaves for a person, under a headline; nothing where only notes are left.
    static func remaining(_ report: Report, _ style: Style, showsAll: Bool) -> [String] {
        let open = report.findings.filter { $0.severity != .note }
        guard !open.isEmpty else { return [] }
        let verb = report.outcome == .planned ? "would remain" : "remains"
        return ["", style.bold("what \(verb): \(counts(open))")] + blocks(open, style, showsAll: showsAll)
    }

    private static func block(
        _ check: CheckDescription, _ findings: [Finding], _ style: Style, showsAll: Bool
    ) -> [String] {
        var lines = [
            "\(style.severity(check.severity, check.severity.rawValue))  \(style.bold(check.id)): \(check.title)"
        ]
        var table = TextTable()
        for finding in showsAll ? findings[...] : findings.prefix(most) {
            table.add([subject(finding), Escaped.text(finding.message)])
        }
        lines += table.lines(indent: "  ", style)
        if !showsAll && findings.count > most {
            lines.append("  … and \(findings.count - most) more, see --verbose or --json")
        }
        lines += cures(of: findings).map { "  \(style.dim("→")) \(Escaped.text($0))" }
        return lines
    }

    /// The first different ones, for each meter can have one of its own.
    private static func cures(of findings: [Finding]) -> [String] {
        var cures: [String] = []
        for finding in findings {
            guard let cure = finding.cure, !cures.contains(cure) else { continue }
            cures.append(cure)
            if cures.count == 3 { break }
        }
        return cures
    }

    private static func subject(_ finding: Finding) -> String {
        guard !finding.rows.isEmpty else { return finding.entity.map { Escaped.text($0) } ?? "store" }
        let rows = finding.rows.count > 6 ? Array(finding.rows.prefix(6)) : finding.rows
        return rowList(rows) + (rows.count < finding.rows.count ? " …" : "")
    }
}
