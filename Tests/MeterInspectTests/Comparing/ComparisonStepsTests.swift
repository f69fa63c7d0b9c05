import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// Two stores of which meterfix has changed one or both.
@Suite("steps of a comparison after a repair")
struct ComparisonStepsTests {
    private static let fixture = StoreFixture(
        records: [(1, "7E:66"), (2, "7E:66"), (3, "7E:67")].map { (row: Int64, end: String) in
            Meters.other(row, "A4:C1:38:0B:" + end, "Meter \(row)", inCloudAs: "NAME-\(row)")
        }
    ).with { $0.mirror = .current }

    private static func steps(_ a: TestStore, _ b: TestStore) throws -> [Step] {
        try ComparisonReport.of(a.path, b.path, now: TestStore.now).steps
    }

    /// A store of another device, with a repair that has deleted `row`.
    private static func other(withoutRow row: Int64? = nil) throws -> TestStore {
        let store = try TestStore(fixture.with { $0.storeUUID = FixtureUUID(9).text })
        if let row { try store.change(DeletePlanner(row: row, force: true)) { $0.makesBackup = true } }
        return store
    }

    @Test("take one of two repairs back where each deletes the other one's record, before anybody opens the app")
    func bothDeleted() throws {
        let (store, other) = (try TestStore(Self.fixture), try Self.other(withoutRow: 1))
        try store.change(DeletePlanner(row: 2, force: true))
        let steps = try Self.steps(store, other)
        #expect(steps.first?.kind == .stop)
        #expect(steps.compactMap(\.command?.description) == ["meterfix undo --dry-run \(other.path)"])
        #expect(try other.undo().outcome == .applied)
        let left = try Self.steps(store, other)
        #expect(
            !left.contains { $0.kind == .stop } && left.map(\.kind).suffix(2) == [.openHereFirst, .thenOthers],
            "\(left)")
    }

    @Test("name no undo that is refused")
    func withoutBackup() throws {
        let (store, other) = (try TestStore(Self.fixture), try Self.other())
        try store.change(DeletePlanner(row: 2, force: true))
        try other.change(DeletePlanner(row: 1, force: true))
        let steps = try Self.steps(store, other)
        #expect(steps.map(\.kind) == [.stop, .ask] && steps.allSatisfy { $0.command == nil }, "\(steps)")
    }

    @Test("let the repaired device upload first, alone, also where the other one has something to upload")
    func unsentBesideRepair() throws {
        let other = try TestStore(
            Self.fixture.with {
                $0.storeUUID = FixtureUUID(9).text
                $0.records.removeAll { $0.row == 2 }
            })
        try other.change(SetPlanner(.row(1), name: nil, unit: .celsius))
        let store = try TestStore(Self.fixture)
        try store.change(DeletePlanner(row: 2, force: true))
        let steps = try Self.steps(store, other)
        #expect(steps.prefix(2).map(\.kind) == [.openHereFirst, .thenOthers], "\(steps)")
        #expect(steps.first?.text.description.contains(store.path) == true)
    }

    @Test("save what the deletes of a repair would take away before it is given back")
    func unsentUnit() throws {
        let (store, other) = (try TestStore(Self.fixture), try Self.other())
        try other.execute("UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'celsius' WHERE Z_PK = 2")
        try store.change(DeletePlanner(row: 2, force: true))
        let steps = try Self.steps(store, other)
        #expect(steps.map(\.kind) == [.ask, .run, .openHereFirst, .thenOthers], "\(steps)")
        let commands = steps.compactMap(\.command?.description)
        #expect(commands.contains { $0.hasPrefix("meterfix set --dry-run A4:C1:38:0B:7E:66 --unit celsius ") })
        #expect(commands.allSatisfy { $0.hasSuffix(store.path) })
    }

    @Test(
        "give no copy back that was repaired while the store went on, whichever side it is", arguments: [true, false])
    func repairedBeside(isFirst: Bool) throws {
        let (repaired, store) = (try TestStore(Self.fixture), try TestStore(Self.fixture))
        try repaired.change(WholeRepair())
        try store.execute(
            """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
                SELECT MAX(Z_PK) + 1, Z_ENT, 1, MAX(ZTIMESTAMP) + 60 FROM ATRANSACTION;
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                SELECT MAX(Z_PK) + 1, Z_ENT, 1, ZENTITY, 3, MAX(ZTRANSACTIONID) + 1 FROM ACHANGE;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Workshop' WHERE Z_PK = 3;
            UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME IN ('CHANGE', 'TRANSACTION')
            """)
        let sides = isFirst ? [repaired, store] : [store, repaired]
        let report = try ComparisonReport.of(sides[0].path, sides[1].path, now: TestStore.now)
        let copies = try #require(report.copies)
        #expect(copies.older == (isFirst ? .a : .b) && copies.isChangedByMeterfix && !report.forecasts)
        #expect(report.steps.first?.kind == .stop)
        #expect(report.steps.first?.text.description.contains("do NOT put \(repaired.path)") == true)
        #expect(report.steps.compactMap(\.command?.description) == ["meterfix verify \(store.path)"])
    }
}
