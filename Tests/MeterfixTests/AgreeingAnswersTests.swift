import CoreDataStore
import GRDB
import JSON
import MeterStore
import MeterTestSupport
import Testing

/// What one answer says of a store, and another one said otherwise.
@Suite("answers about one store")
struct AgreeingAnswersTests {
    private static let now = "2026-11-21T12:00:00Z"

    private static func folder(_ sample: String = "healthy", _ sql: String) throws -> ScratchFolder {
        try FollowedAdviceTests.folder(sample, sql)
    }

    private static func answer(
        _ folder: ScratchFolder, _ command: String, _ sample: String = "healthy", _ options: String...
    ) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: [command] + options + ["\(sample).sqlite", "--now", now])
    }

    private static func withoutMirror(_ folder: ScratchFolder, _ sample: String) throws {
        let tables = try StoreText.read(folder.path + "/\(sample).sqlite") { database in
            try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ANSCK%'")
        }
        let drops = tables.map { "DROP TABLE \($0)" }.joined(separator: ";\n")
        try folder.execute("\(drops); DELETE FROM Z_PRIMARYKEY WHERE Z_NAME LIKE 'NSCK%'", in: "\(sample).sqlite")
    }

    @Test("do not take a store whose mirror's tables were dropped for one that was never in iCloud")
    func droppedMirror() throws {
        let folder = try ScratchFolder(sample: "two-devices-pad")
        try Self.withoutMirror(folder, "two-devices-pad")
        let verify = try Self.answer(folder, "verify", "two-devices-pad")
        #expect(verify.code == 1 && verify.stdout.contains("table-missing") && !verify.stdout.contains("not-mirrored"))
        let sync = try Self.answer(folder, "sync", "two-devices-pad")
        #expect(!sync.stdout.contains("ever been sent") && sync.stdout.contains("uploads every record again"))
        let delete = try Self.answer(folder, "delete", "two-devices-pad", "--row", "2", "--force")
        #expect(delete.code == 4 && delete.stderr.contains("mirror are missing"), "\(delete.stderr)")
        // Nothing in the history of this one is the mirror's.
        let never = try ScratchFolder(sample: "healthy")
        try Self.withoutMirror(never, "healthy")
        #expect(try Self.answer(never, "verify").stdout.contains("not-mirrored"))
    }

    @Test("do not call records new that CloudKit has, where the mirror lost its place")
    func lostToken() throws {
        let folder = try Self.folder("healthy", "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY LIKE '%LastHistoryToken%'")
        let verify = try Self.answer(folder, "verify").stdout
        #expect(verify.contains("mirror-token-lost") && verify.contains("(again)"))
        #expect(!verify.contains("(new)") && !verify.contains("more than a day"))
        let sync = try Self.answer(folder, "sync").stdout
        #expect(sync.contains("uploaded again") && !sync.contains("new record"))
    }

    @Test("say that all records are gone, where CloudKit has them")
    func gone() throws {
        let folder = try Self.folder("healthy", "DELETE FROM ZDEVICESETTINGS")
        #expect(try Self.answer(folder, "status").stdout.contains("every record is gone here"))
        #expect(try Self.answer(folder, "sync").stdout.contains("0 records, and 5 that are gone here"))
    }

    @Test("offer the repair of damaged indexes in the letter, too")
    func indexes() throws {
        let folder = try ScratchFolder(sample: "check-index-damaged")
        let letter = try FollowedAdviceTests.letter(folder, "check-index-damaged")
        #expect(letter.contains("We can repair this") && !letter.contains("cannot be repaired"), "\(letter)")
    }

    @Test("do not say that nothing was changed of a store that meterfix has changed")
    func changed() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        #expect(try Self.answer(folder, "rebuild", "duplicates", "--quiet").code == 0)
        #expect(try Self.answer(folder, "restore-record", "duplicates", "Bench UM34C").code == 0)
        let letter = try FollowedAdviceTests.letter(folder, "duplicates")
        #expect(!letter.contains("Nothing has been changed yet"), "\(letter)")
    }

    @Test("do not advise to open a store with a model that takes records from it")
    func otherModel() throws {
        let folder = try ScratchFolder(samples: "healthy", "other-app")
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Kitchen" representedClassName="Kitchen" syncable="YES">
                    <attribute name="name" optional="YES" attributeType="String"/>
                </entity>
            </model>
            """, to: "contents")
        let verify = try folder.meterfix("verify", "--model", "contents", "healthy.sqlite", "--now", Self.now)
        #expect(verify.stdout.contains("do not open the store with the app of this model"), "\(verify)")
        #expect(!verify.stdout.contains("it migrates the store itself"))
    }

    /// The app's model as Xcode writes it.
    /// - Parameters:
    ///   - name: without which attribute.
    ///   - added: as Xcode writes them, in its place.
    private static func model(without name: String = "", _ added: String) -> String {
        let kept = USBMeterModel.v2.entities[0].attributes.filter { $0.name != name }.map {
            "<attribute name=\"\($0.name)\" optional=\"YES\" attributeType=\"\($0.typeName)\"/>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="DeviceSettings" representedClassName="DeviceSettings" syncable="YES">
                    \(kept.joined(separator: "\n"))
                    \(added)
                </entity>
            </model>
            """
    }

    /// What `verify` and `migrate` say of a store that is not mirrored.
    private static func answers(to model: String) throws -> (verify: String, migrate: String) {
        let folder = try ScratchFolder(sample: "check-not-mirrored")
        try folder.write(model, to: "contents")
        let words = ["--model", "contents", "check-not-mirrored.sqlite", "--now", now]
        let verify = try MeterfixProcess.run(["verify"] + words, in: folder.path, environment: [:])
        let migrate = try MeterfixProcess.run(["migrate", "--dry-run"] + words, in: folder.path, environment: [:])
        return (verify.stdout, migrate.stderr)
    }

    @Test("take what a model renames for no loss")
    func renamed() throws {
        let title = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\" elementID=\"meterName\"/>"
        let (verify, migrate) = try Self.answers(to: Self.model(without: "meterName", title))
        #expect(verify.contains("title: property renamed from meterName"), "\(verify)")
        #expect(verify.contains("it migrates the store itself") && migrate.contains("only Core Data renames"))
    }

    @Test("do not call a model the store's of which the version hash cannot be computed, and that has something else")
    func composite() throws {
        let composite = """
            <attribute name="place" optional="YES" attributeType="Composite" compositeElementName="Place"/>
            """
        let (verify, _) = try Self.answers(to: Self.model(without: "modelType", composite))
        #expect(!verify.contains("the store matches the model"), "\(verify)")
        #expect(verify.contains("modelType: attribute removed"))
    }

    @Test("do not send anybody to an app that cannot open the store")
    func required() throws {
        let (verify, migrate) = try Self.answers(to: Self.model("<attribute name=\"shelf\" attributeType=\"String\"/>"))
        #expect(verify.contains("give DeviceSettings.shelf a default value"), "\(verify)")
        #expect(!verify.contains("it migrates the store itself") && migrate.contains("give DeviceSettings.shelf"))
    }

    @Test("add no relationship that every record would need and none has")
    func requiredRelationship() throws {
        let next = "<relationship name=\"next\" maxCount=\"1\" destinationEntity=\"DeviceSettings\"/>"
        let migrate = try Self.answers(to: Self.model(next)).migrate
        #expect(migrate.contains("would lead to none, and could not be saved"), "\(migrate)")
    }

    @Test("say what a rebuild fixes, and take no choice for one that is left out")
    func leftOut() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for id in ["mac-not-canonical", "rebuild-marker-lies"] {
            let fix = try Self.answer(folder, "fix", "duplicates", "--all", "--except-check", id)
            #expect(fix.code == 64 && fix.stderr.contains("is fixed by the rebuild"), "\(fix.stderr)")
        }
        let fix = try Self.answer(
            folder, "fix", "duplicates", "--all", "--except-check", "duplicate-mac", "--keep", "A4:C1:38:5D:02:9F=Bench"
        )
        #expect(fix.code == 64 && fix.stderr.contains("leaves out"), "\(fix.stderr)")
        let log = try Self.answer(folder, "log", "duplicates", "--since", "2026-11-20", "--until", "2026-11-10")
        #expect(log.code == 64 && log.stderr.contains("is not after --since"), "\(log.stderr)")
    }

    @Test("name the values that a refused address would leave behind, with the commands that keep them")
    func takenAddress() throws {
        let folder = try Self.folder("healthy", "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = 'UM34C' WHERE Z_PK = 2")
        let set = try Self.answer(folder, "set", "healthy", "--row", "2", "--address", "A4:C1:38:0B:7E:21")
        #expect(set.code == 4 && set.stderr.contains("set A4:C1:38:0B:7E:21 --name 'Bench UM34C'"), "\(set.stderr)")
    }

    private static let renumbered =
        "UPDATE ZDEVICESETTINGS SET Z_PK = Z_PK + 100; "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 105 WHERE Z_NAME = 'DeviceSettings'"

    private static let deletedByTheApp =
        """
        DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 4; DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 4;
        INSERT INTO ACHANGE VALUES (6, 16001, NULL, 2, 1, 4, 5, NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'CHANGE'
        """

    @Test(
        "advise no delete in iCloud of what may be here, may be the last copy, or may still come down",
        arguments: [
            ("healthy", "\(renumbered); DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY LIKE '%LastHistoryToken%'"),
            ("healthy", "\(renumbered); UPDATE ZDEVICESETTINGS SET Z_ENT = 7"),
            ("healthy", "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 99 WHERE Z_PK = 2"),
            // The number of a record that the app has deleted is given out again.
            ("healthy", "\(deletedByTheApp); UPDATE ZDEVICESETTINGS SET Z_PK = 4 WHERE Z_PK = 5"),
            ("healthy", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK < 5"),
            ("check-mirror-not-downloaded", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 1"),
        ])
    func orphans(_ sample: String, _ sql: String) throws {
        try Self.expectNoDelete(in: Self.folder(sample, sql), sample)
    }

    @Test("advise no delete in iCloud where the log shows that each record got another one's row number")
    func movedInLog() throws {
        let folder = try Self.withLog(
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 1; UPDATE ZDEVICESETTINGS SET Z_PK = Z_PK - 1")
        try Self.expectNoDelete(in: folder, "healthy")
    }

    /// A copy of the sample `healthy` that another tool has changed, with the change in its log.
    static func withLog(_ sql: String, in sample: String = "healthy") throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: sample)
        let path = folder.path + "/\(sample).sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0; \(sql)") }
        // Closing it would fold the log in.
        let copy = try ScratchFolder(sample: sample)
        for end in ["", "-wal"] {
            try FileBytes.write(FileBytes.read(path + end), to: copy.path + "/\(sample).sqlite" + end)
        }
        try queue.close()
        return copy
    }

    private static func expectNoDelete(in folder: ScratchFolder, _ sample: String) throws {
        let verify = try Self.answer(folder, "verify", sample, "--json").json
        #expect(FollowedAdviceTests.findings(verify).contains("mirror-orphan"))
        #expect(!FollowedAdviceTests.commands(verify).contains { $0.contains("mirror-orphan") })
        let fix = try folder.meterfix("fix", "mirror-orphan", "\(sample).sqlite", "--now", Self.now)
        #expect(fix.code == 4, "\(fix)")
    }

    @Test("ask for the name of a record that is about to be deleted before anything that deletes it")
    func namesFirst() throws {
        let folder = try Self.folder(
            "two-devices-pad", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSLOCALDELETE = 1 WHERE ZENTITYPK = 1")
        let verify = try Self.answer(folder, "verify", "two-devices-pad", "--json").json
        let steps = (verify["steps"]?.elements ?? []).compactMap { $0["text"]?.string }
        #expect(steps.first?.hasPrefix("note the names and units") == true, "\(steps)")
        let show = try Self.answer(folder, "show", "two-devices-pad", "--row", "1").stdout
        #expect(show.contains("about to be deleted here"), "\(show)")
    }

    @Test("promise no repair while the deletes of a delete storm are pending, nor without the newest changes")
    func heldBack() throws {
        let storm = try Self.folder(
            "check-delete-storm", "UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F' WHERE ZMODELTYPE = 'TC66C'")
        #expect(try !FollowedAdviceTests.letter(storm, "check-delete-storm").contains("We can repair this"))
        let verify = try Self.answer(storm, "verify", "check-delete-storm", "--json").json
        #expect(FollowedAdviceTests.commands(verify).isEmpty)
        let alone = try Self.folder("duplicates", "SELECT 1")
        try alone.remove("duplicates.sqlite-wal")
        let show = try Self.answer(alone, "show", "duplicates", "Bench UM34C").stdout
        #expect(!show.contains("→ meterfix") && show.contains("-wal"), "\(show)")
    }

    @Test("name no command that a trigger of another tool refuses")
    func triggers() throws {
        let trigger = "CREATE TRIGGER kept AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END"
        let locked = try Self.folder("lock-stuck", trigger)
        let locks = try locked.meterfix("meters", "--locked", "lock-stuck.sqlite", "--now", Self.now).stdout
        #expect(locks.contains("fix --all") && !locks.contains("meterfix unlock"), "\(locks)")
    }
}
