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
                "findings", "backup", "notes",
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
        #expect(document.keys == Self.head + ["schemaVersion", "summary", "findings"])
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
                "schemaVersion", "summary", "devices", "model", "history", "account", "cloudMirror", "marker",
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
