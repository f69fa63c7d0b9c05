internal import Answer
internal import MeterInspect
internal import MeterModel

/// Findings: by check, each with its subjects and what to do.
struct VerifyText {
    let report: VerifyReport
    let times: ShownTimes
    let showsAll: Bool
    /// Findings of one check that are shown without `--verbose`.
    private static let most = 20

    var blocks: [Block] {
        let heading = "\(report.store): \(verdict)\(headline)"
        return AlertText.blocks(report.alerts, times) + [
            .heading(isClean ? .tone(.good, heading) : "\(heading)")
        ] + affected + body(isAlone: true)
    }

    /// A check that is ignored finds nothing, but what is said first is not silenced by that.
    private var isClean: Bool { report.findings.isEmpty && report.alerts.isEmpty }

    /// What the findings mean for a supporter, before their numbers.
    private var verdict: String {
        switch report.findings.worst {
        case .error: "needs a repair: "
        case .warning: "needs a review: "
        // What is said first is more than that.
        case .note: report.alerts.isEmpty ? "nothing to repair: " : "needs a review: "
        case nil: ""
        }
    }

    /// The meters that errors and warnings are about.
    private var affected: [Block] {
        let findings = report.findings.checks.lazy.filter { $0.severity != .note }
            .flatMap { $0.first(Console.mostFindings) }
        var labels: [String] = []
        for label in findings.flatMap({ meters(of: $0) }) where !labels.contains(label) {
            labels.append(label)
            if labels.count > Self.mostMeters { break }
        }
        guard !labels.isEmpty else { return [] }
        let shown =
            labels.count > Self.mostMeters
            ? "\(labels.dropLast().joined(separator: ", ")) and others" : Phrase.list(labels)
        return [.paragraph("meters affected: \(shown)")]
    }

    /// The names of the meters of a finding, or else an address.
    private func meters(of finding: Finding) -> [String] {
        let names = finding.rows.prefix(Self.mostRows).compactMap { MeterLabel.quoted(report.names[$0]) }
        // Records of one meter may have several names, but it needs only one label.
        if let mac = finding.mac { return [names.first ?? mac] }
        return names
    }

    /// Meters that are named at the beginning.
    private static let mostMeters = 8

    /// `2 errors, 1 warning`, or that there is nothing.
    var headline: String {
        guard report.findings.isEmpty else { return Self.counts(report.findings) }
        return "\(isClean ? "clean" : "no other finding"), \(Phrase.count(report.records, "record"))"
    }

    /// What is below the headline.
    /// - Parameter isAlone: whether it is the whole answer, and no part of a page.
    func body(isAlone: Bool) -> [Block] {
        guard !report.findings.isEmpty else { return comparisons }
        let next = NextStepsText(report)
        return comparisons
            + Self.sections(
                report.findings, names: report.names, times, showsAll: showsAll, explains: true, without: next.said)
            + next.blocks(isAlone: isAlone)
    }

    /// What to do, in order.
    /// - Parameter isAlone: whether what must not be done is said nowhere else in the answer.
    func next(isAlone: Bool) -> [Block] { NextStepsText(report).blocks(isAlone: isAlone) }

    /// Each check that found something of a severity, with what it means and whom it is about.
    func parts(of severity: Severity) -> [Block.Part] {
        Self.checks(of: severity, in: report.findings).map { check, found in
            let (_, blocks) = Self.content(
                check, found, names: report.names, times, showsAll: showsAll, explains: true, [])
            var part = Block.Part("\(check.title)", blocks)
            part.details = [.code(check.id)]
            return part
        }
    }

    var comparisons: [Block] {
        unknownParts + model + (report.comparedPreferences.map(PreferencesText.blocks) ?? [])
    }

    /// What another version of the app added.
    private var unknownParts: [Block] {
        guard !report.unknownParts.isEmpty else { return [] }
        let version = report.schemaVersion.map { "v\($0)" } ?? "of an unknown version,"
        return [
            .paragraph("the model is \(version) with \(report.unknownParts.phrase)"),
            .list(report.unknownParts.sentences.map { "\($0)" }),
        ]
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
    static func counts(_ findings: Findings) -> String {
        [Severity.error, .warning, .note].compactMap { severity in
            let number = findings.count(of: severity)
            return number == 0 ? nil : Phrase.count(number, severity.rawValue)
        }.joined(separator: ", ")
    }

    /// A section for each check, the worst first, in the order of the catalogue.
    /// - Parameters:
    ///   - names: of records that findings are about, by row.
    ///   - explains: whether each section begins with a sentence on what the check means.
    ///   - said: cures that are said elsewhere.
    static func sections(
        _ findings: Findings, names: [Int64: String] = [:], _ times: ShownTimes, showsAll: Bool,
        explains: Bool = false, without said: Set<Cure> = []
    ) -> [Block] {
        Severity.allCases.sorted(by: >).flatMap { severity in
            checks(of: severity, in: findings).map { check, parts in
                .deferred {
                    let (heading, blocks) = content(
                        check, parts, names: names, times, showsAll: showsAll, explains: explains, said)
                    return [.section(heading, blocks)]
                }
            }
        }
    }

    /// In the order of the catalogue. A finding may be worse or better than its check.
    private static func checks(
        of severity: Severity, in findings: Findings
    ) -> [(check: Check, parts: [Findings.CheckFindings])] {
        Check.all.compactMap { check in
            let parts = findings.checks.filter { $0.id == check.id && $0.severity == severity }
            return parts.isEmpty ? nil : (check, parts)
        }
    }

    /// What a change leaves for a person, under a headline; nothing where only notes are left.
    static func remaining(_ report: ChangeReport, _ times: ShownTimes, showsAll: Bool) -> [Block] {
        let open = Findings(report.findings.checks.filter { $0.severity != .note })
        guard !open.isEmpty else { return [] }
        let verb = report.outcome == .planned ? "would remain" : "remains"
        return [.heading("what \(verb): \(counts(open))")]
            + sections(open, names: report.names, times, showsAll: showsAll)
    }

    private static func content(
        _ check: Check, _ parts: [Findings.CheckFindings], names: [Int64: String], _ times: ShownTimes,
        showsAll: Bool, explains: Bool, _ said: Set<Cure>
    ) -> (heading: Inline, blocks: [Block]) {
        var table = Block.Table()
        let findings = parts.flatMap { $0.first(showsAll ? .max : Console.mostFindings) }
        let count = parts.reduce(0) { $0 + $1.count }
        let shown = ShownPart(of: findings, among: count, most: most, showsAll: showsAll)
        let rows = showsAll ? .max : mostRows
        let meters = shown.elements.map { meter(of: $0, names, mostRows: rows) }
        let hasMeters = meters.contains { !$0.isEmpty }
        for (finding, meter) in zip(shown.elements, meters) {
            table.add(
                [.text(subject(finding, mostRows: rows))] + (hasMeters ? [.text(meter)] : [])
                    + [.text(times.sentence(finding.message))])
        }
        let cures = cures(of: findings, among: count, showsAll: showsAll, said)
        return (
            "\(.tone(Tone(parts[0].severity), parts[0].severity.rawValue))  \(check.id): \(check.title)",
            (explains ? [.paragraph("\(check.meaning)")] : []) + [.table(table)] + shown.remark
                + (cures.isEmpty ? [] : [.list(cures, marker: .arrow)])
        )
    }

    /// Different ones that are shown without `--verbose`, for each meter can have one of its own.
    private static let mostCures = 3

    private static func cures(
        of findings: [Finding], among count: Int, showsAll: Bool, _ said: Set<Cure>
    ) -> [Inline] {
        var known = said
        var cures: [Cure] = []
        var rest = 0
        for finding in findings where known.insert(finding.cure).inserted {
            if showsAll || cures.count < mostCures { cures.append(finding.cure) } else { rest += 1 }
        }
        let firstAid = findings.lazy.compactMap(\.firstAid).first
        return cures.map { NextStep.text($0, asDryRun: true) }
            + (findings.count == count || rest == 0 ? Inline.rest(rest) : ["… and more, see --verbose or --json"])
            + (firstAid.map { ["while devices are in use: \(.code(NextStep.dryRun($0).description))"] } ?? [])
    }

    /// The address and the names of the records' meter, without what the message says itself.
    private static func meter(of finding: Finding, _ names: [Int64: String], mostRows: Int) -> String {
        let mac = finding.mac.flatMap { finding.message.contains($0) ? nil : $0 }
        var quotedNames: [String] = []
        for row in finding.rows.prefix(mostRows) {
            guard let name = names[row], !finding.message.contains("\"\(name)\""),
                let quoted = MeterLabel.quoted(name), !quotedNames.contains(quoted)
            else { continue }
            quotedNames.append(quoted)
        }
        return [mac, quotedNames.joined(separator: ", ")].compactMap(\.self).joined(separator: " ")
    }

    /// Rows of a finding that are shown without `--verbose`.
    private static let mostRows = 6

    private static func subject(_ finding: Finding, mostRows: Int) -> String {
        guard !finding.rows.isEmpty else { return finding.entity ?? "store" }
        let rows = Array(finding.rows.prefix(mostRows))
        return rowList(rows) + (rows.count < finding.rows.count ? " …" : "")
    }
}

/// What the app's preferences say of its rebuild, beside what the store says.
enum PreferencesText {
    static func blocks(_ compared: ComparedPreferences) -> [Block] {
        let app = "the app's preferences \(said(compared.marker))"
        let store = "the store's metadata \(said(compared.storeMarker))"
        return [.paragraph(compared.agrees ? .tone(.good, "\(app), and \(store)") : "\(app), but \(store)")]
            + consequence(compared).map { .paragraph("\($0)") }
    }

    private static func said(_ marker: Int64?) -> String {
        marker.map { "say that rebuild \($0) was done" } ?? "have no rebuild marker"
    }

    private static func consequence(_ compared: ComparedPreferences) -> [String] {
        switch (compared.isDone, compared.isDoneInStore) {
        case (true, _) where compared.groups > 0:
            return [
                "the app does not rebuild this store again by itself, although "
                    + "\(Phrase.count(compared.groups, "meter")) \(compared.groups == 1 ? "has" : "have") several records"
            ]
        case (true, false): return ["this does no harm: no meter has several records, and a rebuild relies on the data"]
        case (false, true): return ["the app rebuilds this store once more when it opens it, and finds nothing to do"]
        case (true, true), (false, false): return []
        }
    }
}
