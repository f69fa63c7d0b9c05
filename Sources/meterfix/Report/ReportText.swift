internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterRepair

/// A page for a ticket, for three readers from top to bottom: who owns the meters reads the letter, who is in charge the
/// verdict and the pictures, who repairs the store the rest.
struct ReportText {
    let report: TicketReport
    let letter: CustomerLetter
    /// Nil for a report of the store itself.
    let redaction: RedactionReport?
    let times: ShownTimes
    var showsAll: Bool { times.showsAll }
    let now: Timestamp
    /// What `report` was told of the backups, as a user types it.
    let backupWords: [String]
    /// How many records each meter has.
    let heights: [Int]
    /// What a log beside the store says; nil without one.
    var log: ExplainText?

    /// - Parameter redaction: the redacted copy that the report is of.
    init(
        _ report: TicketReport, of redaction: RedactionReport? = nil, _ times: ShownTimes, now: Timestamp,
        backupWords: [String]
    ) {
        self.report = report
        self.redaction = redaction
        self.times = times
        self.now = now
        self.backupWords = backupWords
        heights = Self.heights((try? report.meters.get()) ?? [])
        letter = CustomerLetter(report.customer, in: report.verification.letterCase, showsAll: times.showsAll)
    }

    /// How many records each meter of a list has.
    static func heights(_ meters: [MeterSummary]) -> [Int] {
        meters.compactMap { $0.address == nil ? nil : $0.rows.count }
    }

    /// What the page is called, in a browser.
    var title: String { "\(letter.word): \(letter.title.text) · \(name)" }

    /// What is above everything on the page.
    var header: String { "USB Meter report · \(name) · \(now.calendarText()) UTC" }

    var name: String {
        let path = report.status.path
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Its path, quoted for a shell.
    var storeWord: String { ShellWord.quoted(report.verification.store) }

    var blocks: [Block] {
        let (cards, sections) = (openingCards, sections)
        return [verdict] + redacted + [.opening(cards), .contents(entries(of: cards) + sections.map(\.entry))]
            + sections.map { .place($0.entry.place, .section($0.heading, $0.blocks)) }
            + times.remark + [
                .remark(
                    "made \(now.calendarText()) UTC by meterfix \(Version.current), which changed nothing in the store\(redaction == nil ? "; this page has the customer's names and addresses in it: --redacted makes one without them" : "")"
                )
            ]
    }

    /// A part of the page that the table of contents leads to.
    struct Section {
        let entry: Block.Entry
        let heading: Inline
        let blocks: [Block]

        init(_ place: Block.Place, _ title: String, _ count: Int? = nil, heading: Inline, _ blocks: [Block]) {
            entry = .init(place, title, count)
            self.heading = heading
            self.blocks = blocks
        }
    }

    private var sections: [Section] {
        repair + [cloud, history, findings, allMeters, appendix].compactMap(\.self)
    }

    /// What has to be known of a page without personal data.
    private var redacted: [Block] {
        guard let redaction else { return [] }
        return [.remark("This is a page without personal data: names, addresses and ids are not the customer's.")]
            + .warning(
                "not everything that the store shows is on this page", of: redaction.differences + redaction.leftOut)
    }

    /// A part of the report, or why it is not there.
    static func part<Value>(_ part: TicketReport.Part<Value>, _ blocks: (Value) -> [Block]) -> [Block] {
        switch part {
        case .success(let value): blocks(value)
        case .failure(let error): Self.blocks(error)
        }
    }

    static func blocks(_ error: StoreError) -> [Block] {
        [.note(.warning, "\(error.path): \(error.message)")] + (error.hint.map { ["hint: \($0)"] } ?? [])
    }
}

extension Inline {
    /// What a customer typed, cut and in quotation marks.
    static func typed(_ text: String) -> Inline { "“\(.customer(Escaped.start(of: text, columns: 60)))”" }

    /// What a customer called something.
    /// - Parameter name: nil, or only white space, where there is no name.
    static func name(_ name: String?) -> Inline? { name.flatMap { FieldValue.text($0).isEmpty ? nil : typed($0) } }
}

extension ReportText {
    /// What `report` answers; the page is in the file.
    /// - Parameters:
    ///   - store: as the user named it.
    ///   - bytes: of the page.
    func json(of store: String, output: String, bytes: Int) -> JSONValue {
        .object(
            JSONDocument.head(command: "report", store: store) + [
                .init("output", output), .init("bytes", bytes), .init("redacted", redaction != nil),
                .init("repair", report.customer.repair.word), .init("verdict", report.verification.verdict.rawValue),
                .init("summary", letter.opening.text), .init("check", letter.checks),
                .init("steps", StepPlan(report.verification).steps.map(\.json)),
            ])
    }

    /// Writes the page to a new file, whole or not at all.
    /// - Returns: its bytes.
    func write(to path: String) throws(StoreError) -> Int {
        var size = 0
        try FileOutput.create(path) { file throws(StoreError) in
            try Medium.html.write(blocks, title: title, header: header) { bytes throws(StoreError) in
                size += bytes.count
                try Interruption.check(path)
                try file.write(bytes[...])
            }
        }
        return size
    }
}

extension CustomerSummary.Repair {
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .ahead: "ahead"
        case .impossible: "impossible"
        case .done: "done"
        case .forgotten: "forgotten"
        }
    }
}
