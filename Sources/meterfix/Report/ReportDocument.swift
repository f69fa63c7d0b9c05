internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterRepair

/// What `report` answers; the page is in the file.
enum ReportDocument {
    /// - Parameters:
    ///   - store: as the user named it.
    ///   - bytes: of the page.
    static func json(
        _ report: TicketReport, _ letter: CustomerLetter, of store: String, output: String, bytes: Int,
        isRedacted: Bool
    ) -> JSONValue {
        .object(
            JSONDocument.head(command: "report", store: store) + [
                .init("output", .string(output)), .init("bytes", JSONValue(bytes)),
                .init("redacted", .bool(isRedacted)),
                .init("repair", .string(word(report.customer.repair))),
                .init("summary", .string(letter.opening.text)),
                .init("check", .array(letter.checks.map(JSONValue.string))),
            ])
    }

    private static func word(_ repair: CustomerSummary.Repair) -> String {
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
    static func write(_ blocks: [Block], title: String, header: String, to path: String) throws(StoreError) -> Int {
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
            buffer.append(Medium.html.beginning(title: title, header: header), to: write)
            Medium.html.write(blocks) { buffer.append($0, to: write) }
            buffer.append(Medium.html.ending, to: write)
            buffer.flush(to: write)
            if let problem { throw problem }
        }
        return size
    }
}
