internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A page for a ticket: first what the owner of the meters wants to know, then what each command says.
struct ReportText {
    private let report: TicketReport
    /// Nil for a report of the store itself.
    private let redaction: RedactionReport?
    private let showsAll: Bool
    private let times: ShownTimes
    private let now: Timestamp
    /// What `report` was told of the backups, as a user types it.
    private let backupWords: [String]
    private let language: LetterLanguage
    /// Changes by meterfix, and backups, that are shown without `--verbose`.
    private static let most = 10

    /// - Parameter redaction: the redacted copy that the report is of.
    init(
        _ report: TicketReport, of redaction: RedactionReport? = nil, _ times: ShownTimes, now: Timestamp,
        showsAll: Bool, backupWords: [String], language: LetterLanguage = .english
    ) {
        self.report = report
        self.redaction = redaction
        self.times = times
        self.now = now
        self.showsAll = showsAll
        self.backupWords = backupWords
        self.language = language
    }

    /// What the page is called, in a browser.
    var title: String { "\(name), meterfix report" }

    private var name: String {
        let path = report.status.path
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    var customer: CustomerLetter {
        CustomerLetter(
            report.customer, in: report.verification.letterCase, showsAll: showsAll, language: language)
    }

    var blocks: [Block] {
        [.heading("Report on \(name)")] + redacted
            + AlertText.blocks(report.status.alerts, times) + customer.blocks + [
                .section("Status", StatusText(report.status, times, showsAll: showsAll).blocks),
                findings,
                .section(
                    "What a rebuild would do",
                    PlannedRebuildText(report.rebuild, times, showsAll: showsAll, backupWords: backupWords).blocks),
                sync,
                .section("Who changed how much", ActivityText(report.activity).blocks),
                changes,
            ] + past + [
                backups,
                checks,
                .deferred { [times] in times.remark },
                .remark(
                    "made \(now.calendarText()) UTC by meterfix \(Version.current), which changed nothing in the store"),
            ]
    }

    /// What has to be known of a page without personal data.
    private var redacted: [Block] {
        guard let redaction else { return [] }
        let dates = redaction.tally.counts[.date] == nil ? "" : ", and dates are earlier by a secret number of seconds"
        return [
            .remark("This is a page without personal data: names, addresses and ids are not the customer's\(dates).")
        ] + (redaction.isFaithful ? [] : [.note(.warning, "not everything that the store shows is on this page")])
            + [.list((redaction.differences + redaction.leftOut).map { Inline($0) }, marker: .dash)]
    }

    private var findings: Block {
        let text = VerifyText(report.verification, times, showsAll: showsAll)
        let isClean = report.verification.findings.isEmpty
        return .section(
            "What is wrong",
            [.paragraph(isClean ? .tone(.good, text.headline) : "\(text.headline)")] + text.body(isAlone: false))
    }

    private var sync: Block {
        .section(
            "What waits, and what CloudKit will do",
            Self.part(report.sync) { sync in
                let text = SyncText(sync, times, showsAll: showsAll)
                return [.paragraph(text.headline)] + text.body
            })
    }

    private var changes: Block {
        .section(
            "The last changes",
            Self.part(report.log) { log in
                guard log.hasHistory else { return [.paragraph("the store keeps no history of its changes")] }
                let text = LogText(log, ChangeLog.Request(), times)
                return log.entries.isEmpty
                    ? [.paragraph("the history has no change")] : [.paragraph("\(text.headline)")] + text.sections
            })
    }

    /// Names and units that no record has any more; nothing where they were not asked for.
    private var past: [Block] {
        guard let lost = report.lost else { return [] }
        return [
            .section(
                "Lost names and units",
                Self.part(lost) { LostText($0, times, showsAll: showsAll).body })
        ]
    }

    private var backups: Block {
        guard redaction == nil else {
            return .section(
                "Changes by meterfix, and their backups",
                [.paragraph("They are not on a page without personal data, for it is in the backups.")])
        }
        let changes = Self.part(report.changes) { history -> [Block] in
            guard !history.items.isEmpty else { return [.paragraph("meterfix never changed this store")] }
            let text = HistoryText(history, times)
            let shown = ShownPart(of: history.items, most: Self.most, showsAll: showsAll)
            return [.paragraph("\(text.headline)")] + text.body(of: shown.elements) + shown.remark
        }
        return .section(
            "Changes by meterfix, and their backups",
            changes
                + Self.part(report.backups) { list in
                    let shown = ShownPart(of: list.items, most: Self.most, showsAll: showsAll)
                    return BackupListText(list, times).body(of: shown.elements) + shown.remark
                })
    }

    private var checks: Block {
        var table = Block.Table(["what is looked for", "check", "result"])
        // What was found comes first.
        let found = report.checks.filter { ($0.findings ?? 0) > 0 }
        for result in found + report.checks.filter({ ($0.findings ?? 0) == 0 }) {
            table.add([.text(result.check.title), .code(result.check.id), .remark(words(result))])
        }
        let ran = report.checks.count { $0.findings != nil }
        var blocks: [Block] = [
            .paragraph("\(Phrase.count(ran, "check")) ran, \(found.count) found something"),
            .table(table),
        ]
        if report.checks.contains(where: { $0.check.id == "not-intact" && ($0.findings ?? 0) > 0 }) {
            blocks.append(.remark("the store is damaged: where a part cannot be read, nothing can be found in it"))
        }
        return .section("What was checked", blocks)
    }

    private func words(_ result: TicketReport.CheckResult) -> String {
        switch result.findings {
        case nil: "not looked for: the store has no records of meters"
        case 0?: "nothing found"
        case let count?:
            // That of the findings: some checks have milder ones.
            Phrase.count(
                count,
                (report.verification.findings.checks.first { $0.id == result.check.id }?.severity
                    ?? result.check.severity).rawValue)
        }
    }

    /// A part of the report, or why it is not there.
    static func part<Value>(_ part: TicketReport.Part<Value>, _ blocks: (Value) -> [Block]) -> [Block] {
        switch part {
        case .success(let value): blocks(value)
        case .failure(let error): Self.blocks(error)
        }
    }

    static func blocks(_ error: StoreError) -> [Block] {
        [.note(.warning, "\(error.path): \(error.message)")] + (error.hint.map { [.paragraph("hint: \($0)")] } ?? [])
    }
}

/// What `report` answers; the page is in the file.
enum ReportDocument {
    /// - Parameters:
    ///   - store: as the user named it.
    ///   - bytes: of the page.
    static func json(
        _ report: TicketReport, _ customer: CustomerLetter, of store: String, output: String, bytes: Int,
        isRedacted: Bool
    ) -> JSONValue {
        .object(
            JSONDocument.head(command: "report", store: store) + [
                .init("output", .string(output)), .init("bytes", JSONValue(bytes)),
                .init("redacted", .bool(isRedacted)),
                .init("repair", .string(word(report.customer.repair))),
                .init("lang", .string(customer.language.rawValue)),
                .init("summary", .string(customer.opening.text)),
                .init("check", .array(customer.checks.map(JSONValue.string))),
            ])
    }

    private static func word(_ repair: CustomerAccount.Repair) -> String {
        switch repair {
        case .none: "none"
        case .ahead: "ahead"
        case .impossible: "impossible"
        case .done: "done"
        case .forgotten: "forgotten"
        }
    }
}

/// A page on the disk.
enum PageFile {
    /// Writes a page to a new file, whole or not at all.
    /// - Returns: its bytes.
    /// - Throws: `StoreError`.
    static func write(_ blocks: [Block], title: String, to path: String) throws(StoreError) -> Int {
        var size = 0
        try FileOutput.create(path) { file throws(StoreError) in
            var buffer = OutputBuffer()
            var problem: StoreError?
            func write(_ bytes: [UInt8]) {
                guard problem == nil else { return }
                size += bytes.count
                do throws(StoreError) {
                    try Interruption.check(path)
                    try file.write(bytes[...])
                } catch {
                    problem = error
                }
            }
            buffer.append(Medium.html.beginning(title: title), to: write)
            Medium.html.write(blocks) { buffer.append($0, to: write) }
            buffer.append(Medium.html.ending, to: write)
            buffer.flush(to: write)
            if let problem { throw problem }
        }
        return size
    }
}
