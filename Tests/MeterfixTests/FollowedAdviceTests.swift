import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

/// Stores with an unusual fault: what is advised leads to an end, and takes no meter and no name from anybody.
@Suite("whoever follows the advice")
struct FollowedAdviceTests {
    static let now = "2026-11-21T12:00:00Z"

    /// A copy of a sample with a script run on it; the log is folded in.
    static func folder(_ sample: String = "healthy", _ sql: String) throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: sample)
        try folder.execute("\(sql); PRAGMA wal_checkpoint(TRUNCATE)", in: "\(sample).sqlite")
        return folder
    }

    static func verify(_ folder: ScratchFolder, _ sample: String = "healthy") throws -> JSONValue {
        try folder.meterfix("verify", "--json", "\(sample).sqlite", "--now", now).json
    }

    static func findings(_ json: JSONValue) -> [String] {
        (json["findings"]?.elements ?? []).compactMap { $0["id"]?.string }
    }

    /// Records of the sample `healthy` of which something holds.
    private static func count(_ condition: String, _ folder: ScratchFolder) throws -> Int? {
        try StoreText.read(folder.path + "/healthy.sqlite") { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS WHERE \(condition)")
        }
    }

    static func commands(_ json: JSONValue) -> [String] {
        (json["steps"]?.elements ?? []).compactMap { $0["command"]?.string }
    }

    private static let otherNumbers = [
        "UPDATE ZDEVICESETTINGS SET Z_PK = Z_PK + 100; UPDATE Z_PRIMARYKEY SET Z_MAX = 105 WHERE Z_NAME = 'DeviceSettings'",
        "DELETE FROM ZDEVICESETTINGS WHERE Z_PK < 5; UPDATE ZDEVICESETTINGS SET Z_PK = 9; "
            + "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'DeviceSettings'",
    ]

    @Test("deletes no meter in iCloud that may be here under another row number", arguments: otherNumbers)
    func renumbered(_ sql: String) throws {
        let folder = try Self.folder("healthy", sql)
        let json = try Self.verify(folder)
        #expect(Set(Self.findings(json)).isSuperset(of: ["mirror-orphan", "mirror-left-behind"]))
        #expect(!Self.commands(json).contains { $0.contains("mirror-orphan") })
        #expect(json["verdict"]?.string == "repair")
        let fixed = try folder.meterfix("fix", "mirror-orphan", "healthy.sqlite", "--now", Self.now)
        #expect(fixed.code == 4 && fixed.stderr.contains("under other numbers"))
    }

    private static let unusual = [
        ("healthy", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 5; DELETE FROM ACHANGE; DELETE FROM ATRANSACTION"),
        ("unknown-model", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'DeviceSettings'"),
        ("half-migrated", "DROP TABLE ACHANGE"), ("v1", "INSERT INTO Z_MODELCACHE VALUES (x'00')"),
        ("healthy", "UPDATE ZDEVICESETTINGS SET ZID = '87F10202-3AA7-45E9-AA7B-4935CD6A60CC' WHERE Z_PK = 2"),
        ("healthy", "UPDATE ZDEVICESETTINGS SET ZID = '87F10202-3AA7-45E9-AA7B-4935CD6A60CC'"),
        ("healthy", "UPDATE ZDEVICESETTINGS SET ZCREATEDAT = '', ZUPDATEDAT = '' WHERE Z_PK = 3"),
    ]

    @Test("is named no command that is refused", arguments: unusual)
    func refused(_ sample: String, _ sql: String) throws {
        let folder = try Self.folder(sample, sql)
        let json = try Self.verify(folder, sample)
        for command in Self.commands(json) {
            let answer = try MeterfixProcess.shell(
                "meterfix() { \"$METERFIX\" \"$@\"; }\n\(command)", in: folder.path)
            #expect((0...2).contains(answer.code), "\(command): \(answer.stderr)")
        }
    }

    @Test("has one id for each record, where a text and bytes were the same one, and the bytes stay")
    func idsOfTwoTypes() throws {
        let folder = try Self.folder(
            "healthy", "UPDATE ZDEVICESETTINGS SET ZID = '87F10202-3AA7-45E9-AA7B-4935CD6A60CC' WHERE Z_PK IN (1, 2)")
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZID = x'87F102023AA745E9AA7B4935CD6A60CC' WHERE Z_PK = 2", in: "healthy.sqlite")
        #expect(try Set(Self.findings(Self.verify(folder))).isSuperset(of: ["value-type", "id-duplicate"]))
        #expect(try folder.meterfix("fix", "--all", "healthy.sqlite", "--now", Self.now).code == 0)
        let found = try Self.findings(Self.verify(folder))
        #expect(!found.contains("value-type") && !found.contains("id-duplicate"))
        #expect(try Self.count("Z_PK = 2 AND ZID = x'87F102023AA745E9AA7B4935CD6A60CC'", folder) == 1)
    }

    @Test("keeps the name that the app can read, whichever is newer", arguments: ["x'4142'", "CAST(x'FF41' AS TEXT)"])
    func unreadableName(_ value: String) throws {
        let folder = try Self.folder(
            "check-duplicate-mac", "UPDATE ZDEVICESETTINGS SET ZMETERNAME = \(value) WHERE Z_PK = 7")
        #expect(try Self.findings(Self.verify(folder, "check-duplicate-mac")).contains("value-type"))
        let rebuilt = try folder.meterfix("rebuild", "--json", "check-duplicate-mac.sqlite", "--now", Self.now).json
        #expect(rebuilt["conflicts"]?.elements?.first?["kept"]?.string == "Balcony solar")
    }

    @Test("is asked nothing where two units mean the same, and is asked where two names do")
    func sameUnit() throws {
        let sql = """
            UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'fahrenheit', ZMETERNAME = 'Fahrenheit' WHERE Z_PK = 6;
            UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F', ZMETERNAME = 'F' WHERE Z_PK = 7
            """
        let folder = try Self.folder("check-duplicate-mac", sql)
        let rebuilt = try folder.meterfix("rebuild", "--json", "check-duplicate-mac.sqlite", "--now", Self.now).json
        #expect((rebuilt["conflicts"]?.elements ?? []).compactMap { $0["field"]?.string } == ["meterName"])
    }

    @Test("is told where the log ends in the middle of a page, as in a copy that broke off", arguments: [1, 132])
    func brokenLog(_ bytes: Int) throws {
        for sample in ["check-names-lost", "wal-only"] {
            let folder = try ScratchFolder(sample: sample)
            let log = "\(sample).sqlite-wal"
            // Without the last commit, and a part of the page before it.
            let page = 4096 + 24
            try FileBytes.write(Array(folder.bytes(log).dropLast(page + bytes)), to: folder.path + "/" + log)
            let json = try Self.verify(folder, sample)
            #expect(Self.findings(json).contains("wal-missing"), "\(sample)")
            #expect(try folder.meterfix("recover", "\(sample).sqlite", "new.sqlite", "--now", Self.now).code == 2)
        }
    }

    @Test("hears that Z_PRIMARYKEY may be wrong, where CloudKit's mirror knows the rows by their number")
    func numberOfMirror() throws {
        let folder = try Self.folder("healthy", "UPDATE Z_PRIMARYKEY SET Z_ENT = 2 WHERE Z_NAME = 'DeviceSettings'")
        let json = try Self.verify(folder)
        #expect(Self.findings(json).contains("entity-number-mismatch") && Self.commands(json).isEmpty)
        _ = try folder.meterfix("fix", "entity-number-mismatch", "healthy.sqlite", "--now", Self.now)
        #expect(try Self.count("Z_ENT = 1", folder) == 5)
    }

    @Test("hears of a note of the mirror that is there twice")
    func notedTwice() throws {
        let sql = """
            INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZKEY, ZSTRINGVALUE)
            SELECT MAX(Z_PK) + 1, Z_ENT, 1, ZKEY, 'another' FROM ANSCKMETADATAENTRY
            """
        let json = try Self.verify(Self.folder("healthy", sql))
        #expect(Self.findings(json).contains("mirror-duplicate-metadata") && json["verdict"]?.string == "repair")
    }

    @Test("gets an answer where a transaction has no date that is a number")
    func infiniteDate() throws {
        let folder = try Self.folder("healthy", "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999 WHERE Z_PK = 5")
        for command in ["status", "sync", "log"] {
            #expect(try folder.meterfix(command, "healthy.sqlite", "--now", Self.now).code == 0, "\(command)")
        }
    }

    @Test("is not led past a store without a byte to another one below it")
    func emptyStore() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let script = "mkdir -p f/old && mv healthy.sqlite f/old/CKModel.sqlite && : > f/CKModel.sqlite"
        #expect(try MeterfixProcess.shell(script, in: folder.path).code == 0)
        let answer = try folder.meterfix("verify", "f")
        #expect(answer.code == 66 && answer.stderr.contains("2 stores"))
    }

    @Test("does not hear that two stores are equal whose records without an address differ")
    func strays() throws {
        let folder = try Self.folder(
            "check-mac-missing", "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Another' WHERE Z_PK = 4")
        let other = try ScratchFolder(sample: "check-mac-missing")
        let answer = try folder.meterfix(
            "compare", "--json", "check-mac-missing.sqlite", "\(other.path)/check-mac-missing.sqlite", "--now",
            Self.now)
        #expect(answer.code == 1 && answer.stdout.contains("\"equal\": false"))
    }

    @Test("deletes no record in iCloud that is that of a meter which is kept")
    func sharedRecord() throws {
        let sql = """
            DROP INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone;
            UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = '8C170468-9DEC-4E88-8D55-36B8B851A0C6' WHERE ZENTITYPK = 6
            """
        let folder = try Self.folder("nameless-first", sql)
        let json = try Self.verify(folder, "nameless-first")
        #expect(Self.findings(json).contains("mirror-duplicate-metadata") && json["verdict"]?.string == "repair")
        for command in Self.commands(json) {
            let answer = try MeterfixProcess.shell(
                "meterfix() { \"$METERFIX\" \"$@\"; }\n\(command)", in: folder.path)
            #expect((0...2).contains(answer.code), "\(command): \(answer.stderr)")
        }
        let rebuilt = try folder.meterfix("rebuild", "nameless-first.sqlite", "--now", Self.now)
        #expect(rebuilt.code == 4 && rebuilt.stderr.contains("8C170468"))
        let fixed = try folder.meterfix("fix", "--all", "--json", "nameless-first.sqlite", "--now", Self.now)
        #expect((0...2).contains(fixed.code) && !fixed.stdout.contains("\"kind\": \"delete\""))
    }

    @Test(
        "is not led past what has the store's name to another store below it",
        arguments: [
            ": > F/.CKModel.sqlite.icloud", "ln -s ../F/old/CKModel.sqlite F/CKModel.sqlite",
            "ln -s gone F/CKModel.sqlite", "echo '<html>404' > F/CKModel.sqlite", "echo log > F/CKModel.sqlite-wal",
        ])
    func claims(_ script: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        let all = "mkdir -p F/old && mv healthy.sqlite F/old/CKModel.sqlite && \(script)"
        #expect(try MeterfixProcess.shell(all, in: folder.path).code == 0)
        let answer = try folder.meterfix("status", "F")
        #expect(answer.code == 66 && answer.stderr.contains("2 stores"))
        #expect(try folder.meterfix("status", "F/old").code == 0)
    }

    @Test(
        "asks for the log again where what is there is none, or has no whole change and there is no record",
        arguments: [32, 10, 4152, 8272])
    func noLog(_ size: Int) throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let log = "wal-only.sqlite-wal"
        try FileBytes.write(Array(folder.bytes(log).prefix(size)), to: folder.path + "/" + log)
        let json = try Self.verify(folder, "wal-only")
        #expect(Self.findings(json).contains("wal-missing") && json["verdict"]?.string == "unknown")
    }

    @Test("asks for the log again where another file has its name, and writes nothing")
    func otherLog() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        try folder.write("<html>404 Not Found</html>", to: "wal-only.sqlite-wal")
        #expect(try Self.findings(Self.verify(folder, "wal-only")).contains("wal-missing"))
        #expect(try folder.meterfix("set", "A4:C1:38:0B:7E:21", "--name", "x", "wal-only.sqlite").code == 65)
    }

    @Test("gets back the record that a rebuild would have kept, and hears of the others")
    func severalLost() throws {
        let folder = try Self.folder("check-duplicate-mac", "SELECT 1")
        let set = try folder.meterfix(
            "set", "00:15:A6:00:3C:E8", "--name", "Another", "check-duplicate-mac.sqlite", "--now", Self.now)
        #expect(set.code == 0)
        try folder.execute(
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK IN (6, 7); PRAGMA wal_checkpoint(TRUNCATE)",
            in: "check-duplicate-mac.sqlite")
        let answer = try folder.meterfix(
            "restore-record", "--from", "lost", "A4:C1:38:70:12:DD", "check-duplicate-mac.sqlite", "--now", Self.now)
        #expect(answer.code == 0 && answer.stdout.contains("Balcony solar"), "\(answer.stdout)")
        #expect(answer.stderr.contains("rows 6 and 7"), "\(answer.stderr)")
    }

    @Test("asks for the store again where its rollback journal is cut short, or is none", arguments: [0, 600])
    func brokenJournal(_ size: Int) throws {
        let folder = try ScratchFolder(sample: "rollback-journal")
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        // Nine pages of 4096 bytes, in a file with sectors of 512.
        let header = magic + [0, 0, 0, 9, 1, 2, 3, 4, 0, 0, 0, 20, 0, 0, 2, 0, 0, 0, 16, 0]
        let bytes = size == 0 ? Array("<html>".utf8) : header + [UInt8](repeating: 0, count: 600)
        let journal = folder.path + "/rollback-journal.sqlite-journal"
        try FileBytes.write(size == 0 ? bytes : Array(bytes.prefix(size)), to: journal)
        #expect(try Self.findings(Self.verify(folder, "rollback-journal")).contains("wal-missing"))
        // A journal that is done with.
        try FileBytes.write([UInt8](repeating: 0, count: 1024), to: journal)
        #expect(try !Self.findings(Self.verify(folder, "rollback-journal")).contains("wal-missing"))
    }

    @Test("is not sent to a command that cannot restore the metadata either")
    func metadata() throws {
        let folder = try Self.folder("v1", "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA")
        let answer = try folder.meterfix("migrate", "v1.sqlite", "--now", Self.now)
        #expect(answer.code == 4 && !answer.stderr.contains("--restore-metadata"), "\(answer.stderr)")
    }

    @Test("makes no store in the place of one that is still in iCloud Drive")
    func placeholder() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.write("x", to: ".New.sqlite.icloud")
        try folder.write("A4:C1:38:0B:7E:21 = Kitchen", to: "names.txt")
        let answer = try folder.meterfix("import-kv", "--create", "names.txt", "New.sqlite", "--now", Self.now)
        #expect(answer.code == 73 && answer.stderr.contains("not downloaded from iCloud Drive"), "\(answer.stderr)")
    }

    @Test("gives first aid to the record that the app shows, and not to one that it hides")
    func hidden() throws {
        let name = "check-record-marked-deleted"
        let folder = try Self.folder(
            name,
            """
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZISHIDDEN, ZMACADDRESS, ZTC66TEMPERATUREUNIT, ZID)
            SELECT 6, Z_ENT, 1, 0, ZMACADDRESS, 'celsius', randomblob(16) FROM ZDEVICESETTINGS WHERE Z_PK = 4;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'DeviceSettings'
            """)
        let answer = try folder.meterfix("rebuild", "--in-use", "\(name).sqlite", "--now", Self.now)
        #expect(answer.code == 0, "\(answer.stderr)")
        let values = try StoreText.read("\(folder.path)/\(name).sqlite") { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT COALESCE(ZMETERNAME, '-') || COALESCE(ZTC66TEMPERATUREUNIT, '-') FROM ZDEVICESETTINGS
                    WHERE Z_PK IN (4, 6) ORDER BY Z_PK
                    """)
        }
        #expect(values == ["Încărcător birou-", "Încărcător biroucelsius"], "\(answer.stdout)")
    }

    @Test("hears of a log that is still in iCloud Drive, also where a tool has made an empty one")
    func emptyLog() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        try FileBytes.write([], to: "\(folder.path)/wal-only.sqlite-wal")
        try folder.write("x", to: ".wal-only.sqlite-wal.icloud")
        #expect(try Self.findings(Self.verify(folder, "wal-only")).contains("wal-missing"))
        try folder.write("A4:C1:38:0B:7E:21 = Kitchen", to: "names.txt")
        let answer = try folder.meterfix("import-kv", "names.txt", "wal-only.sqlite", "--now", Self.now)
        #expect(answer.code == 65 && answer.stderr.contains("not downloaded"), "\(answer.stderr)")
    }

    @Test("hears that the mirror's table lacks a column, and not that nothing is sent")
    func mirrorColumn() throws {
        let folder = try Self.folder(
            "nameless-first", "ALTER TABLE ANSCKRECORDMETADATA RENAME COLUMN ZENTITYPK TO ZENTITYPK2")
        let json = try Self.verify(folder, "nameless-first")
        #expect(Self.findings(json).contains("column-missing") && json["verdict"]?.string == "repair")
        let answer = try folder.meterfix("rebuild", "--dry-run", "nameless-first.sqlite", "--now", Self.now)
        #expect(answer.code == 4 && answer.stderr.contains("no column ZENTITYPK"), "\(answer.stdout)")
    }
}
