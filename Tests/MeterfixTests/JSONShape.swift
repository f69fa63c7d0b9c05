import JSON

/// Which keys occur in JSON documents of one kind, where, with what values and in which order.
struct JSONShape {
    /// What stands under one path, `changes[].fields[].rule`.
    struct Values {
        var count = 0
        /// `text`, `integer`, `array of text` …; an empty array is `array`.
        var types: Set<String> = []
        var texts: Set<String> = []
    }

    private(set) var values: [String: Values] = [:]
    /// How many objects there were under a path; the document itself has the empty one.
    private(set) var objects: [String: Int] = [:]
    /// The keys of the objects under a path, each sequence once.
    private(set) var sequences: [String: Set<[String]>] = [:]

    init(_ documents: [JSONValue]) {
        for document in documents { add(document, at: "") }
    }

    /// Objects whose keys are a customer's: names of fields and of entities.
    private static func shown(_ key: String, in path: String) -> String {
        let isRecord = ["record", "afterRebuild", "records[].fields"].contains(path) || path.hasSuffix(".record")
        if isRecord { return "FIELD" }
        let isMetadata = path == "changes[].before" || path == "changes[].after"
        return isMetadata && key != "date" && key != "sha256" ? "ENTITY" : key
    }

    /// Whether a key is a placeholder for a customer's.
    static func isPlaceholder(_ path: String) -> Bool { path.hasSuffix(".FIELD") || path.hasSuffix(".ENTITY") }

    /// The path of the object that a key stands in, and the key.
    static func split(_ path: String) -> (parent: String, key: String) {
        guard let dot = path.lastIndex(of: ".") else { return ("", path) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }

    private mutating func add(_ value: JSONValue, at path: String) {
        switch value {
        case .object(let members):
            objects[path, default: 0] += 1
            sequences[path, default: []].insert(members.map { Self.shown($0.key, in: path) })
            for member in members {
                let key = Self.shown(member.key, in: path)
                let place = path.isEmpty ? key : "\(path).\(key)"
                values[place, default: Values()].count += 1
                note(member.value, at: place)
                // What an entry of a dump has, a customer wrote.
                if place != "rejects[].value" { add(member.value, at: place) }
            }
        case .array(let elements):
            for element in elements { add(element, at: path + "[]") }
        case .null, .bool, .integer, .double, .string: break
        }
    }

    private mutating func note(_ value: JSONValue, at path: String) {
        if case .array(let elements) = value {
            values[path]!.types.formUnion(
                elements.isEmpty ? ["array"] : elements.map { "array of \(Self.type(of: $0))" })
        } else {
            values[path]!.types.insert(Self.type(of: value))
            if let text = value.string { values[path]!.texts.insert(text) }
        }
    }

    private static func type(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .double: "number"
        case .string: "text"
        case .array: "array"
        case .object: "object"
        }
    }
}
