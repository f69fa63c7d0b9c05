import GRDB
import JSON
import MeterTestSupport
import Testing

/// Stores that meterfix has changed, before and after they are given back.
@Suite("answers about a store that was changed")
struct GivenBackTests {
    private static let now = "2026-11-21T12:00:00Z"

    private static func run(
        _ folder: ScratchFolder, _ sample: String, _ command: String, _ options: String...
    ) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: [command] + options + ["\(sample).sqlite", "--now", now])
    }

    private static func steps(
        _ folder: ScratchFolder, _ sample: String, _ command: String, _ options: String...
    ) throws -> [String] {
        let json = try folder.meterfix(arguments: [command, "--json"] + options + ["\(sample).sqlite", "--now", now])
            .json
        return (json["steps"]?.elements ?? []).compactMap { $0["text"]?.string }
    }

    /// What the mirror does when it reads the history up to a transaction.
    private static func reading(upTo transaction: Int64, of folder: ScratchFolder, _ name: String) throws -> String {
        let uuid = try StoreText.read(folder.path + "/" + name) { database in
            try #require(try String.fetchOne(database, sql: "SELECT Z_UUID FROM Z_METADATA"))
        }
        let token = MirrorArchive.historyToken(store: uuid, transaction: transaction)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = x'\(token)' WHERE ZKEY LIKE '%LastHistoryToken%'"
    }

    @Test("keep the repair of one meter and ask for no fresh copy before the rest is repaired")
    func partialRepair() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        #expect(try Self.run(folder, "nameless-first", "fix", "--all", "--only", "Balcony solar", "-q").code == 2)
        for (command, options) in [("verify", []), ("fix", ["--dry-run", "--all"])] {
            let json = try folder.meterfix(
                arguments: [command, "--json"] + options + ["nameless-first.sqlite", "--now", Self.now]
            ).json
            let steps = (json["steps"]?.elements ?? []).compactMap { $0["text"]?.string }
            #expect(steps.contains { $0.contains("keep the app closed") }, "\(steps)")
            #expect(!steps.contains { $0.contains("open it on each of them") }, "\(steps)")
        }
    }

    @Test("say in what order the devices open after each change that follows a repair")
    func laterChanges() throws {
        let folder = try ScratchFolder(sample: "two-devices-phone")
        func isInOrder(_ steps: [String]) -> Bool {
            steps.contains { $0.contains("alone and online") } && steps.contains { $0.contains("only then on") }
        }
        let repair = try Self.steps(folder, "two-devices-phone", "fix", "--all")
        let name = try Self.steps(
            folder, "two-devices-phone", "set", "A4:C1:38:0B:7E:21", "--name", "Kitchen charger")
        #expect(isInOrder(repair) && isInOrder(name), "\(name)")
        for options in [[], [], ["--redo"]] {
            let undo = try folder.meterfix(
                arguments: ["undo"] + options + ["two-devices-phone.sqlite", "--now", Self.now])
            #expect(undo.code == 0, "\(undo)")
            if options == ["--redo"] {
                #expect(undo.stdout.contains("only then on all other devices"), "\(undo.stdout)")
            }
        }
    }

    @Test("never say that all is in iCloud where the mirror has read a change and not uploaded it")
    func passedOver() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        #expect(try Self.run(folder, "nameless-first", "fix", "--all", "-q").code == 0)
        let read = try Self.reading(upTo: 10, of: folder, "nameless-first.sqlite")
        try folder.execute(
            """
            \(read); DELETE FROM ANSCKRECORDMETADATA
                WHERE ZENTITYPK NOT IN (SELECT Z_PK FROM ZDEVICESETTINGS)
            """, in: "nameless-first.sqlite")
        let sync = try Self.run(folder, "nameless-first", "sync").stdout
        #expect(
            sync.contains("1 of 3 records not there yet")
                && sync.contains("1 object that the mirror passes over is not uploaded"), "\(sync)")
        let verify = try Self.run(folder, "nameless-first", "verify").stdout
        #expect(verify.contains("mirror-left-behind") && !verify.contains("clean"), "\(verify)")
        #expect(try Self.run(folder, "nameless-first", "report", "-q", "--output", "page.html").code == 0)
        let report = try folder.text("page.html")
        #expect(!report.contains("Everything is in iCloud") && !report.contains("Put the file back"))
        #expect(report.contains("Leave USB Meter open on this device"), "\(report)")
        // The same values again are written, so that the mirror gets to see them.
        let row = try #require(
            try StoreText.read(folder.path + "/nameless-first.sqlite") { database in
                try String.fetchOne(
                    database,
                    sql: """
                        SELECT s.ZMETERNAME FROM ZDEVICESETTINGS s JOIN ACHANGE c ON c.ZENTITYPK = s.Z_PK
                        WHERE c.ZTRANSACTIONID = 10 AND c.ZCHANGETYPE = 1
                        """)
            })
        let set = try Self.run(folder, "nameless-first", "set", row, "--name", row)
        #expect(set.code == 0 && set.stdout.contains("is written again"), "\(set)")
        #expect(!(try Self.run(folder, "nameless-first", "verify").stdout.contains("mirror-left-behind")))
    }

    @Test("open no device before it is known which one uploads first, where everything is uploaded again")
    func uploadOfEverything() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        try folder.execute(
            "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMZONEDELETE = 1", in: "nameless-first.sqlite")
        let steps = try Self.steps(folder, "nameless-first", "verify")
        #expect(steps.contains { $0.contains("which device has the most complete data") }, "\(steps)")
        #expect(!steps.contains { $0.contains("open it on each of them") }, "\(steps)")
    }

    @Test("give no store back whose download has not ended")
    func notDownloaded() throws {
        let folder = try ScratchFolder(sample: "check-mirror-not-downloaded")
        try folder.write("mac;name\nA4:C1:38:0B:7E:99;Workshop\n", to: "names.csv")
        let answer = try Self.run(folder, "check-mirror-not-downloaded", "import-kv", "names.csv")
        #expect(answer.code == 0 && answer.stdout.contains("put it on no device"), "\(answer)")
        #expect(!answer.stdout.contains("in their place"), "\(answer.stdout)")
    }

    @Test("count the delete of a record that was changed after it")
    func changedWhileGoing() throws {
        let folder = try ScratchFolder(sample: "check-delete-pending-alive")
        let set = try Self.run(
            folder, "check-delete-pending-alive", "set", "00:15:A6:00:3C:E8", "--name", "By hand")
        #expect(set.code == 0 && set.stdout.contains("1 delete"), "\(set)")
        let show = try Self.run(folder, "check-delete-pending-alive", "show", "--row", "3").stdout
        #expect(show.contains("delete") && !show.contains("meterName, updatedAt"), "\(show)")
        let status = try Self.run(folder, "check-delete-pending-alive", "status", "--json").json
        #expect(status["cloudMirror"]?["pendingDeletes"] == .integer(1), "\(status)")
    }

    private static let changesOfOthers = [
        ("duplicates", "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Hand' WHERE Z_PK = 20", ["fix", "--all"]),
        ("two-devices-phone", "UPDATE ZDEVICESETTINGS SET ZMODELTYPE = 'UM25C ' WHERE Z_PK = 1", ["fix", "--all"]),
        (
            "healthy", "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Hand' WHERE Z_PK = 5",
            ["set", "--row", "1", "--name", "Xx"]
        ),
    ]

    @Test("refuse the log of another tool that is put back beside a store changed since", arguments: changesOfOthers)
    func oldLog(_ sample: String, _ sql: String, _ change: [String]) throws {
        let folder = try AgreeingAnswersTests.withLog(sql, in: sample)
        let log = try folder.bytes("\(sample).sqlite-wal")
        let words = change + ["-q", "\(sample).sqlite", "--now", Self.now]
        let changed = try folder.meterfix(arguments: words)
        #expect([0, 2].contains(changed.code), "\(changed)")
        try FileBytes.write(log, to: folder.path + "/\(sample).sqlite-wal")
        let verify = try Self.run(folder, sample, "verify")
        #expect(verify.code == 1 && verify.stdout.contains("is older in the log (Z_OPT"), "\(verify)")
        for command in [change, ["undo"]] {
            let answer = try folder.meterfix(arguments: command + ["\(sample).sqlite", "--now", Self.now])
            #expect(answer.code == 65 && answer.stderr.contains("different moments"), "\(command): \(answer)")
        }
    }

    @Test("ask for the rest of a repair before a store goes back, as verify does")
    func restOfRepair() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let steps = try Self.steps(folder, "duplicates", "rebuild", "--only", "A4:C1:38:0B:7E:21")
        let rest = try #require(steps.firstIndex { $0.contains("fix --dry-run --all") }, "\(steps)")
        let back = try #require(steps.firstIndex { $0.contains("in their place") }, "\(steps)")
        #expect(rest < back)
    }

    @Test("say in verify, too, how a repaired store goes back, and open one device after the other")
    func wayBack() throws {
        let phone = try ScratchFolder(sample: "two-devices-phone")
        for end in ["", "-wal"] {
            let name = "two-devices-pad.sqlite\(end)"
            try FileBytes.write(ScratchFolder(sample: "two-devices-pad").bytes(name), to: phone.path + "/" + name)
        }
        for (sample, time) in [("two-devices-phone", Self.now), ("two-devices-pad", "2026-11-21T12:00:05Z")] {
            #expect(try phone.meterfix("fix", "--all", "-q", "\(sample).sqlite", "--now", time).code == 0)
        }
        let steps = try Self.steps(phone, "two-devices-phone", "verify")
        #expect(steps.contains { $0.contains("in their place") } && steps.contains { $0.contains("alone") }, "\(steps)")
        #expect(try !Self.run(phone, "two-devices-phone", "verify").stdout.contains("leave it open"))
        let comparison = try phone.meterfix(
            "compare", "two-devices-phone.sqlite", "two-devices-pad.sqlite", "--now", Self.now
        ).stdout
        #expect(comparison.contains("only then on the device of B"), "\(comparison)")
        #expect(!comparison.contains("on both devices"), "\(comparison)")
    }

    @Test("ask for the log where an undo brings a store back that came without it")
    func undoneWithoutLog() throws {
        let folder = try ScratchFolder(sample: "main-file-alone")
        let accepting = ["set", "--row", "1", "--name", "Zz", "--accept-missing-wal"]
        #expect(
            try folder.meterfix(arguments: accepting + ["main-file-alone.sqlite", "--now", Self.now]).code == 0)
        let undo = try Self.run(folder, "main-file-alone", "undo")
        #expect(undo.code == 0 && undo.stdout.contains("ask for the -wal file"), "\(undo)")
        #expect(!undo.stdout.contains("in their place"), "\(undo)")
        #expect(undo.stdout.contains("undo --redo --accept-missing-wal"), "\(undo)")
    }

    @Test("no longer speak of a loss that was accepted, and hand back no index of the lost log")
    func acceptedLoss() throws {
        let folder = try ScratchFolder(sample: "check-wal-missing")
        try folder.write(#"{"MeterNames": {"98:DA:C0:11:AB:0E": "Back"}}"#, to: "names.json")
        let sent = try Self.run(
            folder, "check-wal-missing", "import-kv", "--accept-missing-wal", "names.json")
        #expect(sent.code == 0 && sent.stdout.contains("put check-wal-missing.sqlite and"), "\(sent)")
        #expect(try !Self.run(folder, "check-wal-missing", "verify").stdout.contains("wal-missing:"))
    }
}
