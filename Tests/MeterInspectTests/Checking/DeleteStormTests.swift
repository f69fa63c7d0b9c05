import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("records deleted and made again")
struct DeleteStormTests {
    /// Rows 1 to 12, one meter each; all are in CloudKit.
    static let twelve = StoreFixture(records: meters(1...12, at: 0)).with { $0.mirror = .current }

    /// Records of meters with these numbers.
    /// - Parameter first: the row number before the first.
    private static func meters(_ numbers: ClosedRange<Int64>, at first: Int64) -> [FixtureRecord] {
        numbers.map { number in
            Meters.other(
                first + number, "A4:C1:38:0B:7E:\(number + 10)", "Meter \(number)", inCloudAs: "NAME-\(first + number)")
        }
    }

    private static let time = FixtureClock.now - 7_200.5

    /// A save that deletes the rows 1 to so many and makes so many again, from row 21 on.
    private static func save(
        _ deleted: Int64, _ inserted: Int64, from first: Int64 = 1, at time: Double = time
    ) -> FixtureSave {
        FixtureSave(
            deleting: deleted > 0 ? Array(first..<first + deleted) : [],
            making: inserted > 0 ? meters(first...first + inserted - 1, at: 20) : [], at: time)
    }

    private static func check(
        _ description: String, _ saves: [FixtureSave], readByMirror isRead: Bool = false, then sql: String = "",
        finds rows: [Int64]?, _ words: String...
    ) -> CheckCase {
        CheckCase(
            description, (isRead ? read(saves) : twelve.saved(saves)).damagedFurther(sql),
            finds: rows.map { [$0] } ?? [], words: words)
    }

    /// The store after saves that the mirror has read.
    private static func read(_ saves: [FixtureSave]) -> StoreFixture {
        twelve.with { $0.historyToken = .transaction(12 + Int64(saves.count)) }.saved(saves)
    }

    private static let cases: [CheckCase] = [
        CheckCase("nothing was deleted", twelve, finds: []),
        check(
            "all in one save", [save(12, 12)], finds: Array(21...32),
            "12 records deleted and 12 made again at 2026-11-21T09:59:59.500Z by the app (USB Meter), as the deprecated "
                + "rebuild does; 12 of the deletes are pending for CloudKit → do NOT open the app here"),
        check("three", [save(3, 3)], finds: [21, 22, 23], "3 of the deletes are pending"),
        check("two", [save(2, 2)], finds: nil),
        check("three and two", [save(3, 2)], finds: nil),
        check("two and three", [save(2, 3)], finds: nil),
        check("half as many again", [save(12, 6)], finds: Array(21...26), "12 records deleted and 6 made again"),
        check("fewer than half", [save(11, 5)], finds: nil),
        check("more than before", [save(3, 9)], finds: Array(21...29)),
        check(
            "in two saves", [save(8, 0), save(0, 8, at: time + 35)], finds: Array(21...28),
            "8 records deleted and 8 made again at 2026-11-21T09:59:59.500Z by the app (USB Meter) in two saves"),
        check("first made and then deleted", [save(0, 8), save(8, 0, at: time + 35)], finds: Array(21...28)),
        check("a minute apart", [save(8, 0), save(0, 8, at: time + 60)], finds: Array(21...28)),
        check("more than a minute apart", [save(8, 0), save(0, 8, at: time + 60.5)], finds: nil),
        check("the clock set back between them", [save(8, 0), save(0, 8, at: time - 30)], finds: Array(21...28)),
        check(
            "with another save of these records between them",
            [save(4, 0), save(0, 1, from: 12, at: time + 1), save(0, 4, at: time + 2)], finds: nil),
        check(
            "by two processes",
            [save(8, 0), save(0, 8, at: time + 1).with { $0.process = "MeterWidget" }], finds: nil),
        check(
            "with a save of another process between them",
            [
                save(4, 0), save(0, 1, from: 12, at: time + 1).with { $0.process = "MeterWidget" },
                save(0, 4, at: time + 2),
            ], finds: [21, 22, 23, 24]),
        check("by meterfix", [save(12, 12).with { $0.author = "meterfix" }], finds: nil),
        check(
            "by a reset of the mirror",
            [save(12, 12).with { $0.author = "NSCloudKitMirroringDelegate.reset" }], finds: nil),
        check(
            "by a reset, and downloaded again",
            [
                save(12, 0).with { $0.author = "NSCloudKitMirroringDelegate.reset" },
                save(0, 12, at: time + 20).with { $0.author = FixtureSave.mirrorImport },
            ], finds: nil),
        check(
            "what was made and deleted again is neither",
            [save(0, 3), FixtureSave(deleting: [21, 22, 23], at: time + 1)], finds: nil),
        check(
            "some of what was made deleted again", [save(0, 6), FixtureSave(deleting: [21, 22, 23], at: time + 1)],
            finds: nil),
        check(
            "what was made deleted again, together with others",
            [save(0, 3), FixtureSave(deleting: [1, 2, 3, 21, 22, 23], at: time + 1)], finds: nil),
        check(
            "received", [save(6, 6).with { $0.author = FixtureSave.mirrorImport }], finds: Array(21...26),
            "6 records deleted and 6 made again at 2026-11-21T09:59:59.500Z by CloudKit's import: a delete storm that came "
                + "from another device → ask for the stores"),
        check(
            "received, by the name of the context", [save(6, 6).with { $0.context = FixtureSave.mirrorImport }],
            finds: Array(21...26), "came from another device"),
        check(
            "some of those that were made are gone",
            [save(6, 6), FixtureSave(deleting: [22, 25], at: time + 4_000)], finds: [21, 23, 24, 26]),
        CheckCase(
            "twice",
            twelve.saved([
                save(6, 6), FixtureSave(deleting: [21, 22, 23], making: meters(1...3, at: 40), at: time + 90),
            ]),
            finds: [[24, 25, 26], [41, 42, 43]]),
        check(
            "uploaded", [save(6, 6).with { $0.isUploaded = true }], readByMirror: true, finds: Array(21...26),
            "none of the deletes is pending → nothing is to be stopped any more"),
        check(
            "half uploaded", [save(6, 6)], readByMirror: true,
            then: "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK IN (2, 3); "
                + "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK IN (1, 4, 5, 6)", finds: Array(21...26),
            "2 of the deletes are pending"),
        check(
            "by a history whose changes are in disorder", [save(8, 0), save(0, 8, at: time + 35)],
            then: "UPDATE ACHANGE SET Z_PK = 1000 - Z_PK", finds: Array(21...28)),
        check(
            "changes without their transaction", [save(6, 6)],
            then: "DELETE FROM ATRANSACTION WHERE Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)", finds: nil),
    ]

    @Test("are found:", arguments: CheckCase.of(["delete-storm": cases]))
    func found(_ test: CheckCase) throws { try test.run() }

    @Test("are an error while deletes are pending, and a note afterwards and on other devices")
    func severity() throws {
        func severity(_ fixture: StoreFixture) throws -> Severity? {
            let store = try TestStore(fixture)
            let alerts = try StatusReport.of(store.path, now: TestStore.now).alerts
            let finding = try store.found("delete-storm").first
            #expect((alerts.pendingStorm != nil) == (finding?.severity == .error))
            #expect(alerts.contains { if case .storm = $0 { true } else { false } })
            return finding?.severity
        }
        #expect(try severity(Self.twelve.saved([Self.save(6, 6)])) == .error)
        #expect(try severity(Self.read([Self.save(6, 6).with { $0.isUploaded = true }])) == .note)
        #expect(
            try severity(Self.twelve.saved([Self.save(6, 6).with { $0.author = FixtureSave.mirrorImport }])) == .note)
    }

    @Test("are no loss, whatever became of the new records, so nothing says both")
    func noLoss() throws {
        let gone = Self.twelve.saved(
            [Self.save(12, 12)] + (21...31).map { FixtureSave(deleting: [$0], at: Self.time + 4_000 + Double($0)) })
        let ids = try TestStore(gone).findings()
        #expect(ids.contains("delete-storm") && !ids.contains("mass-delete"))
        // The same without the new ones.
        let lost = try TestStore(Self.twelve.saved([Self.save(11, 0)])).findings()
        #expect(!lost.contains("delete-storm") && lost.contains("mass-delete"))
    }

    @Test("keep a comparison from advising to let both devices sync")
    func comparison() throws {
        let other = try TestStore(Self.twelve.with { $0.records[3].meterName = "Oven" })
        let storm = try TestStore(Self.twelve.saved([Self.save(12, 12)]))
        for (a, b, name) in [(storm, other, "A"), (other, storm, "B")] {
            let next = try ComparisonReport.of(a.path, b.path, now: TestStore.now).steps.map(\.text.description)
            #expect(next.first?.hasPrefix("do NOT open the app on the device of \(name), \(storm.path)") == true)
            #expect(next.contains { $0.contains("`meterfix meters \(other.path)`") })
            #expect(next.contains { $0.contains("`meterfix import-kv NAMES.json \(storm.path)`") })
            #expect(!next.contains { $0.contains("leave the app open") || $0.contains("sync first") })
        }
    }

    @Test("are said before anything else, also before that meters vanished or that a file is missing")
    func first() throws {
        let store = try TestStore(Self.twelve.saved([Self.save(6, 6)]))
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        let alerts = try StatusReport.of(store.path, now: TestStore.now).alerts
        #expect(alerts.pendingStorm.map(StoreAlert.storm) == alerts.first && alerts.count == 2)
        let uploaded = try TestStore(Self.twelve.saved([Self.save(6, 6).with { $0.author = FixtureSave.mirrorImport }]))
        try FileManager.default.removeItem(atPath: uploaded.path + "-wal")
        #expect(try StatusReport.of(uploaded.path, now: TestStore.now).alerts.last?.isStorm == true)
    }

    @Test("can be met in the ways that the check names, none of which needs the app")
    func waysOut() throws {
        let before = try TestStore(Self.twelve)
        let storm = try TestStore(
            Self.twelve.saved([
                FixtureSave(
                    deleting: Array(1...12),
                    making: Self.meters(1...12, at: 20).map { $0.with { $0.meterName = nil } }, at: Self.time)
            ]))
        // Another device still has the names, and this one's files may have them too.
        let report = try ComparisonReport.of(before.path, storm.path, now: TestStore.now)
        #expect(report.meters.count == 12)
        // What meterfix did not do it does not take back.
        var undo = ChangeOptions(now: TestStore.now)
        undo.isDryRun = true
        #expect(try Undo.run(storm.path, redoes: false, options: undo).outcome == .unchanged)
        // An old dump has the names.
        let names = (1...12).map {
            DumpEntry(dictionary: .meterNames, key: "A4:C1:38:0B:7E:\($0 + 10)", value: .text("Meter \($0)"))
        }
        let imported = try storm.change(
            ImportPlanner(LegacyValues(names), sha256: String(repeating: "0", count: 64), policy: .keep))
        #expect(imported.summary.updated == 12)
        #expect(imported.alerts.pendingStorm != nil)
        #expect(try MeterList.of(storm.path, now: TestStore.now).meters.allSatisfy { $0.name != nil })
    }
}

extension StoreAlert {
    fileprivate var isStorm: Bool { if case .storm = self { true } else { false } }
}
