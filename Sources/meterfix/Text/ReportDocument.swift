internal import JSON
internal import MeterInspect
internal import MeterRepair

/// What `report` answers; the page is in the file.
enum ReportDocument {
    /// - Parameters:
    ///   - store: as the user named it.
    ///   - bytes: of the page.
    static func json(
        _ report: TicketReport, _ customer: CustomerText, of store: String, output: String, bytes: Int,
        isRedacted: Bool
    ) -> JSONValue {
        .object(
            JSONDocument.head(command: "report", store: store) + [
                .init("output", .string(output)), .init("bytes", JSONValue(bytes)),
                .init("redacted", .bool(isRedacted)),
                .init("repair", .string(word(report.customer.repair))),
                .init("summary", .string(customer.paragraph)),
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
