internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterRepair

/// The JSON document of what stopped a command.
enum ErrorDocument {
    /// - Parameter store: the store as the user gave it, where the error may be about another file.
    static func json(_ error: StoreError, command: String, store: String? = nil) -> JSONValue {
        let (store, message) = error.told(of: store)
        return json(command, store, code: ExitStatus(error.kind).rawValue, message, hint: error.hint)
    }

    /// Wrong usage.
    /// - Parameters:
    ///   - message: the sentence on stderr.
    ///   - command: nil where the arguments do not begin with one.
    static func usage(_ message: String, command: String?, code: Int32) -> JSONValue {
        let hint = ["meterfix", command, "--help"].compactMap(\.self).joined(separator: " ")
        return json(command, nil, code: code, message, hint: "see \(hint)")
    }

    private static func json(
        _ command: String?, _ store: String?, code: Int32, _ message: String, hint: String?
    ) -> JSONValue {
        let error: JSONValue = [
            "code": .integer(Int64(code)), "message": .string(message), "hint": JSONValue(hint),
        ]
        return .object(JSONDocument.head(command: command, store: store) + [.init("error", error)])
    }
}
