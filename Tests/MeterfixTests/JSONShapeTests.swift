import JSON
import MeterTestSupport
import Testing

@Suite("a JSON document")
struct JSONShapeTests {
    private static let head = ["schema", "tool", "version", "command", "store"]

    @Test("is what our own reader reads, and is written again byte for byte", arguments: SampleShelf.samples)
    func roundTrip(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        for run in [session.statusJSON, session.verifyJSON, session.dryRunJSON, session.rebuildJSON] {
            #expect(try run.json.text(pretty: true) + "\n" == run.stdout, "\(run.line)")
        }
    }

    @Test("of a rebuild has the keys that scripts rely on, in their order")
    func rebuild() throws {
        let document = try Self.session("duplicates").rebuildJSON.json
        #expect(
            document.keys == Self.head + [
                "outcome", "schemaVersion", "fingerprint", "summary", "cloud", "changes", "conflicts", "rejects",
                "findings", "steps", "backup", "notes",
            ])
        #expect(document["schema"] == .integer(1))
        #expect(
            document["summary"]?.keys == [
                "records", "groups", "updated", "deleted", "inserted", "unchanged", "conflicts", "rejects",
            ])
        #expect(document["cloud"]?.keys == ["updates", "deletes", "batches", "deleteAndRecreate"])
        #expect(document["cloud"]?["deleteAndRecreate"]?.keys == ["deletes", "inserts"])
        let changes = try #require(document["changes"]?.elements)
        let update = try #require(changes.first { $0["kind"] == "update" })
        #expect(update.keys == ["kind", "entity", "row", "mac", "cloudRecord", "fields"])
        #expect(update["fields"]?.elements?.first?.keys == ["name", "before", "after", "fromRow", "rule"])
        let delete = try #require(changes.first { $0["kind"] == "delete" })
        #expect(delete.keys == ["kind", "entity", "row", "mac", "cloudRecord", "mergedInto", "record"])
        let record = try #require(delete["record"]?.keys)
        #expect(record.contains("macAddress") && record.contains("calibration"))
        let conflict = try #require(document["conflicts"]?.elements?.first)
        #expect(conflict.keys == ["mac", "field", "kept", "keptFromRow", "dropped"])
        #expect(conflict["dropped"]?.elements?.first?.keys == ["value", "row"])
        let metadata = try #require(
            try Self.session("wal-only").rebuildJSON.json["changes"]?.elements?.first { $0["kind"] == "metadata" })
        #expect(metadata.keys == ["kind", "key", "before", "after"])
    }

    @Test("of verify has the keys that scripts rely on, in their order")
    func verify() throws {
        let document = try Self.session("duplicates").verifyJSON.json
        #expect(document.keys == Self.head + ["schemaVersion", "summary", "verdict", "findings", "steps"])
        #expect(document["steps"]?.elements?.first?.keys == ["kind", "devices", "command", "text"])
        #expect(document["summary"]?.keys == ["records", "groups"])
        let finding = try #require(document["findings"]?.elements?.first { $0["id"] == "duplicate-mac" })
        #expect(finding.keys == ["id", "severity", "entity", "rows", "mac", "levelled", "message", "cure"])
        #expect(try Self.session("v1").verifyJSON.json["schemaVersion"] == .integer(1))
        #expect(try Self.session("other-app").verifyJSON.json["schemaVersion"] == .null)
    }

    @Test("of status has its objects, in their order")
    func status() throws {
        let document = try Self.session("duplicates").statusJSON.json
        #expect(
            document.keys == Self.head + [
                "schemaVersion", "summary", "verdict", "steps", "devices", "model", "history", "account", "cloudMirror",
                "marker",
            ])
        #expect(document["store"]?.keys == ["path", "uuid", "bytes", "journalMode", "walMissing", "metadataProblem"])
        #expect(document["store"]?["path"] == "duplicates.sqlite")
        #expect(document["marker"]?.keys == ["cloudStoreRebuildVersion", "legacyKeyValueImport"])
        #expect(
            document["model"]?.keys == [
                "identifiers", "frameworkVersion", "hashes", "entities", "unknownAttributes", "unknownEntities",
            ])
    }

    @Test("of several stores is one line each", arguments: ["healthy", "duplicates"])
    func oneLine(_ name: String) throws {
        let folder = try ScratchFolder(sample: name)
        let answer = try folder.meterfix(
            "verify", "--json", "\(name).sqlite", "\(name).sqlite", "--now", SampleSession.now)
        let lines = answer.stdout.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(try lines.allSatisfy { try JSONValue(parsing: Array($0.utf8)) == Self.session(name).verifyJSON.json })
    }

    private static func session(_ name: String) throws -> SampleSession {
        try SampleSession.of(try #require(SampleShelf.sample(name)))
    }
}

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
        case .null, .bool, .integer, .unsigned, .double, .string: break
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
        case .integer, .unsigned: "integer"
        case .double: "number"
        case .string: "text"
        case .array: "array"
        case .object: "object"
        }
    }
}
