import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

/// What the commands besides `verify` answer to the field cases.
@Suite("answers to field cases", .enabled(if: FieldCases.isAvailable, "\(FieldCases.reason)"))
struct FieldCaseAnswerTests {
    private static func rows(_ changes: JSONValue?, _ kind: String) -> [Int64] {
        (changes?.elements ?? []).filter { $0["kind"]?.string == kind }.compactMap { change in
            if case .integer(let row)? = change["row"] { row } else { nil }
        }.sorted()
    }

    struct Rebuilt: CustomTestStringConvertible, Sendable {
        let name: String
        var file = "CKModel.sqlite"
        let deleted: [Int64]
        /// Fields that are in conflict.
        var conflicts: [String] = []
        /// A part of the notes.
        var says: [String] = []
        var code: Int32 = 0
        /// What the meters are called afterwards, and their units.
        var names: [String] = []
        var units: [String?] = []

        var testDescription: String { name }
    }

    static let rebuilt = [
        Rebuilt(
            name: "17-mark-deduplicated", deleted: [1, 4], names: ["Bench", "Desk", "Garage"],
            units: ["fahrenheit", "celsius", nil]),
        Rebuilt(
            name: "18-mark-hidden", deleted: [1, 4], conflicts: ["deletedSampleCount"], names: ["Bench", "Desk"],
            units: ["celsius", "celsius"]),
        Rebuilt(
            name: "20-cloud-delete-alive", deleted: [1],
            says: ["about to delete records of A4:C1:38:5A:00:01 (row 1)", "let this device sync first"],
            names: ["Bench", "Travel charger", "Desk", "Power bank", "Garage", "Solar"]),
        Rebuilt(
            name: "33-unknown-unit-wins", deleted: [2, 3, 6, 8],
            conflicts: ["tc66TemperatureUnit", "tc66TemperatureUnit"], code: 2,
            names: ["Bench", "Solar", "Desk", "Van"], units: ["fahrenheit", "°C", "celsius", "celsius"]),
        Rebuilt(
            name: "34-names-equal-to-the-eye", deleted: [1, 3, 5, 7], conflicts: ["meterName"],
            names: ["Ka\u{308}sekuchen", "Lab ", "e\u{301}tabli", "Lab 2"]),
        Rebuilt(
            name: "35-distant-dates", deleted: [2, 3, 6], conflicts: ["meterName"],
            names: ["Bench", "New name", "Desk", "Van"]),
        Rebuilt(
            name: "46-two-zones-shared", deleted: [4, 5, 6], conflicts: ["meterName"],
            says: ["A4:C1:38:5A:00:01 (row 4) lie in another zone, which somebody else shares"],
            names: ["Terrace", "Travel charger", "Desk"]),
        Rebuilt(
            name: "48-lock-just-renewed", deleted: [4, 5],
            says: ["in use now: A4:C1:38:5A:00:01 by \"Shop iPad\" until", "--in-use"]),
        Rebuilt(name: "54-replaced-one-by-one", file: "pad.sqlite", deleted: [4], says: ["let this device sync first"]),
    ]

    @Test("a rebuild keeps what must be kept, and says what a person must know", arguments: rebuilt)
    func rebuild(_ expected: Rebuilt) throws {
        let given = try FieldCaseRun(expected.name)
        let plan = try given.json("rebuild", "-n", file: expected.file)
        let store = given.copy.path(expected.file)
        #expect(try given.run(["rebuild", store, "--no-backup"]).code == expected.code)
        #expect(Self.rows(plan["changes"], "delete") == expected.deleted)
        #expect((plan["conflicts"]?.elements ?? []).compactMap { $0["field"]?.string } == expected.conflicts)
        let notes = (plan["notes"]?.elements ?? []).compactMap(\.string).joined(separator: "\n")
        for words in expected.says { #expect(notes.contains(words), "\(words) in: \(notes)") }
        let meters = try given.json("meters", file: expected.file)["meters"]?.elements ?? []
        if !expected.names.isEmpty {
            #expect(
                meters.compactMap { $0["name"]?.string }.map { Array($0.utf8) } == expected.names.map { Array($0.utf8) }
            )
        }
        if !expected.units.isEmpty { #expect(meters.map { $0["unit"]?.string } == expected.units) }
        let marks = try StoreText.read(store) { database in
            let columns = try database.columns(in: "ZDEVICESETTINGS").map(\.name)
            return try ["ZISHIDDEN", "ZDEDUPLICATEDDATE"].filter(columns.contains).flatMap { column in
                try String.fetchAll(
                    database, sql: "SELECT DISTINCT quote(\(column)) FROM ZDEVICESETTINGS WHERE \(column) <> 0")
            }
        }
        #expect(marks.isEmpty, "a mark was copied")
    }

    @Test("a meter that is in use is said to be so only while it is")
    func laterNotInUse() throws {
        let given = try FieldCaseRun("48-lock-just-renewed")
        let words = ["rebuild", "-n", "--json", given.copy.path(), "--now", "2026-11-21T10:25:00Z"]
        let answer = try given.folder.meterfix(arguments: words).stdout
        #expect(!answer.contains("in use now"))
    }

    @Test("of a record in a zone that somebody else shares, plan and show name the owner")
    func sharedZone() throws {
        let given = try FieldCaseRun("46-two-zones-shared")
        let owners = (try given.json("rebuild", "-n")["changes"]?.elements ?? []).compactMap { change in
            change["sharedBy"]?.string.map { _ in change["row"] }
        }
        #expect(owners == [.integer(4)])
        let shown = try given.json("show", "A4:C1:38:5A:00:01")["records"]?.elements ?? []
        #expect(shown.map { $0["sharedBy"]?.string != nil } == [false, true])
    }

    @Test(
        "two stores of two accounts never meet: it is said first, and nothing is forecast",
        arguments: ["compare", "log", "devices"])
    func twoAccounts(_ command: String) throws {
        let given = try FieldCaseRun("08-two-accounts")
        let words = [command, given.copy.path("phone.sqlite"), given.copy.path("mac.sqlite")]
        let json = try given.run(words + ["--json"]).json
        #expect(
            json["accounts"]?.elements?.map(\.string) == [
                "_5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5", "_a1a2a3a4b1b2b3b4c1c2c3c4d1d2d3d4",
            ])
        #expect(json["sameAccount"] == .bool(false))
        let text = try given.run(words).stdout
        #expect(text.prefix { $0 != "\n" }.contains("belong to different iCloud accounts"))
        for promise in ["once both have synced", "is kept", "loses"] { #expect(!text.contains(promise)) }
        for meter in json["meters"]?.elements ?? [] {
            #expect(meter["winner"] == .null && meter["losses"]?.elements?.isEmpty == true)
        }
        #expect(try given.json("status", file: "mac.sqlite")["account"] == "_a1a2a3a4b1b2b3b4c1c2c3c4d1d2d3d4")
    }

    @Test(
        "asked about a meter that is gone, log shows who deleted it",
        arguments: [
            ("A4:C1:38:5A:00:03", "app", 3), ("A4:C1:38:5A:00:05", "cloudkit", 3), ("A4:C1:38:5A:00:99", nil, 0),
        ] as [(String, String?, Int)])
    func deletionInLog(mac: String, origin: String?, count: Int) throws {
        let entries = try FieldCaseRun("30-log-hides-the-deletion").json("log", mac)["entries"]?.elements ?? []
        #expect(entries.count == count)
        #expect(entries.first?["origin"]?.string == origin)
        if origin != nil {
            #expect(entries[0]["change"] == "delete" && entries[0]["mac"]?.string == mac)
            #expect(entries[1]["change"] == "update" && entries[2]["change"] == "insert")
        }
    }

    @Test("an import tells which meters it makes again although they were deleted")
    func revived() throws {
        let given = try FieldCaseRun("31-import-revives")
        let dump = given.copy.path("names.json")
        func revived(_ words: String...) throws -> [String?] {
            let json = try given.run(["import-kv", "--json"] + words + [dump, given.copy.path()]).json
            return (json["revived"]?.elements ?? []).map { $0["mac"]?.string }
        }
        #expect(try revived("-n", "--except", "A4:C1:38:5A:00:03") == ["A4:C1:38:5A:00:05"])
        let text = try given.run(["import-kv", "-n", dump, given.copy.path()]).stdout
        #expect(text.contains("meters that were deleted come back") && text.contains("--except MAC"))
        let planned = try revived("-n")
        #expect(planned == ["A4:C1:38:5A:00:03", "A4:C1:38:5A:00:05"])
        #expect(try revived("--no-backup") == planned, "the dry run told the same")
    }

    @Test("an import into a store that has downloaded nothing says so")
    func importBeforeDownload() throws {
        let given = try FieldCaseRun("40-first-import-never-ended")
        let answer = try given.run(["import-kv", "-n", given.copy.path("names.json"), given.copy.path()])
        #expect(answer.code == 1 && answer.stdout.contains("nothing has been downloaded from CloudKit yet"))
    }

    @Test("a name that another meter has now is not lost")
    func swappedNames() throws {
        let given = try FieldCaseRun("50-names-swapped")
        func names(_ words: String...) throws -> Set<String> {
            let json = try given.run(["lost", "--json"] + words + [given.copy.path()]).json
            return Set((json["values"]?.elements ?? []).compactMap { $0["value"]?.string })
        }
        #expect(try names() == ["Camper", "Desk"])
        #expect(try names("--all").isSuperset(of: ["Camper", "Desk", "Bench", "Garage", "Solar"]))
    }

    @Test("of two stores side by side, the newer one with fewer records is pointed out")
    func oldVersionBeside() throws {
        let given = try FieldCaseRun("52-old-version-beside")
        let answer = try given.run(["where", given.copy.path("")])
        #expect(answer.stdout.contains("is the newer one, but") && answer.stdout.contains("schema v2: ask for both"))
        let stores = try given.json("where", file: "")["stores"]?.elements ?? []
        #expect(stores.map { $0["records"] } == [.integer(2), .integer(6)])
        #expect(stores.map { $0["schemaVersion"] } == [.integer(1), .integer(2)])
    }

    @Test(
        "what a backup lists without a -wal is complete",
        arguments: [
            ("60a-backup-without-wal", "backup", ""), ("76a-backup-flattened", "backup", ""),
            ("60b-backup-with-wal", "backup", nil),
        ] as [(String, String, String?)])
    func backups(name: String, backup: String, log: String?) throws {
        let given = try FieldCaseRun(name)
        let out = given.folder.path + "/out"
        #expect(try given.run(["where", given.copy.path(backup)]).code == 0)
        #expect(try given.run(["where", "--copy-to", out, given.copy.path(backup)]).code == 0)
        let copied = try String(contentsOfFile: out + "/CKModel.sqlite-wal", encoding: .isoLatin1)
        if let log { #expect(copied == log) } else { #expect(copied.count > 32) }
        #expect(try !given.run(["verify", "--json", out + "/CKModel.sqlite"]).stdout.contains("wal-missing"))
        #expect(try given.run(["rebuild", out + "/CKModel.sqlite"]).code == 0)
    }

    @Test("a backup whose list names one file and no folder does not say whether there was a -wal")
    func listOfOneFile() throws {
        let given = try FieldCaseRun("57-backup-without-log")
        let out = given.folder.path + "/out"
        _ = try given.run(["where", "--copy-to", out, given.copy.path("00008030-00AA55AA55AA802E")])
        #expect(try given.run(["verify", "--json", out + "/CKModel.sqlite"]).stdout.contains("wal-missing"))
        #expect(try given.run(["rebuild", out + "/CKModel.sqlite"]).code == 65)
    }

    @Test("a backup without the file that it lists says nothing that contradicts itself")
    func backupWithoutFile() throws {
        let given = try FieldCaseRun("76a-backup-flattened")
        let answer = try given.run(["where", given.copy.path("without")])
        #expect(answer.code == 66 && !answer.stdout.contains("lists no CKModel.sqlite"))
        #expect(answer.stderr.contains("is listed, but") && answer.stdout.contains("packed as a whole"))
    }
}
