internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// `--list-checks` and `--explain` as JSON.
enum ChecksDocument {
    static func json(_ checks: [CheckDescription]) -> JSONValue {
        .object(
            JSONDocument.head(command: "verify", store: nil) + [.init("checks", .array(checks.map(json)))])
    }

    private static func json(_ check: CheckDescription) -> JSONValue {
        [
            "id": .string(check.id), "severity": .string(check.severity.rawValue), "title": .string(check.title),
            "explanation": .array(check.explanation.map(JSONValue.string)),
        ]
    }
}
