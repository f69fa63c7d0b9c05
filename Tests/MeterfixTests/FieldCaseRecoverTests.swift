import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

/// What `recover` makes of damaged field cases.
@Suite("recover of field cases", .enabled(if: FieldCases.isAvailable, "\(FieldCases.reason)"))
struct FieldCaseRecoverTests {
    struct Damaged: CustomTestStringConvertible, Sendable {
        let name: String
        var file = "CKModel.sqlite"
        /// Of meters; nil where there is no new store.
        let rows: Int?
        var code: Int32 = 0
        var says: [String] = []
        var neverSays: [String] = []
        /// The undamaged store, to compare the values with.
        var truth: String?

        var testDescription: String { "\(name) \(file)" }
    }

    static let damaged = [
        Damaged(
            name: "64a-recover-without-wal", rows: 6, code: 2, says: ["there is no -wal file", "not in the new store"],
            neverSays: ["Nothing was damaged", "nothing was damaged"]),
        Damaged(
            name: "64a-recover-without-wal", file: "whole/CKModel.sqlite", rows: 6, says: ["Nothing was damaged"],
            neverSays: ["missing"]),
        Damaged(
            name: "73a-search-index", rows: 6, code: 2, says: ["virtual table"],
            neverSays: ["broken", "lost", "-wal", "missing"]),
        Damaged(
            name: "73a-search-index", file: "wal/CKModel.sqlite", rows: 6, code: 2, says: ["virtual table"],
            neverSays: ["broken", "lost", "missing"]),
        Damaged(
            name: "73a-search-index", file: "fts4/CKModel.sqlite", rows: 6, code: 2, says: ["virtual table"],
            neverSays: ["broken", "lost", "missing"]),
        Damaged(name: "73c-utf16", file: "le/CKModel.sqlite", rows: nil, code: 4, says: ["UTF-16"]),
        Damaged(name: "73c-utf16", file: "be512/CKModel.sqlite", rows: nil, code: 4, says: ["UTF-16"]),
        Damaged(
            name: "75a-page-zeroed", file: "leaf/CKModel.sqlite", rows: 96, code: 2, truth: "before/CKModel.sqlite"),
        Damaged(name: "75a-page-zeroed", file: "root/CKModel.sqlite", rows: 120, truth: "before/CKModel.sqlite"),
        Damaged(name: "75a-page-zeroed", file: "map/CKModel.sqlite", rows: 120, truth: "before/CKModel.sqlite"),
        Damaged(name: "75b-pages-swapped", file: "rows/CKModel.sqlite", rows: 120, truth: "before/CKModel.sqlite"),
        Damaged(name: "75b-pages-swapped", file: "first/CKModel.sqlite", rows: 120, truth: "before/CKModel.sqlite"),
        Damaged(
            name: "74a-one-page-twice", rows: 120, says: ["Every row could be read"], neverSays: ["lost:", "are lost"],
            truth: "before/CKModel.sqlite"),
        Damaged(
            name: "61a-recover-appended-columns", file: "usual/CKModel.sqlite", rows: 8, code: 2,
            neverSays: ["worked out", "these are empty"], truth: "usual-before/CKModel.sqlite"),
        Damaged(name: "75c-cut-off", rows: 120, code: 2, truth: "before/CKModel.sqlite"),
        Damaged(name: "75c-cut-off", file: "odd/CKModel.sqlite", rows: 120, code: 2, truth: "before/CKModel.sqlite"),
    ]

    @Test("gives what is there, once and right, and says truly what is not", arguments: damaged)
    func recover(_ expected: Damaged) throws {
        let given = try FieldCaseRun(expected.name)
        let output = given.folder.path + "/new.sqlite"
        let answer = try given.run("recover", given.copy.path(expected.file), output)
        let text = answer.stdout + answer.stderr
        #expect(answer.code == expected.code, "\(text)")
        for words in expected.says { #expect(text.contains(words), "\(words) in: \(text)") }
        for words in expected.neverSays { #expect(!text.contains(words), "\(words) in: \(text)") }
        guard let rows = expected.rows else { return #expect(!FileManager.default.fileExists(atPath: output)) }
        let records = try StoreText(of: output)[table: "ZDEVICESETTINGS"]
        #expect(records.count == rows)
        let verified = try given.run("verify", output, "--json").stdout
        // Of a store without damage nothing can be missing, unless SQLite cannot read a part of it.
        let isSound = text.contains("Nothing was damaged")
        if !isSound || expected.code == 0 { #expect(verified.contains("\"recovered-store\"") != isSound) }
        #expect(!verified.contains("\"not-intact\""))
        guard let truth = expected.truth else { return }
        #expect(try Set(records).isSubset(of: StoreText(of: given.copy.path(truth))[table: "ZDEVICESETTINGS"]))
    }

    @Test(
        "puts the values of a table that a migration has grown where they were, although its statement is lost",
        arguments: ["61a-recover-appended-columns", "61c-recover-order-not-known"])
    func grown(name: String) throws {
        let given = try FieldCaseRun(name)
        let output = given.folder.path + "/new.sqlite"
        try given.run("recover", given.copy.path(), output).expect(
            2, saying: "the order of its columns was worked out from their values")
        let records = try [output, given.copy.path("before/CKModel.sqlite")].map { path in
            try StoreText.read(path) { try Row.fetchAll($0, sql: "SELECT * FROM ZDEVICESETTINGS ORDER BY Z_PK") }
        }
        #expect(records[0].count == records[1].count)
        for (row, before) in zip(records[0], records[1]) {
            for column in before.columnNames { #expect(row[column] as DatabaseValue == before[column], "\(column)") }
        }
    }

    @Test("a record that SQLite reads twice, because two pointers lead to its page, is one")
    func readTwice() throws {
        let given = try FieldCaseRun("74a-one-page-twice")
        let verified = try given.run("verify", given.copy.path()).stdout
        #expect(verified.contains("not-intact") && verified.contains("meterfix recover"))
        #expect(!verified.contains("duplicate-mac"))
        for words in [["status"], ["meters"], ["meters", "--locked"], ["rebuild", "--dry-run"]] {
            let answer = try given.run(words + [given.copy.path()])
            #expect(answer.code == 65, "\(words): \(answer.stdout)")
            #expect(answer.stderr.contains("meterfix recover"), "\(words): \(answer.stderr)")
        }
    }
}
