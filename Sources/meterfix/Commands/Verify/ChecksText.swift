internal import Answer
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// `--list-checks` and `--explain`.
extension [Check] {
    var list: [Block] {
        var table = Block.Table()
        for check in self { table.add([.code(check.id), .text(check.severity.rawValue), .text(check.title)]) }
        return [.table(table)]
    }

    var explanations: [Block] {
        flatMap { check in
            [.heading("\(check.id) (\(check.severity.rawValue)): \(check.title)")]
                + check.explanation.map { .prose("\($0)") }
        }
    }

    var json: JSONValue {
        let checks = map { check -> JSONValue in
            [
                "id": check.id, "severity": check.severity.rawValue, "title": check.title,
                "explanation": check.explanation,
            ]
        }
        return .object(JSONDocument.head(command: "verify", store: nil) + [.init("checks", checks)])
    }
}
