internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterRepair

extension ReportText {
    /// What `report` answers; the page is in the file.
    /// - Parameters:
    ///   - store: as the user named it.
    ///   - bytes: of the page.
    func json(of store: String, output: String, bytes: Int) -> JSONValue {
        .object(
            JSONDocument.head(command: "report", store: store) + [
                .init("output", .string(output)), .init("bytes", JSONValue(bytes)),
                .init("redacted", .bool(redaction != nil)),
                .init("repair", .string(report.customer.repair.word)),
                .init("summary", .string(letter.opening.text)),
                .init("check", .array(letter.checks.map(JSONValue.string))),
            ])
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

extension ReportText {
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
