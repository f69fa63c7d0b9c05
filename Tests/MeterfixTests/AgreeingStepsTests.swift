import CoreDataStore
import Foundation
import JSON
import MeterStore
import MeterTestSupport
import Testing

/// Answers about one store that is in two troubles at once: none of them says what another one forbids.
@Suite("no answer forgets what the store was before the change:")
struct AgreeingStepsTests {
    private static let now = FollowedAdviceTests.now
    private static let dump = PackageFolder.samples + "/kv/kv.json"

    private static func run(_ folder: ScratchFolder, _ words: String...) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.run(words + ["--now", now], in: folder.path, environment: [:])
    }

    private static func kinds(_ json: JSONValue) -> [String] {
        (json["steps"]?.elements ?? []).compactMap { $0["kind"]?.string }
    }

    /// A second record of the first meter, which the mirror knows, in a zone.
    private static func duplicate(inZone zone: Int, values: String) -> String {
        """
        CREATE TEMP TABLE copy AS SELECT * FROM ZDEVICESETTINGS WHERE Z_PK = 1;
        UPDATE copy SET Z_PK = 6, ZID = randomblob(16), \(values);
        INSERT INTO ZDEVICESETTINGS SELECT * FROM copy;
        INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)
        SELECT 6, Z_ENT, 1, ZENTITYID, 6, \(zone), '00000000-0000-4000-8000-000000000006' FROM ANSCKRECORDMETADATA LIMIT 1;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME IN ('DeviceSettings', 'NSCKRecordMetadata')
        """
    }

    private static let purgedZone = """
        INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT, ZCKRECORDZONENAME, ZNEEDSRECOVERYFROMUSERPURGE)
        SELECT 9, Z_ENT, 1, 'other', 1 FROM ANSCKRECORDZONEMETADATA LIMIT 1;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'NSCKRecordZoneMetadata';
        """

    @Test("a repair of a store whose rows are to be deleted begins with the stop, and asks nobody to sync")
    func purge() throws {
        let folder = try FollowedAdviceTests.folder(
            "healthy", Self.purgedZone + Self.duplicate(inZone: 9, values: "ZMETERNAME = 'Other'"))
        let planned = try Self.run(folder, "fix", "--dry-run", "--all", "--json", "healthy.sqlite")
        #expect(try Self.kinds(planned.json) == ["stop", "run"], "\(planned.stdout)")
    }

    @Test("an import after many meters were deleted asks nobody to sync before it")
    func massDelete() throws {
        let folder = try ScratchFolder(sample: "check-mass-delete")
        let store = "check-mass-delete.sqlite"
        let planned = try Self.run(folder, "import-kv", "--dry-run", "--json", Self.dump, store)
        #expect(try Self.kinds(planned.json) == ["stop", "run"], "\(planned.stdout)")
    }

    @Test("what is about to be deleted is noted before the device syncs")
    func going() throws {
        let marked = "UPDATE ANSCKRECORDMETADATA SET ZNEEDSLOCALDELETE = 1 WHERE ZENTITYPK = 6"
        let folder = try FollowedAdviceTests.folder(
            "healthy", Self.duplicate(inZone: 1, values: "ZMETERNAME = 'Only here'") + ";" + marked)
        let planned = try Self.run(folder, "fix", "--dry-run", "--all", "--json", "healthy.sqlite")
        #expect(try Self.kinds(planned.json).first == "ask", "\(planned.stdout)")
        let plain = try ScratchFolder(sample: "healthy")
        try FileBytes.write(plain.bytes("healthy.sqlite"), to: folder.path + "/b.sqlite")
        try FileBytes.write(plain.bytes("healthy.sqlite-wal"), to: folder.path + "/b.sqlite-wal")
        #expect(try Self.run(folder, "compare", "b.sqlite", "healthy.sqlite").code == 1)
    }

    @Test("a unit that is understood is kept, and not a newer one that says nothing")
    func units() throws {
        let one = Self.duplicate(
            inZone: 1, values: "ZTC66TEMPERATUREUNIT = '°F', ZMETERNAME = NULL, ZUPDATEDAT = ZUPDATEDAT + 9")
        let newer =
            "UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'kelvin', ZUPDATEDAT = ZUPDATEDAT + 99 WHERE Z_PK = 1"
        let folder = try FollowedAdviceTests.folder("healthy", one + ";" + newer)
        let fixed = try Self.run(folder, "fix", "--all", "healthy.sqlite")
        #expect(fixed.code == 0, "\(fixed.stdout)\(fixed.stderr)")
        #expect(try Self.run(folder, "show", "--row", "1", "healthy.sqlite").stdout.contains("fahrenheit"))
    }

    @Test("nothing is deleted in iCloud on the word of a recovered store, unless somebody insists")
    func recovered() throws {
        let sample = "check-recovered-store"
        let folder = try FollowedAdviceTests.folder(sample, Self.duplicate(inZone: 1, values: "ZMETERNAME = 'Other'"))
        let refused = try Self.run(folder, "rebuild", "\(sample).sqlite")
        #expect(refused.code == 4 && refused.stderr.contains("recovered store"), "\(refused.stdout)\(refused.stderr)")
        #expect(try Self.run(folder, "rebuild", "--force", "\(sample).sqlite").code == 0)
        // What it lacks, no check sees.
        let truncated = try ScratchFolder(sample: "truncated")
        #expect(try Self.run(truncated, "recover", "truncated.sqlite", "new.sqlite").code == 2)
        #expect(try FollowedAdviceTests.verify(truncated, "new")["verdict"]?.string == "unknown")
    }

    @Test("a log without a whole change beside no record is refused by whoever writes", arguments: [20, 40, 24_000])
    func cutLog(_ bytes: Int) throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let log = try folder.bytes("wal-only.sqlite-wal").prefix(bytes)
        try FileBytes.write(Array(log), to: folder.path + "/wal-only.sqlite-wal")
        let refused = try Self.run(folder, "import-kv", Self.dump, "wal-only.sqlite")
        #expect(refused.code == 65 && refused.stderr.contains("--accept-missing-wal"), "\(refused.stderr)")
        #expect(try folder.bytes("wal-only.sqlite-wal") == Array(log))
    }

    @Test("rows that are gone are missed in a store that is not mirrored, too")
    func gone() throws {
        let folder = try FollowedAdviceTests.folder("check-not-mirrored", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 1")
        let verified = try FollowedAdviceTests.verify(folder, "check-not-mirrored")
        #expect(FollowedAdviceTests.findings(verified).contains("written-without-history"))
    }

    @Test("bytes behind the last page are told")
    func longFile() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let bytes = try folder.bytes("healthy.sqlite") + [UInt8](repeating: 0, count: 8192)
        try FileBytes.write(bytes, to: folder.path + "/healthy.sqlite")
        let verified = try FollowedAdviceTests.verify(folder)
        #expect(FollowedAdviceTests.findings(verified) == ["wal-missing"] && verified["verdict"]?.string == "unknown")
    }

    @Test("a model that the mirror refuses is no all-clear, whatever the mirror did with the one before")
    func refusedModel() throws {
        var entities = USBMeterModel.v2.entities
        let place = try #require(entities[0].attributes.firstIndex { $0.name == "meterName" })
        entities[0].attributes[place].traits.isOptional = false
        let model = ManagedObjectModel(entities: entities)
        let fixture = StoreFixture(records: [Meters.healthy]).with {
            ($0.cachedModel, $0.hashedModel, $0.mirror) = (model, model, .current)
        }
        let folder = try ScratchFolder(of: fixture)
        let verified = try FollowedAdviceTests.verify(folder, "store")
        #expect(FollowedAdviceTests.findings(verified).contains("mirror-failing"), "\(verified)")
        let synced = try Self.run(folder, "sync", "store.sqlite").stdout
        #expect(synced.contains("134060") && synced.contains("meterName is required"), "\(synced)")
        #expect(try FollowedAdviceTests.letter(folder, "store").contains("iCloud does not accept"))
    }

    @Test("a token that nobody can decode stops the owner, too")
    func undecodableToken() throws {
        let folder = try FollowedAdviceTests.folder(
            "healthy",
            "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = x'0102' WHERE ZKEY LIKE '%LastHistoryTokenKey'")
        #expect(try FollowedAdviceTests.verify(folder)["verdict"]?.string == "stop")
        #expect(try FollowedAdviceTests.letter(folder, "healthy").contains("Do not open USB Meter"))
    }

    @Test("records that are about to be deleted are in the verdict of each answer")
    func goingVerdict() throws {
        let folder = try FollowedAdviceTests.folder(
            "healthy", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSLOCALDELETE = 1 WHERE ZENTITYPK IN (1, 2)")
        for command in ["verify", "sync", "status"] {
            let answer = try Self.run(folder, command, "--json", "healthy.sqlite")
            #expect(try answer.json["verdict"]?.string == "repair", "\(command)")
        }
    }

    @Test("what only the log tells of another tool is in a dry run, too")
    func rowsOfOthers() throws {
        let folder = try AgreeingAnswersTests.withLog("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Hacked' WHERE Z_PK = 1")
        #expect(try FollowedAdviceTests.findings(FollowedAdviceTests.verify(folder)) == ["written-without-history"])
        for words in [["rebuild"], ["fix", "--all"]] {
            let answer = try MeterfixProcess.run(
                words + ["--dry-run", "--json", "healthy.sqlite", "--now", Self.now], in: folder.path, environment: [:])
            #expect(FollowedAdviceTests.findings(try answer.json) == ["written-without-history"], "\(words)")
        }
    }

    @Test("of two history tokens the worse one counts")
    func tokens() throws {
        let folder = try FollowedAdviceTests.folder(
            "healthy",
            """
            INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZKEY, ZTRANSFORMEDVALUE)
            SELECT 90, Z_ENT, 1, ZKEY, x'00' FROM ANSCKMETADATAENTRY
            WHERE ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey'
            """)
        #expect(try FollowedAdviceTests.findings(FollowedAdviceTests.verify(folder)).contains("mirror-token-lost"))
    }

    @Test("what perhaps is never sent is no all-clear")
    func bypassedHistory() throws {
        let folder = try FollowedAdviceTests.folder(
            "healthy",
            """
            INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZKEY, ZBOOLVALUENUM)
            SELECT 90, Z_ENT, 1, 'NSCloudKitMirroringDelegateBypassHistoryOnExportKey', 1 FROM ANSCKMETADATAENTRY LIMIT 1;
            UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 1
            """)
        #expect(try FollowedAdviceTests.verify(folder)["verdict"]?.string == "repair")
    }

    @Test(
        "an account that was changed is not forgotten for a set-up that failed after that",
        arguments: [134_400, 134_422])
    func otherAccount(_ code: Int) throws {
        let event = """
            INSERT INTO ANSCKEVENT (Z_PK, Z_ENT, Z_OPT, ZCLOUDKITEVENTTYPE, ZSUCCEEDED, ZSTARTEDAT, ZENDEDAT, ZERRORDOMAIN,
            ZERRORCODE) SELECT MAX(Z_PK) + 1, Z_ENT, 1, 0, 0, 816950000, 816950002, 'NSCocoaErrorDomain',
            """
        let folder = try FollowedAdviceTests.folder(
            "healthy", "\(event) 134405 FROM ANSCKEVENT; \(event) \(code) FROM ANSCKEVENT")
        #expect(try FollowedAdviceTests.verify(folder)["verdict"]?.string == "stop")
    }

    @Test("ask for a copy first where every record is about to be deleted")
    func allGoing() throws {
        let folder = try FollowedAdviceTests.folder("healthy", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1")
        let verify = try folder.meterfix("verify", "healthy.sqlite", "--now", FollowedAdviceTests.now).stdout
        #expect(verify.contains("save a copy of this store first, with its -wal"), "\(verify)")
    }
}
