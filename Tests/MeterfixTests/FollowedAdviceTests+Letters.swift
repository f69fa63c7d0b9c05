import MeterTestSupport
import Testing

/// What the owner reads, and whose records are deleted.
extension FollowedAdviceTests {
    static func letter(_ folder: ScratchFolder, _ sample: String) throws -> String {
        let report = try folder.meterfix("report", "\(sample).sqlite", "--output", "page.html", "--now", now)
        return report.stdout.replacing("\n", with: " ")
    }

    @Test("reads in the letter what no other answer contradicts")
    func letters() throws {
        let restarted = try ScratchFolder(sample: "check-mirror-started-over")
        let asked = try Self.letter(restarted, "check-mirror-started-over")
        #expect(asked.contains("one entry did not come back") && !asked.contains("Nothing is wrong"), "\(asked)")
        let twice = try Self.folder("healthy", "UPDATE ZDEVICESETTINGS SET ZCREATEDAT = 900000000 WHERE Z_PK = 5")
        #expect(try Self.letter(twice, "healthy").contains("One meter has a date that cannot be right"))
        let going = try Self.folder(
            "nameless-first", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSLOCALDELETE = 1 WHERE ZENTITYPK IN (6, 7)")
        let letter = try Self.letter(going, "nameless-first")
        #expect(letter.contains("is about to be deleted") && !letter.contains("no meter will be lost"), "\(letter)")
    }

    @Test(
        "is told to leave the app closed, and asked for an older copy, where a table or a column is missing",
        arguments: [
            ("healthy", "DROP TABLE ZDEVICESETTINGS"), ("check-column-missing", "SELECT 1"),
            ("check-table-missing", "SELECT 1"),
        ])
    func withoutTable(_ sample: String, _ sql: String) throws {
        let letter = try Self.letter(Self.folder(sample, sql), sample)
        #expect(letter.contains("Leave USB Meter closed") && letter.contains("older copy"), "\(letter)")
        #expect(!letter.contains("another app"), "\(letter)")
    }

    /// A second zone, which somebody else shares.
    private static let sharedZone = """
        INSERT INTO ANSCKDATABASEMETADATA VALUES (2, 17001, 1, 3, 1, 816944404, 'Shared', x'01');
        CREATE TEMP TABLE zone AS SELECT * FROM ANSCKRECORDZONEMETADATA WHERE Z_PK = 1;
        UPDATE zone SET Z_PK = 2, ZCKOWNERNAME = '_other0123456789';
        INSERT INTO ANSCKRECORDZONEMETADATA SELECT * FROM zone;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('NSCKDatabaseMetadata', 'NSCKRecordZoneMetadata')
        """

    @Test("hears of a record in somebody else's iCloud before it is deleted")
    func shared() throws {
        let folder = try Self.folder(
            "nameless-first",
            "\(Self.sharedZone); UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 2 WHERE ZENTITYPK = 6")
        let fix = try folder.meterfix("fix", "--dry-run", "--all", "nameless-first.sqlite", "--now", Self.now)
        #expect(fix.stdout.replacing("\n", with: " ").contains("somebody else shares"), "\(fix.stdout)")
        #expect(try Self.letter(folder, "nameless-first").contains("Somebody else shares one entry"))
        let delete = try folder.meterfix(
            "delete", "--dry-run", "--row", "6", "--force", "nameless-first.sqlite", "--now", Self.now)
        #expect(delete.stdout.replacing("\n", with: " ").contains("somebody else shares"), "\(delete.stdout)")
    }

    @Test("is promised nothing where only the record stays that somebody else shares")
    func keptByOthers() throws {
        let folder = try Self.folder(
            "nameless-first",
            "\(Self.sharedZone); UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 2 WHERE ZENTITYPK <> 6")
        let letter = try Self.letter(folder, "nameless-first")
        #expect(letter.contains("when they stop sharing it, it is gone"), "\(letter)")
        #expect(!letter.contains("no meter will be lost") && !letter.contains("keeps every meter"), "\(letter)")
    }

    @Test("deletes nothing in somebody else's iCloud, of which rows are gone here")
    func orphanOfOthers() throws {
        let name = "check-mirror-orphan"
        let folder = try Self.folder(
            name, "\(Self.sharedZone); UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 2 WHERE ZENTITYPK = 4")
        let json = try Self.verify(folder, name)
        #expect(!Self.commands(json).contains { $0.contains("mirror-orphan") })
        let answer = try folder.meterfix("fix", "mirror-orphan", "\(name).sqlite", "--now", Self.now)
        #expect(answer.code == 2 && answer.stdout.contains("can do nothing"), "\(answer.stdout)")
    }
}
