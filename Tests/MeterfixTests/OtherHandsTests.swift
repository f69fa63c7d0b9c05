import JSON
import MeterTestSupport
import Testing

/// Stores that a script, a SQLite editor or a wrong clock has been at: no answer about one may say that all is well, and
/// no repair may take a meter from the other devices.
@Suite("a store that another tool's hand was at")
struct OtherHandsTests {
    private static let now = "2026-11-29T12:00:00Z"

    /// A copy of the sample `healthy`, mirrored and all uploaded, with a script run on it; the log is folded in.
    private static func folder(_ sql: String...) throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute(sql.joined(separator: ";\n") + "; PRAGMA wal_checkpoint(TRUNCATE)", in: "healthy.sqlite")
        return folder
    }

    private static func findings(_ folder: ScratchFolder) throws -> (code: Int32, ids: [String], verdict: String?) {
        let answer = try folder.meterfix("verify", "--json", "healthy.sqlite", "--now", Self.now)
        let json = try answer.json
        return (
            answer.code, (json["findings"]?.elements ?? []).compactMap { $0["id"]?.string }, json["verdict"]?.string
        )
    }

    private static func letter(_ folder: ScratchFolder) throws -> String {
        try folder.meterfix("report", "--output", "letter.html", "healthy.sqlite", "--now", Self.now).stdout
    }

    /// A transaction of the app, behind the mirror's token.
    private static func save(_ row: Int, _ kind: Int, columns: String = "NULL") -> String {
        """
        INSERT INTO ATRANSACTION SELECT (SELECT MAX(Z_PK) + 1 FROM ATRANSACTION), Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS,
            ZCONTEXTNAMETS, ZPROCESSIDTS, 816990000, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID, ZQUERYGEN
            FROM ATRANSACTION ORDER BY Z_PK LIMIT 1;
        INSERT INTO ACHANGE SELECT MAX(Z_PK) + 1, 16001, NULL, \(kind), 1, \(row), (SELECT MAX(Z_PK) FROM ATRANSACTION),
            \(columns) FROM ACHANGE;
        UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ACHANGE) WHERE Z_ENT = 16001;
        UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ATRANSACTION) WHERE Z_ENT = 16002
        """
    }

    /// A second record of the meter of row 1.
    private static func twin(changed seconds: Int, _ name: String) -> String {
        """
        CREATE TEMP TABLE twin AS SELECT * FROM ZDEVICESETTINGS WHERE Z_PK = 1;
        UPDATE twin SET Z_PK = 6, ZMETERNAME = '\(name)', ZUPDATEDAT = ZUPDATEDAT + \(seconds),
            ZID = x'00112233445566778899AABBCCDDEEFF';
        INSERT INTO ZDEVICESETTINGS SELECT * FROM twin;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'DeviceSettings'
        """
    }

    private static let metadataOfTwin = """
        INSERT INTO ANSCKRECORDMETADATA SELECT * FROM (SELECT * FROM ANSCKRECORDMETADATA LIMIT 0);
        CREATE TEMP TABLE known AS SELECT * FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 1;
        UPDATE known SET Z_PK = 6, ZENTITYPK = 6, ZCKRECORDNAME = 'B4FEF20D-DDEE-4211-B8A0-9743D642CE7F';
        INSERT INTO ANSCKRECORDMETADATA SELECT * FROM known;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'NSCKRecordMetadata'
        """

    @Test("is told where a row is back whose delete waits in the history, and a rebuild keeps the meter's other record")
    func deletedByHistory() throws {
        let alone = try Self.folder(Self.save(3, 2))
        let found = try Self.findings(alone)
        #expect(found.ids.contains("delete-pending-alive") && found.code == 1)
        #expect(!(try Self.letter(alone)).contains("Nothing is wrong"))
        let folder = try Self.folder(
            Self.twin(changed: -86_400, "Kitchen charger"), Self.metadataOfTwin, Self.save(6, 0), Self.save(1, 2))
        let rebuilt = try folder.meterfix("rebuild", "--json", "healthy.sqlite", "--now", Self.now)
        let deleted = try (rebuilt.json["changes"]?.elements ?? []).filter { $0["kind"]?.string == "delete" }
        #expect(deleted.compactMap { $0["row"]?.number } == [1])
    }

    @Test(
        "gets a record written that is kept and that CloudKit has never seen, so that the meter stays on other devices")
    func neverSent() throws {
        let folder = try Self.folder(Self.twin(changed: 86_400, "Kitchen charger left"))
        let rebuilt = try folder.meterfix("rebuild", "--json", "healthy.sqlite", "--now", Self.now)
        let changes = try rebuilt.json["changes"]?.elements ?? []
        #expect(
            changes.map { "\($0["kind"]?.string ?? "") \($0["row"]?.number ?? 0)" }.sorted() == [
                "delete 1.0", "update 6.0",
            ])
        let waiting = try folder.meterfix("sync", "--json", "healthy.sqlite", "--now", Self.now).json["waiting"]
        #expect(waiting?["uploads"]?.number == 1 && waiting?["deletes"]?.number == 1)
    }

    @Test("is no case for deleting in iCloud what may be the last copies")
    func lastCopies() throws {
        let folder = try Self.folder("DELETE FROM ZDEVICESETTINGS")
        let found = try Self.findings(folder)
        #expect(found.code == 1 && found.ids.contains("mirror-orphan"))
        let verify = try folder.meterfix("verify", "healthy.sqlite", "--now", Self.now)
        #expect(!verify.stdout.contains("fix --dry-run mirror-orphan"))
        let fix = try folder.meterfix("fix", "mirror-orphan", "healthy.sqlite", "--now", Self.now)
        #expect(fix.code == 4 && fix.stderr.contains("last copies"))
    }

    @Test("is told where rows are gone, and nothing says that they were deleted")
    func gone() throws {
        let empty = try Self.folder("DELETE FROM ZDEVICESETTINGS", "DELETE FROM ANSCKRECORDMETADATA")
        let found = try Self.findings(empty)
        #expect(found.code == 1 && found.ids.contains("written-without-history"))
        let one = try Self.folder(
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 3", "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 3")
        #expect(try Self.findings(one).ids == ["written-without-history"])
        #expect(!(try Self.letter(one)).contains("Nothing is wrong"))
    }

    @Test("is told what failed last, although a clock that was ahead has dated a success later")
    func clockAhead() throws {
        let folder = try Self.folder(
            "UPDATE ANSCKEVENT SET ZSTARTEDAT = ZSTARTEDAT + 63072000, ZENDEDAT = ZENDEDAT + 63072000",
            """
            INSERT INTO ANSCKEVENT (Z_PK, Z_ENT, Z_OPT, ZCLOUDKITEVENTTYPE, ZSUCCEEDED, ZERRORCODE, ZERRORDOMAIN,
                ZSTARTEDAT, ZENDEDAT) VALUES (4, 17002, 1, 0, 0, 134405, 'NSCocoaErrorDomain', 816990000, 816990002)
            """, "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'NSCKEvent'")
        let found = try Self.findings(folder)
        #expect(found.ids.contains("mirror-deletes-here") && found.verdict == "stop")
    }

    @Test(
        "gets no all-clear where a zone is purged, and nothing says in which zone the records are",
        arguments: ["9", "NULL"])
    func purge(_ zone: String) throws {
        let folder = try Self.folder(
            "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1",
            "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = \(zone)")
        let found = try Self.findings(folder)
        #expect(found.ids.contains("mirror-deletes-here") && found.verdict == "stop")
    }

    @Test("gets no all-clear where tables of the mirror were dropped")
    func dropped() throws {
        let folder = try Self.folder("DROP TABLE ANSCKRECORDMETADATA")
        let found = try Self.findings(folder)
        #expect(found.code == 1 && found.ids == ["table-missing"])
        let sync = try folder.meterfix("sync", "healthy.sqlite", "--now", Self.now)
        #expect(sync.stdout.contains("uploads every record again") && !sync.stdout.contains("ever been sent"))
    }

    @Test("gets no all-clear where a table was made again without its primary key, which every change refuses")
    func remade() throws {
        let folder = try Self.folder(
            "CREATE TABLE q AS SELECT * FROM ZDEVICESETTINGS", "DROP TABLE ZDEVICESETTINGS",
            "ALTER TABLE q RENAME TO ZDEVICESETTINGS")
        let found = try Self.findings(folder)
        #expect(found.code == 1 && found.ids.contains("foreign-column"))
    }

    @Test("is told where a change is of an entity that the store does not have, for the mirror passes over it")
    func strangeEntity() throws {
        let folder = try Self.folder(
            Self.save(3, 1, columns: "x'0010'"), "UPDATE Z_PRIMARYKEY SET Z_ENT = 4 WHERE Z_NAME = 'DeviceSettings'",
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 4", "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 4")
        #expect(try Self.findings(folder).ids.contains("history-broken"))
    }

    @Test("is put back first where the last change is one by meterfix, whatever it was")
    func unreturned() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let set = try folder.meterfix("set", "A4:C1:38:0B:7E:21", "--name", "New", "healthy.sqlite", "--now", Self.now)
        #expect(set.code == 0, "\(set.stderr)")
        let letter = try Self.letter(folder)
        #expect(letter.contains("Put the file back") && !letter.contains("need not do anything"))
    }

    @Test("comes before what a log of it says")
    func log() throws {
        let folder = try Self.folder("UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1")
        try folder.write(
            "CoreData: CloudKit: CoreData+CloudKit: -[X y:](1): Finished export: <X: 0x1>\n", to: "good.log")
        let alone = try folder.meterfix("explain", "good.log", "--now", Self.now)
        #expect(alone.code == 0)
        let beside = try folder.meterfix("explain", "good.log", "healthy.sqlite", "--now", Self.now)
        #expect(beside.code == 1 && beside.stdout.contains("do NOT open") && !beside.stdout.contains("1. nothing"))
    }

    @Test("is told what only the log of it knows, before a change folds that in")
    func lastWord() throws {
        let folder = try ScratchFolder(sample: "check-written-without-history")
        let store = "check-written-without-history.sqlite"
        for options in [["--dry-run"], []] {
            let set = try folder.meterfix(
                arguments: ["set", "--row", "1", "--name", "New", store, "--now", Self.now] + options)
            #expect(set.code <= 1 && set.stderr.contains("written by another tool"), "\(set.stderr)")
        }
        let verify = try folder.meterfix("verify", store, "--now", Self.now)
        #expect(verify.stdout.contains("nothing to repair"))
    }
}
