import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

/// What `import-kv` answers to the field cases of dumps.
@Suite("answers to dumps that people sent", .enabled(if: FieldCases.isAvailable, "\(FieldCases.reason)"))
struct SentDumpAnswerTests {
    struct Sent: CustomTestStringConvertible, Sendable {
        let name: String
        let dump: String
        /// Of the meters afterwards that the dump has, in the order of their addresses; empty where it is refused.
        var names: [String] = []
        var units: [String?] = []
        /// Parts of what it says.
        var says: [String] = []

        var testDescription: String { "\(name)/\(dump)" }
    }

    private static let print = ["Küche", "5\" drive", "Two\nlines"]
    private static let excel = ["Küche – „gut“ 5 €", "Straße"]
    private static let wide = ["Küche", "Лаборатория", "🔋 bank"]
    private static let objects = ["Küche", "Drive", "Two\nlines"]
    private static let typed = ["Küche", "Drive & shed"]

    static let sent =
        [
            Sent(name: "67a-dump-plutil-print", dump: "names.txt", says: ["plutil -convert xml1"]),
            Sent(name: "67b-dump-swift-print", dump: "plain.txt", names: print),
            Sent(name: "67b-dump-swift-print", dump: "optional.txt", names: print),
            Sent(name: "67b-dump-swift-print", dump: "both.txt", names: print, units: ["fahrenheit", nil, nil]),
            Sent(name: "67b-dump-swift-print", dump: "labelled.txt", names: print, units: ["fahrenheit", nil, nil]),
            Sent(name: "67c-dump-excel-csv", dump: "sep.csv", names: excel, units: ["fahrenheit", nil]),
            Sent(name: "67c-dump-excel-csv", dump: "sep-bom.csv", names: excel, units: ["fahrenheit", nil]),
            Sent(name: "67c-dump-excel-csv", dump: "ansi.csv", says: ["CSV UTF-8"]),
            Sent(name: "67c-dump-excel-csv", dump: "sep-ansi.csv", says: ["CSV UTF-8"]),
        ]
        + ["excel.txt", "notepad.json", "names.plist", "bare.json"].map {
            Sent(name: "67e-dump-utf16", dump: $0, names: wide, units: ["fahrenheit", nil, nil])
        }
        + [("array.json", "rssi"), ("lines.jsonl", "rssi"), ("wrapped.json", "rssi"), ("by-address.json", "seen")].map {
            Sent(
                name: "67f-dump-json-objects", dump: $0, names: objects, units: ["fahrenheit", "celsius", nil],
                says: ["left out: \($1)"])
        }
        + [
            Sent(name: "67f-dump-json-objects", dump: "unknown.json", says: ["macAddress", "meterName", "k, v"]),
            Sent(
                name: "67g-dump-nested-plist", dump: "prefs.plist", names: ["Küche", "Drive"],
                units: ["fahrenheit", nil], says: ["legacyBackup", "kvs"]),
            Sent(name: "67g-dump-nested-plist", dump: "twice.plist", says: ["ana", "ben", "--kv-store"]),
            Sent(
                name: "67h-dump-defaults-read", dump: "read.txt", names: ["Küche", "🔋 bank", "5\" drive", "Spare"],
                units: ["fahrenheit", nil, nil, nil]),
            Sent(name: "67h-dump-defaults-read", dump: "octal.txt", says: ["defaults export", "plutil"]),
        ]
        + ["arrow.txt", "colon.txt", "equals.txt"].map { Sent(name: "67i-dump-tables", dump: $0, names: typed) }
        + [("ticket", "md"), ("wiki", "html")].map {
            Sent(name: "67i-dump-tables", dump: "\($0).\($1)", says: ["A4:C1:38:0B:7E:21;Kitchen;celsius"])
        }
        + [
            Sent(name: "76b-key-values-without-wal", dump: "alone.sqlite", says: ["-wal of this database is missing"]),
            Sent(
                name: "76b-key-values-without-wal", dump: "whole/com.apple.KeyValueService-Production.sqlite",
                names: ["Küche", "Drive"]),
        ]

    private static func stored(in path: String) throws -> [(mac: String, name: String?, unit: String?)] {
        try StoreText.read(path) { database in
            try Row.fetchAll(
                database,
                sql: "SELECT ZMACADDRESS, ZMETERNAME, ZTC66TEMPERATUREUNIT FROM ZDEVICESETTINGS ORDER BY ZMACADDRESS"
            ).map { ($0[0], $0[1], $0[2]) }
        }
    }

    @Test("import all of it exactly, or nothing and say what to send instead", arguments: sent)
    func imports(_ sent: Sent) throws {
        let given = try FieldCaseRun(sent.name)
        let copy = given.copy
        let before = try FileBytes.read(copy.path())
        let dump = try FileBytes.read(copy.path(sent.dump))
        let known = Set(try Self.stored(in: copy.path()).map(\.mac))
        let answer = try given.run("import-kv", copy.path(sent.dump), copy.path(), "--no-backup")
        let said = answer.stdout + answer.stderr
        for words in sent.says { #expect(said.contains(words), "\(words) in: \(said)") }
        #expect(try FileBytes.read(copy.path(sent.dump)) == dump)
        guard !sent.names.isEmpty else {
            #expect(answer.code == 65 && answer.stdout.isEmpty)
            #expect(try FileBytes.read(copy.path()) == before)
            return
        }
        #expect(answer.code == 0)
        let made = try Self.stored(in: copy.path()).filter { !known.contains($0.mac) }
        #expect(made.map { Array(($0.name ?? "").utf8) } == sent.names.map { Array($0.utf8) })
        #expect(made.map(\.unit) == (sent.units.isEmpty ? made.map { _ in nil } : sent.units))
    }

    @Test(
        "say of each address that is none what it is",
        arguments: [
            ("69a-core-bluetooth-identifiers", "old.json", ["Core Bluetooth", "Core Bluetooth"]),
            (
                "69b-addresses-nearly-right", "list.json",
                [
                    "A4:C1:38:00:01:02", "5 pairs", "8 pairs", "text behind the address", "the letter O", "Cyrillic",
                    "full-width",
                ]
            ),
        ])
    func hints(name: String, dump: String, hints: [String]) throws {
        let given = try FieldCaseRun(name)
        let (dump, store) = (given.copy.path(dump), given.copy.path())
        let text = try given.run("import-kv", "-n", dump, store).stdout
        let done = try given.run("import-kv", "--json", "--no-backup", dump, store)
        #expect(done.code == 2)
        let rejects = try done.json["rejects"]?.elements ?? []
        #expect(rejects.count == hints.count)
        for (reject, words) in zip(rejects, hints) {
            let hint = try #require(reject["hint"]?.string)
            #expect(hint.contains(words) && text.contains(hint), "\(hint)")
            #expect(reject["reason"] == "bad-address")
        }
        if name.hasPrefix("69a") {
            let finding = try given.run("verify", store).stdout
            #expect(finding.contains("Core Bluetooth's identifier") && !finding.contains("meterfix delete"))
        }
    }
}
