internal import JSON
internal import MeterInspect
internal import MeterRepair

/// What `report` answers; the page is in the file.
enum ReportDocument {
    /// - Parameter bytes: of the page.
    static func json(
        _ report: TicketReport, _ customer: CustomerText, output: String, bytes: Int
    ) -> JSONValue {
        .object(
            JSONDocument.head(command: "report", store: report.status.path) + [
                .init("output", .string(output)), .init("bytes", JSONValue(bytes)),
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
