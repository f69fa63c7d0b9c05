import Foundation
import MeterTestSupport
import Testing

@Suite("status")
struct StatusTests {
    /// What `status` prints of a sample that was changed by SQL.
    private static func status(of sample: String, after sql: String, _ options: [String] = []) throws -> String {
        let folder = try ScratchFolder(sample: sample)
        try folder.execute(sql, in: "\(sample).sqlite")
        let result = try MeterfixProcess.run(["status"] + options + ["\(sample).sqlite"], in: folder.path)
        #expect(result.code == 0)
        return result.stdout
    }

    @Test("says how many meters have a name, in whichever of their records")
    func names() throws {
        let blank = "UPDATE ZDEVICESETTINGS SET ZMETERNAME = CASE Z_PK WHEN 1 THEN NULL WHEN 2 THEN ' ' ELSE 'Lab' END"
        #expect(try Self.status(of: "healthy", after: blank).contains("\nmeters     5, 3 with a name\n"))
        let json = try Self.status(of: "healthy", after: blank, ["--json"])
        #expect(json.contains("\"meters\": 5,\n    \"named\": 3,\n    \"lost\": 0\n"))
        // Rows 1, 2 and 3 are of one meter.
        #expect(try Self.status(of: "duplicates", after: blank).contains("\nmeters     7, 7 with a name\n"))
        let none = "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = NULL"
        #expect(try Self.status(of: "healthy", after: none).contains("\nmeters     0, 0 with a name\n"))
    }

    private static func failed(_ error: String) -> String {
        """
        UPDATE ANSCKEVENT SET \(error)
        WHERE Z_PK = (SELECT Z_PK FROM ANSCKEVENT WHERE ZCLOUDKITEVENTTYPE = 2 ORDER BY ZSTARTEDAT DESC LIMIT 1)
        """
    }

    @Test("says what an error of the mirror means, what the mirror does next and what to do")
    func explained() throws {
        let text = try Self.status(
            of: "check-mirror-failing", after: Self.failed("ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 28"))
        #expect(
            text.contains(
                """
                failed with CKErrorDomain 28: the user deleted the app's data in the iCloud settings
                             the mirror deletes the same rows on this device, and every other device does so when it hears of it
                """))
        #expect(
            text.contains("\n             → if this was a mistake, keep all other devices offline, and save a copy"))
        let json = try Self.status(
            of: "check-mirror-failing", after: Self.failed("ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 28"),
            ["--json"])
        #expect(json.contains("\"deletesRows\": true"))
    }

    @Test("has the same cure for an error as verify")
    func constraint() throws {
        let folder = try ScratchFolder()
        try StoreFixture(.v1).with {
            $0.mirror = .current
            $0.mirrorEvents = [
                MirrorEvent(
                    .setup, at: FixtureClock.now, succeeded: false, errorDomain: "NSCocoaErrorDomain",
                    errorCode: 134_060)
            ]
        }.write(to: folder.path + "/v1.sqlite")
        let text = try MeterfixProcess.run(["status", "v1.sqlite"], in: folder.path).stdout
        #expect(text.contains("\n           → meterfix migrate --dry-run v1.sqlite\n"))
    }

    @Test("takes an event without an end for no failure")
    func running() throws {
        let text = try Self.status(of: "check-mirror-failing", after: Self.failed("ZENDEDAT = NULL"))
        #expect(
            try text.contains(
                Regex(
                    "last export 21 Nov 2026, 11:00, [a-z0-9 ]+: did not end: it is running, or the app ended first\n"))
        )
        #expect(!text.contains("failed"))
    }

    @Test("lists all authors of the history with --verbose, and says otherwise how many there are")
    func authors() throws {
        let sql = (1...6).map {
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (10\($0), 16003, 'author \($0)');
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS) VALUES (10\($0), 16002, 7.0e8, 10\($0));
            """
        }.joined()
        let text = try Self.status(of: "healthy", after: sql)
        #expect(text.components(separatedBy: "author ").count - 1 == 4)
        #expect(text.contains("\n           … and 3 more, see --verbose or --json\n"))
        let all = try Self.status(of: "healthy", after: sql, ["--verbose"])
        #expect(all.components(separatedBy: "author ").count - 1 == 6)
        #expect(!all.contains("more, see"))
    }
}
