internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterRepair

/// The JSON document of a store that could not be read.
enum ErrorDocument {
    static func json(_ error: StoreError, command: String) -> JSONValue {
        .object(
            JSONDocument.head(command: command, store: error.path) + [
                .init(
                    "error",
                    [
                        "code": .integer(Int64(ExitStatus(error.kind).rawValue)), "message": .string(error.message),
                        "hint": JSONValue(error.hint),
                    ])
            ])
    }
}

extension CheckDescription {
    var json: JSONValue {
        [
            "id": .string(id), "severity": .string(severity.rawValue), "title": .string(title),
            "explanation": .array(explanation.map(JSONValue.string)),
        ]
    }
}
