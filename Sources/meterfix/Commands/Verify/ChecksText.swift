internal import Answer
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// `--list-checks` and `--explain`.
enum ChecksText {
    static func list(_ checks: [Check]) -> [Block] {
        var table = Block.Table()
        for check in checks { table.add([.code(check.id), .text(check.severity.rawValue), .text(check.title)]) }
        return [.table(table)]
    }

    static func explanation(_ check: Check) -> [Block] {
        [.heading("\(check.id) (\(check.severity.rawValue)): \(check.title)")]
            + check.explanation.map { .prose("\($0)") }
    }
}

/// `--list-checks` and `--explain` as JSON.
enum ChecksDocument {
    static func json(_ checks: [Check]) -> JSONValue {
        .object(
            JSONDocument.head(command: "verify", store: nil) + [.init("checks", .array(checks.map(json)))])
    }

    private static func json(_ check: Check) -> JSONValue {
        [
            "id": .string(check.id), "severity": .string(check.severity.rawValue), "title": .string(check.title),
            "explanation": .array(check.explanation.map(JSONValue.string)),
        ]
    }
}
