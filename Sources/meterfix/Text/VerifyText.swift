internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Findings: by check, each with its subjects and what to do.
struct VerifyText {
    private let report: Report
    private let showsAll: Bool
    /// Findings of one check that are shown without `--verbose`.
    private static let most = 20

    init(_ report: Report, showsAll: Bool) {
        self.report = report
        self.showsAll = showsAll
    }

    var blocks: [Block] {
        guard !report.findings.isEmpty else {
            let records = Phrase.count(report.summary.records, "record")
            return [.heading(.tone(.good, "\(report.store): clean, \(records)"))] + comparisons
        }
        return [.heading("\(report.store): \(Self.counts(report.findings))")] + comparisons
            + Self.sections(report.findings, showsAll: showsAll, explains: true) + allAtOnce
    }

    /// Where one command carries out several of the cures.
    private var allAtOnce: [Block] {
        let fixed = Set(
            report.findings.filter { finding in
                finding.cure.hasPrefix("meterfix fix ") && Cure(rawValue: finding.id)?.isOptIn == false
            }.map(\.id))
        guard fixed.count > 1 else { return [] }
        return [
            .paragraph(
                "\(fixed.count) of these checks at once: \(.code("meterfix fix --all \(ShellWord.quoted(report.store))"))"
            )
        ]
    }

    private var comparisons: [Block] {
        model + (report.comparedPreferences.map(PreferencesText.blocks) ?? [])
    }

    private var model: [Block] {
        guard let model = report.comparedModel else { return [] }
        let name = model.version ?? model.path
        return [
            .paragraph(
                model.matches
                    ? .tone(.good, "the store matches the model \(name)")
                    : "the store does not match the model \(name)")
        ]
    }

    /// `2 errors, 1 warning`.
    static func counts(_ findings: [Finding]) -> String {
        [Severity.error, .warning, .note].compactMap { severity in
            let number = findings.count { $0.severity == severity }
            return number == 0 ? nil : Phrase.count(number, severity.rawValue)
        }.joined(separator: ", ")
    }

    /// A section for each check, the worst first, in the order of the catalogue.
    /// - Parameter explains: whether each section begins with a sentence on what the check means.
    static func sections(_ findings: [Finding], showsAll: Bool, explains: Bool = false) -> [Block] {
        let ids = Set(findings.map(\.id))
        return Severity.allCases.sorted(by: >).flatMap { severity in
            CheckCatalogue.descriptions.filter { $0.severity == severity && ids.contains($0.id) }.map { check in
                .deferred {
                    [section(check, findings.filter { $0.id == check.id }, showsAll: showsAll, explains: explains)]
                }
            }
        }
    }

    /// What a change leaves for a person, under a headline; nothing where only notes are left.
    static func remaining(_ report: Report, showsAll: Bool) -> [Block] {
        let open = report.findings.filter { $0.severity != .note }
        guard !open.isEmpty else { return [] }
        let verb = report.outcome == .planned ? "would remain" : "remains"
        return [.heading("what \(verb): \(counts(open))")] + sections(open, showsAll: showsAll)
    }

    private static func section(
        _ check: CheckDescription, _ findings: [Finding], showsAll: Bool, explains: Bool
    ) -> Block {
        var table = Block.Table()
        let shown = ShownPart(of: findings, most: most, showsAll: showsAll)
        for finding in shown.elements { table.add([.text(subject(finding)), .text(finding.message)]) }
        return .section(
            "\(.tone(Tone(check.severity), check.severity.rawValue))  \(check.id): \(check.title)",
            (explains ? [.paragraph("\(check.meaning)")] : []) + [.table(table)] + shown.remark + [
                .list(cures(of: findings), marker: .arrow)
            ])
    }

    /// The first different ones, for each meter can have one of its own.
    private static func cures(of findings: [Finding]) -> [Inline] {
        var cures: [String] = []
        for finding in findings {
            guard !cures.contains(finding.cure) else { continue }
            cures.append(finding.cure)
            if cures.count == 3 { break }
        }
        return cures.map { $0.hasPrefix("meterfix ") ? .code($0) : "\($0)" }
    }

    private static func subject(_ finding: Finding) -> String {
        guard !finding.rows.isEmpty else { return finding.entity ?? "store" }
        let rows = finding.rows.count > 6 ? Array(finding.rows.prefix(6)) : finding.rows
        return rowList(rows) + (rows.count < finding.rows.count ? " …" : "")
    }
}
