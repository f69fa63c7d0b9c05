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

    @Test("has bytes in the place of a name: nobody is shown their digits as one")
    func bytesForName() throws {
        let folder = try Self.folder(
            Self.twin(changed: 86_400, "Kitchen charger"),
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = x'426C6F62' WHERE Z_PK = 6")
        for words in [["show", "--row", "6"], ["fix", "--dry-run", "--all"], ["rebuild", "--dry-run"]] {
            for form in [[], ["--json"]] {
                let answer = try MeterfixProcess.run(
                    words + form + ["healthy.sqlite", "--now", Self.now], in: folder.path, environment: [:])
                #expect(!answer.stdout.lowercased().contains("426c6f62"), "\(words + form): \(answer.stdout)")
            }
        }
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

    @Test(
        "is told that a row is about to be deleted, and its owner is asked for the name",
        arguments: ["ZNEEDSLOCALDELETE", "ZNEEDSCLOUDDELETE"])
    func going(_ mark: String) throws {
        let folder = try Self.folder("UPDATE ANSCKRECORDMETADATA SET \(mark) = 1 WHERE ZENTITYPK = 3")
        let sync = try folder.meterfix("sync", "healthy.sqlite", "--now", Self.now)
        #expect(
            sync.stdout.contains("1 object of this store is about to be deleted")
                && !sync.stdout.contains("no rows are deleted here"))
        let letter = try Self.letter(folder)
        #expect(letter.contains("about to be deleted") && letter.contains("Lab TC66"))
        #expect(!letter.contains("Everything is in iCloud") && !letter.contains("nothing to repair"))
        let status = try folder.meterfix("status", "healthy.sqlite", "--now", Self.now)
        #expect(
            status.stdout.contains("1 object is about to be deleted") && !status.stdout.contains("none at first sight"))
    }

    @Test("is told that meters were deleted together, also where the app saved after each", arguments: [20, 90])
    func oneByOne(_ seconds: Int) throws {
        let saves = (1...5).map { row in
            "\(Self.save(row, 2)); UPDATE ATRANSACTION SET ZTIMESTAMP = 816990000 + \(row * seconds) "
                + "WHERE Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)"
        }
        let folder = try Self.folder("DELETE FROM ZDEVICESETTINGS", saves.joined(separator: ";\n"))
        let found = try Self.findings(folder)
        #expect(found.ids.contains("mass-delete") == (seconds == 20))
    }

    @Test(
        "keeps a name that somebody typed before one in which nobody sees anything",
        arguments: ["\u{200B}", "\u{3164}", "\u{FEFF}\u{AD}", "\u{2800}"])
    func invisibleName(_ name: String) throws {
        let folder = try Self.folder(Self.twin(changed: 86_400, name), Self.metadataOfTwin)
        let rebuilt = try folder.meterfix("rebuild", "healthy.sqlite", "--now", Self.now)
        #expect(rebuilt.code == 0, "\(rebuilt.stderr)")
        let meters = try folder.meterfix("meters", "--json", "healthy.sqlite", "--now", Self.now)
        #expect(!meters.stdout.contains(name))
    }

    @Test("is told what a date means that a script wrote in seconds since 1970")
    func unixTime() throws {
        let folder = try Self.folder("UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 1764450000 WHERE Z_PK = 3")
        let verify = try folder.meterfix("verify", "healthy.sqlite", "--now", Self.now)
        #expect(verify.stdout.contains("as seconds since 1970") && verify.stdout.contains("29 Nov 2025"))
        let ahead = try Self.folder("UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = ZUPDATEDAT + 90000000 WHERE Z_PK = 3")
        #expect(!(try ahead.meterfix("verify", "healthy.sqlite", "--now", Self.now).stdout.contains("since 1970")))
    }

    @Test("gets no repair advised that is refused, where a row number is below 1")
    func rowNumber() throws {
        let folder = try Self.folder(
            Self.twin(changed: 86_400, "Kitchen"), "UPDATE ZDEVICESETTINGS SET Z_PK = -6 WHERE Z_PK = 6")
        let verify = try folder.meterfix("verify", "healthy.sqlite", "--now", Self.now)
        #expect(verify.stdout.contains("row-number-invalid") && verify.stdout.contains("duplicate-mac"))
        #expect(!verify.stdout.contains("meterfix rebuild --") && !verify.stdout.contains("meterfix fix"))
        try folder.copyStore("healthy", as: "other.sqlite")
        let compared = try folder.meterfix("compare", "healthy.sqlite", "other.sqlite", "--now", Self.now)
        #expect(compared.stdout.contains("takes no repair") && !compared.stdout.contains("fix --all"))
    }

    @Test("is read where a table of the mirror has no row numbers")
    func withoutRowID() throws {
        let folder = try Self.folder(
            "CREATE TABLE q (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZBOOLVALUENUM, ZINTEGERVALUE, ZDATEVALUE, ZKEY, "
                + "ZSTRINGVALUE, ZTRANSFORMEDVALUE) WITHOUT ROWID",
            "INSERT INTO q (Z_PK, Z_ENT, Z_OPT, ZBOOLVALUENUM, ZKEY, ZSTRINGVALUE, ZTRANSFORMEDVALUE) "
                + "SELECT Z_PK, Z_ENT, Z_OPT, ZBOOLVALUENUM, ZKEY, ZSTRINGVALUE, ZTRANSFORMEDVALUE FROM ANSCKMETADATAENTRY",
            "DROP TABLE ANSCKMETADATAENTRY", "ALTER TABLE q RENAME TO ANSCKMETADATAENTRY")
        let sync = try folder.meterfix("sync", "healthy.sqlite", "--now", Self.now)
        #expect(sync.code <= 1 && sync.stdout.contains("nothing is pending"), "\(sync.stderr)")
    }

    @Test("is not called one that was never mirrored where the mirror's tables are gone")
    func mirrorGone() throws {
        let folder = try Self.folder("DROP TABLE ANSCKRECORDMETADATA")
        let status = try folder.meterfix("status", "healthy.sqlite", "--now", Self.now)
        #expect(status.stdout.contains("tables are missing") && !status.stdout.contains("none at first sight"))
    }

    @Test("is not called equal to another where both are about to lose a meter")
    func goingOnBoth() throws {
        let folder = try Self.folder("UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK = 3")
        try folder.copyStore("healthy", as: "other.sqlite")
        let compared = try folder.meterfix("compare", "healthy.sqlite", "other.sqlite", "--now", Self.now)
        #expect(compared.code == 1 && compared.stdout.contains("about to be deleted on both sides"))
        #expect(compared.stdout.contains("Lab TC66"))
    }

    @Test("asks for the log in a dry run too, and names no command that is refused")
    func dryRunWithoutLog() throws {
        let folder = try ScratchFolder(sample: "main-file-alone")
        let words = ["set", "-n", "A4:C1:38:0B:7E:21", "--name", "New", "main-file-alone.sqlite", "--now", Self.now]
        let alone = try folder.meterfix(arguments: words)
        #expect(alone.stdout.contains("ask for the -wal") && !alone.stdout.contains("to do it"))
        #expect(try folder.meterfix(arguments: words + ["--accept-missing-wal"]).stdout.contains("to do it"))
    }

    @Test("is called well by its report only where verify finds nothing to repair", arguments: SampleShelf.samples)
    func reported(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let verify = try folder.meterfix("verify", "--json", sample.storeName, "--now", Self.now)
        guard verify.code <= 1, let verdict = try verify.json["verdict"]?.string else { return }
        let report = try folder.meterfix("report", "--output", "letter.html", sample.storeName, "--now", Self.now)
        let allClears = ["Nothing is wrong", "nothing to repair", "You need not do anything."]
        #expect(verdict == "clean" || !allClears.contains { report.stdout.contains($0) }, "\(report.stdout)")
    }

    @Test("gets a word where an import names a meter that is about to be deleted, or that the app hides")
    func importedInVain() throws {
        let dump = #"{"MeterNames": {"00:15:A6:00:3C:E8": "Lab"}}"#
        let going = try Self.folder(
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK = 3",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL WHERE Z_PK = 3")
        try going.write(dump, to: "dump.json")
        let imported = try going.meterfix("import-kv", "dump.json", "healthy.sqlite", "--now", Self.now)
        #expect(imported.stdout.contains("about to be deleted on all devices"))
        let set = try going.meterfix("set", "-n", "--row", "3", "--name", "X", "healthy.sqlite", "--now", Self.now)
        #expect(set.stdout.contains("row 3 is about to be deleted"))
        let sync = try going.meterfix("sync", "healthy.sqlite", "--now", Self.now)
        #expect(sync.stdout.contains("1 object is about to be deleted"))
    }

    @Test("gets no all-clear after a mass delete because other meters were named since")
    func othersSince() throws {
        let folder = try ScratchFolder(sample: "meters-gone")
        let names = (1...5).map { "\"24:71:89:0A:0B:0\($0)\": \"New \($0)\"" }.joined(separator: ", ")
        try folder.write("{\"MeterNames\": {\(names)}}", to: "others.json")
        let store = "meters-gone.sqlite"
        #expect(try folder.meterfix("import-kv", "-q", "others.json", store, "--now", Self.now).code <= 2)
        let verify = try folder.meterfix("verify", "--json", store, "--now", Self.now)
        let json = try verify.json
        #expect(verify.code == 1 && json["verdict"]?.string == "stop")
        let lost = try folder.meterfix("lost", "--json", store, "--now", Self.now).json["values"]?.elements ?? []
        for address in Set(lost.compactMap { $0["mac"]?.string }) {
            _ = try folder.meterfix("restore-record", "--from", "lost", address, store, "--now", Self.now)
        }
        #expect(try folder.meterfix("verify", "--json", store, "--now", Self.now).json["verdict"]?.string != "stop")
    }

    @Test("is not called well by its letter where a log of it is not")
    func logBesideReport() throws {
        let folder = try Self.folder()
        try folder.write(
            "CoreData: error: CoreData+CloudKit: -[NSCloudKitMirroringDelegate recoverFromError:](1): Error: "
                + "<CKError 0x1: \"User Deleted Zone\" (28/2052); \"zone purged\">\n", to: "log.txt")
        #expect(try folder.meterfix("explain", "log.txt", "--now", Self.now).code == 1)
        let report = try folder.meterfix(
            "report", "--log", "log.txt", "--output", "letter.html", "healthy.sqlite", "--now", Self.now)
        #expect(!report.stdout.contains("Nothing is wrong") && report.stdout.contains("deleted in iCloud"))
    }

    @Test("is to be put back after a change by meterfix, mirrored or not")
    func notMirrored() throws {
        let folder = try ScratchFolder(sample: "check-not-mirrored")
        let store = "check-not-mirrored.sqlite"
        #expect(try folder.meterfix("set", "--row", "1", "--name", "New", store, "--now", Self.now).code == 0)
        let report = try folder.meterfix("report", "--output", "letter.html", store, "--now", Self.now)
        #expect(report.stdout.contains("Put the file back") && !report.stdout.contains("need not do anything"))
    }

    @Test("offers no unit that the app does not know")
    func unknownUnit() throws {
        let folder = try Self.folder(
            Self.twin(changed: 86_400, "Kitchen charger"), Self.metadataOfTwin,
            "UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'kelvin' WHERE Z_PK = 1",
            "UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'celsius' WHERE Z_PK = 6")
        let rebuild = try folder.meterfix("rebuild", "-n", "healthy.sqlite", "--now", Self.now)
        #expect(rebuild.stdout.contains("kelvin") && !rebuild.stdout.contains("--keep-unit"))
        let report = try folder.meterfix("report", "--output", "letter.html", "healthy.sqlite", "--now", Self.now)
        #expect(!report.stdout.contains("kelvin"))
    }
}
