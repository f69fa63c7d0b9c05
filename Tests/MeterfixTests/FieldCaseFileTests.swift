import GRDB
import JSON
import MeterTestSupport
import Testing

/// Field cases that turn on which files they are, and of which moment.
@Suite("files of field cases", .enabled(if: FieldCases.isAvailable, "\(FieldCases.reason)"))
struct FieldCaseFileTests {
    private static func bytes(_ given: FieldCaseRun) throws -> [[UInt8]] {
        try ["", "-wal"].map { try FileBytes.read(given.copy.path() + $0) }
    }

    @Test(
        "files of two moments are an error, and nothing is written into them",
        arguments: ["23-mixed-main-older", "24-mixed-log-older", "25-mixed-log-cut"])
    func mixed(name: String) throws {
        let given = try FieldCaseRun(name)
        let store = given.copy.path()
        let before = try Self.bytes(given)
        #expect(try given.findings().contains("error files-mixed"))
        #expect(try !given.findings().contains("error not-intact"))
        try given.folder.write(#"{"MeterNames": {"A4:C1:38:5A:00:01": "New"}}"#, to: "dump.json")
        let dump = given.folder.path + "/dump.json"
        for words in [
            ["rebuild", store], ["fix", "--all", store], ["set", "--name", "New", "A4:C1:38:5A:00:01", store],
            ["import-kv", dump, store],
        ] {
            let answer = try given.run(words)
            #expect(answer.code == 65, "\(words[0]): \(answer.stderr)")
        }
        #expect(try Self.bytes(given) == before)
        // No step names what is refused.
        let steps = try #require(try given.run(["verify", "--json", store]).json["steps"]?.elements)
        #expect(!steps.isEmpty && steps.allSatisfy { $0["command"] == .null }, "\(steps)")
        #expect(try given.json("lost")["past"]?["usable"] == .bool(false))
    }

    @Test("a healthy store is not said to be of two moments, whatever its history tells")
    func notMixed() throws {
        for (name, files) in [
            ("27-not-mixed-history", ["batch", "late", "purged-all", "purged", "silent"]),
            ("29-not-mixed-logs", ["backfilled", "half", "restarted", "rolled-back", "torn", "truncated"]),
            ("66a-entity-without-history", ["CKModel"]),
        ] {
            let given = try FieldCaseRun(name)
            for file in files {
                let store = given.copy.path(file + ".sqlite")
                #expect(
                    try given.findings(file: file + ".sqlite").allSatisfy { $0.hasPrefix("note ") }, "\(name) \(file)")
                #expect(try given.run("verify", store).code == 0)
                #expect(try given.run("rebuild", store, "--no-backup").code == 0)
            }
        }
    }

    @Test("an entity that the app keeps out of the history does not hide the past of the others")
    func entityWithoutHistory() throws {
        let given = try FieldCaseRun("66a-entity-without-history")
        let store = given.copy.path()
        let lost = try given.json("lost")
        #expect(lost["past"]?["usable"] == .bool(true))
        #expect(lost["values"]?.elements?.first?["value"]?.string == "Bench")
        #expect(lost["values"]?.elements?.first?["certainty"]?.string == "certain")
        #expect(try given.run("meters", "--at", "1", store).stdout.contains("Bench"))
        #expect(try given.run("log", store).stdout.contains("name \"Bench\" → \"Workshop\""))
        #expect(try given.run("set", "--name", "Shed", "A4:C1:38:5A:00:01", store).code == 0)
    }

    @Test("a log beside another store, or beside none, is named, and recover gives what is in it")
    func oldLog() throws {
        let given = try FieldCaseRun("58-new-file-old-log")
        let (fresh, empty) = (given.copy.path("fresh.sqlite"), given.copy.path("empty.sqlite"))
        #expect(try given.findings(file: "fresh.sqlite").contains("error files-mixed"))
        #expect(try given.run("rebuild", fresh).code == 65)
        try given.run("verify", empty).expect(65, saying: "readable rows")
        for store in [fresh, empty] {
            let output = store + "-new.sqlite"
            _ = try given.run("recover", store, output)
            let names = try StoreText.read(output) { database in
                try String.fetchSet(database, sql: "SELECT ZMACADDRESS || ZMETERNAME FROM ZDEVICESETTINGS")
            }
            #expect(names.count == 6 && names.contains("A4:C1:38:5A:00:01Bench 2"))
        }
    }

    @Test("of several to-many relationships none is named alone; one is, and so are attributes")
    func toMany() throws {
        let given = try FieldCaseRun("63a-log-two-to-many")
        let entries = try given.json("log")["entries"]?.elements ?? []
        func fields(_ transaction: Int64) -> [[String]] {
            entries.filter { $0["transaction"] == .integer(transaction) }.map {
                ($0["fields"]?.elements ?? []).compactMap { $0["name"]?.string }
            }
        }
        #expect([4, 5, 6, 7].map(fields) == [[[]], [[]], [["title"]], [["boxes"]]])
        #expect(fields(8) == [["meterName", "room", "updatedAt"]])
    }

    @Test("a clock that was ahead moves neither the last change nor the next one")
    func clockAhead() throws {
        let given = try FieldCaseRun("65a-clock-was-ahead")
        let store = given.copy.path()
        let history = try given.json("status")["history"]
        #expect(history?["last"]?.string?.hasPrefix("2026-11-20T10:15") == true)
        #expect(history?["authors"]?.elements?.first?["last"] == history?["last"])
        #expect(try given.run("status", store).stdout.contains("2 transactions before it have a later time"))
        #expect(try given.findings().filter { !$0.hasPrefix("note ") } == ["warning clock-in-future"])
        #expect(try given.run("set", "--name", "New", "A4:C1:38:5A:00:01", store).code == 0)
        let last = try StoreText.read(store) { database in
            try String.fetchAll(
                database,
                sql: "SELECT Z_PK || ' ' || CAST(ZTIMESTAMP AS INTEGER) FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1")
        }
        // 2026-11-21T10:15:00Z
        #expect(last == ["6 816948900"])
    }

    @Test("a migration of the schema is shown where it was, and is nobody's change")
    func schemaMigration() throws {
        let given = try FieldCaseRun("71a-schemamigrator")
        let store = given.copy.path()
        let migrations = try given.json("log", "--author", "schemamigrator")["entries"]?.elements ?? []
        #expect(migrations.map { $0["transaction"] } == [.integer(3)])
        #expect(migrations.map { $0["change"]?.string } == ["schema"])
        #expect(migrations.allSatisfy { $0["mac"] == .null && $0["row"] == .null && $0["entity"] == .null })
        #expect(try given.run("log", store).stdout.contains("a migration of the schema"))
        #expect(try !given.run("log", "A4:C1:38:5A:00:01", store).stdout.contains("migration"))
        #expect(try given.run("sync", store).stdout.contains("nothing is pending"))
        #expect(try given.findings().allSatisfy { $0.hasPrefix("note ") })
    }

    @Test("another version of the model differs and is no damage; a store that contradicts itself is")
    func otherVersions() throws {
        let given = try FieldCaseRun("72a-model-of-another-version")
        let store = given.copy.path()
        for (model, expected) in [
            ("New.xcdatamodeld", ["note model-differs", "note model-differs"]),
            ("Old.xcdatamodel", ["note model-differs", "note model-differs"]), ("Same.xcdatamodeld", []),
        ] { #expect(try given.findings("--model", given.copy.path(model)) == expected, "\(model)") }
        let planned = try given.run("migrate", "-n", "--model", given.copy.path("New.xcdatamodeld"), store)
        #expect(planned.code == 1 && planned.stdout.contains("ADD COLUMN ZNOTE"))
        #expect(try given.findings(file: "broken/CKModel.sqlite") == ["error model-hash-mismatch"])
        #expect(
            try given.findings("--model", given.copy.path("Same.xcdatamodeld"), file: "broken/CKModel.sqlite")
                .contains("error model-hash-mismatch"))
    }

    @Test("a hash that cannot be recomputed is no mismatch")
    func composites() throws {
        let given = try FieldCaseRun("72c-model-with-composites")
        let (store, model) = (given.copy.path(), given.copy.path("Today.xcdatamodeld"))
        #expect(try given.findings("--model", model) == ["note model-cache-missing"])
        for words in [["rebuild", "-n"], ["meters"], ["log"]] { #expect(try given.run(words + [store]).code == 0) }
    }

    /// Codes of the mirror under Cocoa's domain, and a part of what is said of each; nil where it is no failure.
    private static let codes: [(code: Int, says: String?)] = [
        (134402, "own tables"), (134404, "several reasons"), (134406, "not initialised"), (134409, "dealt with"),
        (134410, "same store twice"), (134412, "one end of a relationship"), (134413, "one end of a relationship"),
        (134414, "no description explains"), (134415, nil), (134416, nil), (134417, nil), (134421, "exception"),
        (134501, "of another store"),
    ]

    @Test("each of Cocoa's errors of the mirror is explained, and the same number of another domain is not")
    func cocoaErrors() throws {
        let given = try FieldCaseRun("44-errors-of-the-mirror")
        let store = given.copy.path()
        func messages(_ domain: String, _ code: Int) throws -> [String] {
            let queue = try DatabaseQueue(path: store)
            try queue.write {
                try $0.execute(
                    sql: "UPDATE ANSCKEVENT SET ZERRORCODE = ?, ZERRORDOMAIN = ? WHERE ZERRORCODE <> 0",
                    arguments: [code, domain])
            }
            try queue.close()
            return try (given.json("verify")["findings"]?.elements ?? [])
                .filter { $0["id"]?.string == "mirror-failing" && $0["severity"]?.string != "note" }
                .compactMap { $0["message"]?.string }
        }
        for (code, words) in Self.codes {
            let found = try messages("NSCocoaErrorDomain", code)
            #expect(found.count == (words == nil ? 0 : 1), "\(code)")
            if let words { #expect(found.first?.contains(words) == true, "\(code): \(found)") }
            let other = try messages("CKErrorDomain", code)
            #expect(other.allSatisfy { $0.contains("meterfix does not know") }, "\(code): \(other)")
        }
    }
}
