internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterRepair

/// The JSON document of a store that could not be read.
enum ErrorDocument {
    /// - Parameter store: the store as the user gave it, where the error may be about another file.
    static func json(_ error: StoreError, command: String, store: String? = nil) -> JSONValue {
        let store = store ?? error.path
        let message = error.path == store ? error.message : "\(error.path): \(error.message)"
        return .object(
            JSONDocument.head(command: command, store: store) + [
                .init(
                    "error",
                    [
                        "code": .integer(Int64(ExitStatus(error.kind).rawValue)), "message": .string(message),
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
