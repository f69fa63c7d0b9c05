import Foundation
import JSON
import MeterTestSupport
import Testing

/// A store of a field case, and what must be said of it.
struct FieldCase: CustomTestStringConvertible, Sendable {
    /// A finding of `verify`.
    struct Found: Equatable, Sendable {
        let id: String
        let severity: String
        let rows: [Int64]

        init(_ id: String, _ severity: String, _ rows: [Int64] = []) {
            self.id = id
            self.severity = severity
            self.rows = rows
        }
    }

    /// Of the folder.
    let name: String
    var file = "CKModel.sqlite"
    /// With every finding of these checks.
    var finds: [Found] = []
    /// Checks that find nothing.
    var silent: [String] = []
    /// What `sync` says is pending; nil where it is not asked.
    var pending: (uploads: Int, deletes: Int)?
    /// With and without `--strict`.
    var exits: (usual: Int32, strict: Int32) = (0, 0)
    /// Parts of the messages of the findings.
    var words: [String] = []

    var testDescription: String { file == "CKModel.sqlite" ? name : "\(name), \(file)" }

    func run() throws {
        let given = try FieldCaseRun(name)
        let store = given.copy.path(file)
        let answer = try given.run("verify", "--json", store)
        #expect(answer.code == exits.usual)
        #expect(try given.run("verify", "--strict", "--quiet", store).code == exits.strict)
        let findings = try answer.json["findings"]?.elements ?? []
        let checks = Set(finds.map(\.id) + silent)
        let found = findings.filter { checks.contains($0["id"]?.string ?? "") }.map { finding in
            Found(
                finding["id"]?.string ?? "", finding["severity"]?.string ?? "",
                (finding["rows"]?.elements ?? []).compactMap { if case .integer(let row) = $0 { row } else { nil } })
        }
        #expect(found == finds)
        let messages = findings.compactMap { $0["message"]?.string }.joined(separator: "\n")
        for word in words { #expect(messages.contains(word), "\(word) in: \(messages)") }
        guard let pending else { return }
        let waiting = try given.json("sync", file: file)["waiting"]
        #expect(waiting?["uploads"] == pending.uploads.json)
        #expect(waiting?["deletes"] == pending.deletes.json)
    }
}

@Suite("field cases", .enabled(if: FieldCases.isAvailable, "\(FieldCases.reason)"))
struct FieldCaseTests {
    static let cases = [
        FieldCase(
            name: "01-storm-one-save",
            finds: [.init("delete-storm", "error", Array(7...12)), .init("mirror-pending", "note")],
            silent: ["mass-delete", "duplicate-mac"], pending: (6, 6), exits: (1, 1),
            words: [
                "6 records deleted and 6 made again", "2026-11-21T07:15", "USB Meter", "6 of the deletes are pending",
            ]),
        FieldCase(
            name: "02-storm-two-saves-half-up",
            finds: [.init("delete-storm", "error", Array(9...16)), .init("mirror-pending", "note")],
            silent: ["mass-delete"], pending: (0, 4), exits: (1, 1),
            words: ["8 records deleted and 8 made again", "4 of the deletes are pending"]),
        FieldCase(
            name: "03-storm-uploaded", finds: [.init("delete-storm", "note", Array(7...11))],
            silent: ["mass-delete", "mirror-pending"], pending: (0, 0)),
        FieldCase(
            name: "04-storm-received", finds: [.init("delete-storm", "note", Array(7...12))],
            silent: ["mass-delete", "mirror-pending"], pending: (0, 0), words: ["came from another device"]),
        FieldCase(
            name: "07-storm-that-merged",
            finds: [.init("delete-storm", "error", Array(10...15)), .init("mirror-pending", "note")],
            silent: ["mass-delete"], pending: (6, 9), exits: (1, 1), words: ["9 records deleted and 6 made again"]),
        FieldCase(
            name: "10-account-changed", finds: [.init("mirror-started-over", "note")],
            silent: ["delete-storm", "mirror-failing"],
            words: ["2026-11-20", "deleted 6 records", "another iCloud account", "what was not uploaded"]),
        FieldCase(
            name: "11-discovery-flood", finds: [.init("discovery-flood", "warning", [1])], exits: (0, 1),
            words: ["\"last seen\" saved 11 times in 150 s"]),
        FieldCase(
            name: "14-identity-changed",
            finds: [.init("identity-changed", "warning", [2]), .init("identity-changed", "warning", [4])],
            exits: (0, 1), words: ["changed id at 2026-11-09", "changed createdAt at 2026-11-10"]),
        FieldCase(
            name: "15-updated-behind-the-history",
            finds: [.init("duplicate-mac", "error", [1, 7]), .init("updated-behind", "warning", [1])], exits: (1, 1)),
        FieldCase(
            name: "17-mark-deduplicated",
            finds: [.init("record-marked-deleted", "note", [1]), .init("record-marked-deleted", "note", [4])],
            exits: (1, 1)),
        FieldCase(name: "18-mark-hidden", finds: [.init("record-marked-deleted", "note", [1])], exits: (1, 1)),
        FieldCase(
            name: "20-cloud-delete-alive", finds: [.init("delete-pending-alive", "error", [1])], pending: (0, 1),
            exits: (1, 1)),
        FieldCase(
            name: "35-distant-dates", finds: [1, 3, 5, 7].map { .init("date-implausible", "warning", [$0]) },
            silent: ["clock-in-future", "created-after-updated"], exits: (1, 1)),
        FieldCase(
            name: "39-setup-never-ended",
            finds: [.init("mirror-stalled", "warning"), .init("mirror-not-downloaded", "warning")], pending: (8, 0),
            exits: (0, 1), words: ["the setup that began at 2026-05-05", "has not ended in 200 days"]),
        FieldCase(
            name: "40-first-import-never-ended", finds: [.init("mirror-not-downloaded", "warning")],
            silent: ["mirror-stalled"], exits: (0, 1)),
        FieldCase(
            name: "41-export-idle", finds: [.init("mirror-stalled", "warning")], pending: (3, 0), exits: (0, 1),
            words: ["nothing was exported for 45 days"]),
        FieldCase(name: "41-export-idle", file: "running.sqlite", silent: ["mirror-stalled"], pending: (1, 0)),
        FieldCase(name: "41-export-idle", file: "again.sqlite", silent: ["mirror-stalled"]),
        FieldCase(name: "41-export-idle", file: "quiet.sqlite", silent: ["mirror-stalled"]),
        FieldCase(
            name: "42-started-over", finds: [.init("mirror-started-over", "note")],
            silent: ["delete-storm", "mass-delete", "mirror-failing"],
            words: ["2026-11-11", "deleted 10 records", "9 came down again"]),
        FieldCase(name: "54-replaced-one-by-one", finds: [.init("names-lost", "note")], silent: ["delete-storm"]),
        FieldCase(
            name: "54-replaced-one-by-one", file: "pad.sqlite",
            finds: [
                .init("delete-pending-alive", "error", [4]), .init("duplicate-mac", "error", [4, 7]),
                .init("id-duplicate", "error", [4, 7]),
            ], exits: (1, 1)),
        FieldCase(
            name: "55-store-replaced", finds: [.init("mirror-token-lost", "warning")], exits: (0, 1),
            words: ["another store", "uploads everything"]),
        FieldCase(
            name: "62a-recovered-store", file: "orphan/CKModel.sqlite",
            finds: [.init("mirror-orphan", "warning", [77])], silent: ["recovered-store"], exits: (0, 1)),
        FieldCase(
            name: "62b-sqlite-recovered-store",
            finds: [.init("recovered-store", "note"), .init("mirror-orphan", "warning", Array(1...90))],
            exits: (0, 1), words: ["lost_and_found has 90 rows"]),
    ]

    @Test("are told as they happened:", arguments: cases)
    func told(_ test: FieldCase) throws { try test.run() }

    @Test(
        "of a recovered store write no delete for CloudKit",
        arguments: ["62a-recovered-store", "62b-sqlite-recovered-store"])
    func recovered(_ name: String) throws {
        let given = try FieldCaseRun(name)
        var store = given.copy.path()
        if name.hasPrefix("62a") {
            store = "\(given.folder.path)/new.sqlite"
            #expect(try given.run("recover", given.copy.path("damaged/CKModel.sqlite"), store).code == 2)
        }
        let changes = { try StoreText(of: store)[table: "ACHANGE"].count }
        let before = try changes()
        #expect(try given.run("fix", "mirror-orphan", store).code == 4)
        #expect(try given.run("fix", "--all", store).code == 0)
        #expect(try changes() == before)
        let findings = try given.run("verify", "--json", store).stdout
        #expect(findings.contains("\"recovered-store\"") && !findings.contains("meterfix fix"))
        let status = try given.run("status", store).stdout
        #expect(!status.contains("none at first sight") && status.contains("put this store together"))
    }
}

/// The files of a field case, and the program's answers about them by the clock of the cases.
struct FieldCaseRun {
    let copy: FieldCases.Copy
    let folder: ScratchFolder

    init(_ name: String) throws {
        copy = try FieldCases.Copy(of: name)
        folder = try ScratchFolder()
    }

    func run(_ words: [String]) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: words + ["--now", FieldCases.now])
    }

    func run(_ words: String...) throws -> MeterfixProcess.Answer { try run(words) }

    func json(_ words: String..., file: String = "CKModel.sqlite") throws -> JSONValue {
        try json(words, file)
    }

    private func json(_ words: [String], _ file: String) throws -> JSONValue {
        try run(words + ["--json", copy.path(file)]).json
    }

    /// What `verify` finds, as `severity id`.
    func findings(_ options: String..., file: String = "CKModel.sqlite") throws -> [String] {
        try (json(["verify"] + options, file)["findings"]?.elements ?? []).map {
            "\($0["severity"]?.string ?? "") \($0["id"]?.string ?? "")"
        }
    }
}
