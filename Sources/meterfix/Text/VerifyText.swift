internal import Answer
internal import MeterInspect
internal import MeterModel

/// Findings: by check, each with its subjects and what to do.
extension VerifyReport {
    func blocks(_ times: ShownTimes) -> [Block] {
        let heading = heading
        let plan = StepPlan(self)
        let sections = self.findings.sections(names: self.names, times, explains: true, without: plan.said)
        return self.alerts.blocks(times) + [.heading(isClean ? .tone(.good, heading) : "\(heading)")] + affected
            + comparisons + sections + plan.steps.blocks(under: "what to do about \(self.findings.counts), in order:")
    }

    private var heading: String { "\(self.store): \(beginning)\(headline)" }

    /// For who asked for nothing but errors and warnings; nil where all is well.
    var warning: String? {
        guard verdict != .clean else { return nil }
        let ids = self.findings.ids
        let ignored = self.alerts.findings.first { !ids.contains($0.id) }
        return ignored.map { "\(self.store): \($0.message)" } ?? heading
    }

    /// A check that is ignored finds nothing, but what is said first is not silenced by that.
    private var isClean: Bool { self.findings.isEmpty && self.alerts.isEmpty }

    /// What the findings mean for a supporter, before their numbers.
    private var beginning: String {
        switch self.findings.worst {
        case .error: "needs a repair: "
        case .warning: "needs a review: "
        // What is said first is more than that.
        case .note: self.alerts.isEmpty ? "nothing to repair: " : "needs a review: "
        case nil: ""
        }
    }

    /// The meters that errors and warnings are about.
    private var affected: [Block] {
        var labels: [String] = []
        for finding in self.findings where finding.severity != .note && labels.count <= Self.mostMeters {
            for label in meters(of: finding) where !labels.contains(label) { labels.append(label) }
        }
        guard !labels.isEmpty else { return [] }
        let isCut = labels.count > Self.mostMeters
        let shown =
            isCut ? "\(Array(labels.prefix(Self.mostMeters)).joined(separator: ", ")) and others" : Phrase.list(labels)
        return ["meters affected: \(shown)"]
    }

    /// The names of the meters of a finding, or else an address.
    private func meters(of finding: Finding) -> [String] {
        guard finding.isAboutMeters else { return [] }
        let names = finding.rows.prefix([Finding].mostRows).compactMap { FieldText.name(self.names[$0]) }
        // Records of one meter may have several names, but it needs only one label.
        if let mac = finding.mac { return [names.first ?? mac] }
        return names
    }

    /// Meters that are named at the beginning.
    private static let mostMeters = 8

    /// `2 errors, 1 warning`, or that there is nothing.
    var headline: String {
        guard self.findings.isEmpty else { return self.findings.counts }
        return "\(isClean ? "clean" : "no other finding"), \(Phrase.count(records, "record"))"
    }

    /// Each check that found something of a severity, with what it means and whom it is about.
    func parts(of severity: Severity, _ times: ShownTimes) -> [Block.Part] {
        self.findings.checks(of: severity).map { check, found in
            let (_, blocks) = [Finding].content(check, found, names: self.names, times, explains: true, [])
            return Block.Part("\(check.title)", details: [.code(check.id)], blocks)
        }
    }

    var comparisons: [Block] { whatIsUnknown + model + (comparedPreferences?.blocks ?? []) }

    /// What another version of the app added.
    private var whatIsUnknown: [Block] {
        guard !unknownParts.isEmpty else { return [] }
        let version = self.schemaVersion.map { "v\($0)" } ?? "of an unknown version,"
        return [
            "the model is \(version) with \(unknownParts.phrase)",
            .list(unknownParts.sentences.map { "\($0)" }),
        ]
    }

    private var model: [Block] {
        guard let model = comparedModel else { return [] }
        let name = model.version ?? model.path
        return [
            .paragraph(
                model.matches
                    ? .tone(.good, "the store matches the model \(name)")
                    : "the store does not match the model \(name)")
        ]
    }
}

extension ChangeReport {
    /// What a change leaves for a person, under a headline; nothing where only notes are left.
    func remaining(_ times: ShownTimes) -> [Block] {
        remaining(self.findings.filter { $0.severity != .note }, times)
    }

    /// The same of those that were asked for.
    func remaining(_ open: [Finding], _ times: ShownTimes) -> [Block] {
        guard !open.isEmpty else { return [] }
        return [.heading("what \(outcome == .planned ? "would remain" : "remains"): \(open.counts)")]
            + open.sections(names: self.names, times)
    }
}

extension [Finding] {
    /// `2 errors, 1 warning`.
    var counts: String {
        [Severity.error, .warning, .note].compactMap { severity in
            let number = count(of: severity)
            return number == 0 ? nil : Phrase.count(number, severity.rawValue)
        }.joined(separator: ", ")
    }

    /// A section for each check, the worst first, in the order of the catalogue.
    /// - Parameters:
    ///   - names: of records that findings are about, by row.
    ///   - explains: whether each section begins with a sentence on what the check means.
    ///   - said: cures that are said elsewhere.
    func sections(
        names: [Int64: String] = [:], _ times: ShownTimes, explains: Bool = false, without said: Set<Cure> = []
    ) -> [Block] {
        Severity.allCases.sorted(by: >).flatMap { severity in
            checks(of: severity).map { check, found in
                let (heading, blocks) = Self.content(check, found, names: names, times, explains: explains, said)
                return .section(heading, blocks)
            }
        }
    }

    /// In the order of the catalogue. A finding may be worse or better than its check.
    fileprivate func checks(of severity: Severity) -> [(check: Check, findings: [Finding])] {
        let found = Dictionary(grouping: lazy.filter { $0.severity == severity }, by: \.id)
        return Check.all.compactMap { check in found[check.id].map { (check, $0) } }
    }

    fileprivate static func content(
        _ check: Check, _ findings: [Finding], names: [Int64: String], _ times: ShownTimes,
        explains: Bool, _ said: Set<Cure>
    ) -> (heading: Inline, blocks: [Block]) {
        let showsAll = times.showsAll
        let shown = ShownPart(of: findings, most: 20, showsAll: showsAll)
        let rows = showsAll ? .max : mostRows
        let meters = shown.elements.map { meter(of: $0, names, mostRows: rows) }
        let hasMeters = meters.contains { !$0.isEmpty }
        let table = zip(Array(shown.elements), meters).map { finding, meter -> [Block.Cell] in
            [.text(subject(finding, mostRows: rows))] + (hasMeters ? [.text(meter)] : [])
                + [.text(times.sentence(finding.message))]
        }
        let cures = cures(of: findings, showsAll: showsAll, said)
        return (
            "\(.tone(Tone(findings[0].severity), findings[0].severity.rawValue))  \(check.id): \(check.title)",
            (explains ? ["\(check.meaning)"] : []) + [.table(.init(rows: table))] + shown.remark
                + [.list(cures, marker: .arrow)]
        )
    }

    /// Different ones that are shown without `--verbose`, for each meter can have one of its own.
    private static let mostCures = 3

    private static func cures(of findings: [Finding], showsAll: Bool, _ said: Set<Cure>) -> [Inline] {
        var known = said
        var cures: [Cure] = []
        var (rest, last): (Int, Cure?) = (0, nil)
        // Most findings of a check have the same.
        for finding in findings where finding.cure != last {
            last = finding.cure
            guard known.insert(finding.cure).inserted else { continue }
            if showsAll || cures.count < mostCures { cures.append(finding.cure) } else { rest += 1 }
        }
        let firstAid = findings.lazy.compactMap(\.firstAid).first
        return cures.map { NextStep.text($0, asDryRun: true) }
            + Inline.rest(rest)
            + (firstAid.map { ["while devices are in use: \(.code($0.asDryRun.description))"] } ?? [])
    }

    /// The address and the names of the records' meter, without what the message says itself.
    private static func meter(of finding: Finding, _ names: [Int64: String], mostRows: Int) -> String {
        let mac = finding.mac.flatMap { finding.message.mentions($0) ? nil : $0 }
        var quotedNames: [String] = []
        for row in finding.isAboutMeters ? finding.rows.prefix(mostRows) : [] {
            guard let name = names[row], !finding.message.mentions("\"\(name)\""),
                let quoted = FieldText.name(name), !quotedNames.contains(quoted)
            else { continue }
            quotedNames.append(quoted)
        }
        return [mac, quotedNames.joined(separator: ", ")].compactMap(\.self).joined(separator: " ")
    }

    /// Rows of a finding that are shown without `--verbose`.
    fileprivate static let mostRows = 6

    private static func subject(_ finding: Finding, mostRows: Int) -> String {
        guard !finding.rows.isEmpty else { return finding.entity ?? "store" }
        let rows = [Int64](finding.rows.prefix(mostRows))
        return rowList(rows) + (rows.count < finding.rows.count ? " …" : "")
    }
}

/// What the app's preferences say of its rebuild, beside what the store says.
extension ComparedPreferences {
    var blocks: [Block] {
        let app = "the app's preferences \(Self.said(marker))"
        let store = "the store's metadata \(Self.said(storeMarker))"
        return [.paragraph(agrees ? .tone(.good, "\(app), and \(store)") : "\(app), but \(store)")]
            + consequence.map { .paragraph($0) }
    }

    private static func said(_ marker: Int64?) -> String {
        marker.map { "say that rebuild \($0) was done" } ?? "have no rebuild marker"
    }

    private var consequence: [Inline] {
        switch (isDone, isDoneInStore) {
        case (true, _) where groups > 0:
            [
                "the app does not rebuild this store again by itself, although \(Phrase.count(groups, "meter has", "meters have")) several records"
            ]
        case (true, false): ["this does no harm: no meter has several records, and a rebuild relies on the data"]
        case (false, true): ["the app rebuilds this store once more when it opens it, and finds nothing to do"]
        case (true, true), (false, false): []
        }
    }
}
