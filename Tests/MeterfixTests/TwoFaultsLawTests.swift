import JSON
import MeterTestSupport
import Testing

/// Stores with two faults of different kinds at once: what one answer advises, no other one refuses or contradicts.
@Suite("a store with two faults")
struct TwoFaultsLawTests {
    private static let now = "2026-11-21T12:00:00Z"

    /// What a script, an editor or the mirror has done to the sample `healthy`.
    private static let faults: [(name: String, sql: String)] = [
        (
            "duplicate",
            """
            CREATE TEMP TABLE twin AS SELECT * FROM ZDEVICESETTINGS WHERE Z_PK = 1;
            UPDATE twin SET Z_PK = 6, ZMETERNAME = 'Twin', ZUPDATEDAT = ZUPDATEDAT + 9,
                ZID = x'00112233445566778899AABBCCDDEEFF';
            INSERT INTO ZDEVICESETTINGS SELECT * FROM twin;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'DeviceSettings'
            """
        ),
        ("unit", "UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F' WHERE Z_PK = 3"),
        ("id", "UPDATE ZDEVICESETTINGS SET ZID = NULL WHERE Z_PK = 4"),
        ("entity number", "UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 2"),
        ("row number", "UPDATE ZDEVICESETTINGS SET Z_PK = -2 WHERE Z_PK = 5"),
        ("lock", "UPDATE ZDEVICESETTINGS SET ZCONNECTEDBYDEVICEID = 'x', ZCONNECTEDEXPIRYAT = NULL WHERE Z_PK = 1"),
        ("trigger", "CREATE TRIGGER kept AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END"),
        ("index", "CREATE UNIQUE INDEX only_one ON ZDEVICESETTINGS (ZMETERNAME)"),
        ("token", "DELETE FROM ACHANGE; DELETE FROM ATRANSACTION"),
        ("purge", "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1"),
        ("hashes", "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'"),
        ("delete", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSLOCALDELETE = 1 WHERE ZENTITYPK = 2"),
        ("orphan", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 4"),
        ("date", "UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = '2026-11-20 10:00:00' WHERE Z_PK = 3"),
        ("mirror", "DROP TABLE ANSCKRECORDMETADATA"),
    ]

    private static let pairs = faults.indices.flatMap { a in faults.indices.filter { $0 > a }.map { [a, $0] } }

    /// A store with these faults, and what to call them.
    private static func broken(by pair: [Int]) throws -> (folder: ScratchFolder, about: String) {
        let faults = pair.map { Self.faults[$0] }
        let sql = faults.map(\.sql).joined(separator: ";\n")
        return (try FollowedAdviceTests.folder("healthy", sql), faults.map(\.name).joined(separator: " and "))
    }

    @Test("gets answers that contradict neither each other nor what the commands do", arguments: pairs)
    func agree(_ pair: [Int]) throws {
        let (folder, about) = try Self.broken(by: pair)
        let before = try folder.snapshot

        let verify = try folder.meterfix("verify", "--json", "healthy.sqlite", "--now", Self.now).json
        let steps = FollowedAdviceTests.commands(verify)
        for step in steps where step.contains("--dry-run") {
            let answer = try Self.run(step, folder)
            #expect(answer.code <= 2, "\(about): \(step) ends with \(answer.code): \(answer.stderr)")
        }
        let show = try folder.meterfix("show", "--row", "1", "--json", "healthy.sqlite", "--now", Self.now)
        if let next = try show.json["next"]?.string, next.hasPrefix("meterfix ") {
            let words = next.split(separator: " ")
            let answer = try Self.run(
                (words.prefix(2) + ["--dry-run"] + words.dropFirst(2)).joined(separator: " "), folder)
            #expect(answer.code <= 2, "\(about): \(next) ends with \(answer.code): \(answer.stderr)")
        }

        let ids = FollowedAdviceTests.findings(verify)
        let verdict = verify["verdict"]?.string
        let report = try folder.meterfix("report", "--output", "page.html", "healthy.sqlite", "--now", Self.now)
        let letter = report.stdout.replacing("\n", with: " ")
        let texts = (verify["steps"]?.elements ?? []).compactMap { $0["text"]?.string }
        let isCured = steps.contains { $0.contains("--dry-run") }
        let isForPerson = texts.contains { $0.contains("before any change") }
        #expect(!letter.contains("We can repair this") || isCured, "\(about): \(letter)")
        #expect(!letter.contains("no meter will be lost") || verdict != "stop", "\(about): \(letter)")
        #expect(!ids.contains("duplicate-mac") || !letter.contains("stored once"), "\(about): \(letter)")
        #expect(verdict == "clean" || !letter.contains("Nothing is wrong"), "\(about): \(letter)")
        if ids.contains("delete-pending-alive") {
            #expect(!letter.contains("no meter will be lost"), "\(about): \(letter)")
        }
        let fix = try folder.meterfix("fix", "--all", "--dry-run", "healthy.sqlite", "--now", Self.now)
        #expect(fix.code != 1 || isCured || isForPerson || verdict == "stop", "\(about): \(fix.stdout)")
        let status = try folder.meterfix("status", "healthy.sqlite", "--now", Self.now).stdout
        #expect(verdict != "stop" || !status.contains("none at first sight"), "\(about): \(status)")
        let sync = try folder.meterfix("sync", "healthy.sqlite", "--now", Self.now).stdout
        if ids.contains("delete-pending-alive") || ids.contains("mirror-deletes-here") {
            #expect(!sync.contains("no rows are deleted here"), "\(about): \(sync)")
        }
        #expect(
            try folder.snapshot.differences(from: before, withFolder: false).allSatisfy { $0.contains("page.html") })
    }

    @Test("is no worse, and has all its meters, when what was advised is done", arguments: pairs)
    func followed(_ pair: [Int]) throws {
        let (folder, about) = try Self.broken(by: pair)
        let before = try folder.meterfix("verify", "--json", "healthy.sqlite", "--now", Self.now).json
        guard before["verdict"]?.string != "stop" else { return }
        let meters = try folder.meterfix("meters", "--json", "healthy.sqlite", "--now", Self.now).json
        for step in FollowedAdviceTests.commands(before) where step.contains("--dry-run") {
            guard !step.contains("mirror-orphan") else { continue }
            let answer = try Self.run(step.replacing("--dry-run ", with: ""), folder)
            #expect(answer.code <= 2, "\(about): \(step) ends with \(answer.code): \(answer.stderr)")
        }
        let after = try folder.meterfix("verify", "--json", "healthy.sqlite", "--now", Self.now).json
        let new = Set(FollowedAdviceTests.findings(after)).subtracting(FollowedAdviceTests.findings(before))
        #expect(new.subtracting(["mirror-pending"]).isEmpty, "\(about): \(new)")
        let kept = try folder.meterfix("meters", "--json", "healthy.sqlite", "--now", Self.now).json
        let addresses = { (json: JSONValue) in Set((json["meters"]?.elements ?? []).compactMap { $0["mac"]?.string }) }
        #expect(addresses(kept) == addresses(meters), "\(about)")
    }

    /// A command as it is advised, on the same day.
    private static func run(_ command: String, _ folder: ScratchFolder) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.shell(
            command.replacing("meterfix ", with: "\"$METERFIX\" ", maxReplacements: 1) + " --now \(now)",
            in: folder.path)
    }
}
