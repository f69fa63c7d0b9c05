import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

@Suite("a plan that is applied")
struct PlanApplicationTests {
    private static func fixture(seed: UInt64) -> StoreFixture {
        StoreFixture(records: RandomStores.records(seed: seed, meters: 5)).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: $0.records.count)
            $0.lockEncoding = [.flat, .both, .blob][Int(seed % 3)]
            $0.journalMode = seed % 2 == 0 ? .wal : .delete
            $0.logPlacement = seed % 4 == 0 ? .rowsInLogOnly : .checkpointed
            $0.history = seed % 5 == 0 ? .withoutStrings : .current
            $0.marker = seed % 2 == 0 ? nil : 3
        }
    }

    private func expectSame(_ planner: some Planner, seed: UInt64) throws -> Report.Outcome? {
        let direct = try TestStore(Self.fixture(seed: seed))
        let done = try ChangeRun.run(planner, on: direct.path, options: PlanBench.options)
        let bench = try PlanBench(Self.fixture(seed: seed))
        let before = try bench.store.snapshot()
        let planned = try bench.plan(planner)
        #expect(planned.plan == done.plan, "seed \(seed)")
        let names = try bench.store.snapshot().names
        #expect(Set(names) == Set(before.names).union(["plan.jsonl"]), "seed \(seed)")
        let applied = try bench.apply()
        #expect(applied.outcome == done.outcome && applied.command == "apply", "seed \(seed)")
        #expect(applied.plan == done.plan && applied.findings.all.count == done.findings.all.count, "seed \(seed)")
        #expect(try bench.store.text() == direct.text(), "seed \(seed)")
        return applied.outcome
    }

    @Test("is not left in a file that would not be read back as it is")
    func notLeft() throws {
        struct Stuttering: Planner {
            let command = WritingCommand.rebuild
            let options = [PlanOption.inUse, .inUse]

            func evidence(
                in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
            ) throws -> RebuildPlanner.Evidence {
                try PlanBench.rebuilding.evidence(in: store, settings, source)
            }

            func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: RebuildPlanner.Evidence)
                -> Plan
            {
                PlanBench.rebuilding.plan(for: store, settings, by: evidence)
            }
        }
        let bench = try PlanBench(PlanBench.fixture)
        let before = try bench.store.snapshot()
        let error = #expect(throws: StoreError.self) { try bench.plan(Stuttering()) }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.path == bench.file)
        #expect(try bench.store.snapshot().hasSameBytes(as: before))
    }

    @Test("leaves what the rebuild would have left")
    func leavesRebuild() throws {
        var applied = 0
        for seed in UInt64(1)...12 {
            let policy: WinnerPolicy = seed % 2 == 0 ? .newest : .mostComplete
            if try expectSame(RebuildPlanner(policy: policy), seed: seed) == .applied { applied += 1 }
        }
        #expect(applied > 8)
    }

    @Test("leaves what the import would have left", arguments: ImportConflictPolicy.allCases)
    func leavesImport(policy: ImportConflictPolicy) throws {
        for seed in UInt64(1)...4 {
            var names = ["0A:1B:2C:3D:4E:5F": "Wohnmobil"]
            for record in RandomStores.records(seed: seed, meters: 5) where record.row % 2 == 0 {
                if let address = record.macAddress { names[address] = "Name \(record.row)" }
            }
            let planner = ImportPlanner(
                ImportBench.values(names: names), sha256: String(repeating: "5a", count: 32), policy: policy)
            #expect(try expectSame(planner, seed: seed) == .applied)
        }
    }

    @Test("is kept in a file of the user's alone, and never over another one")
    func keptFile() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bytes = try FileBytes.read(bench.file)
        let error = #expect(throws: StoreError.self) { try bench.plan(PlanBench.rebuilding) }
        #expect(error?.kind == .cannotCreate && error?.message == "this file exists already")
        #expect(try FileBytes.read(bench.file) == bytes)
    }

    @Test("makes a backup, and a dry run when asked to")
    func makesBackup() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        let before = try bench.store.snapshot()
        let planned = try bench.apply { $0.isDryRun = true }
        #expect(planned.outcome == .planned)
        #expect(try bench.store.snapshot() == before)
        let report = try bench.apply { $0.makesBackup = true }
        #expect(report.outcome == .applied)
        #expect(report.backup?.hasSuffix("-apply") == true)
    }

    @Test("without changes does nothing, on a store that is as it was")
    func withoutChanges() throws {
        let bench = try PlanBench(StoreFixture(records: [Meters.healthy]))
        #expect(try bench.plan(PlanBench.rebuilding).outcome == .unchanged)
        #expect(try bench.apply().outcome == .unchanged)
        try bench.store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x'")
        #expect(try bench.apply().staleness?.isApplied == false)
    }

    // MARK: - Stores that moved on

    @Test(
        "is refused by a store that moved on:",
        arguments: [
            ("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 7", ["ZDEVICESETTINGS"], ["7 meterName"]),
            ("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 3", ["ZDEVICESETTINGS"], ["3 meterName"]),
            ("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 5", ["ZDEVICESETTINGS"], []),
            ("UPDATE ZDEVICESETTINGS SET Z_OPT = 9 WHERE Z_PK = 7", ["ZDEVICESETTINGS"], []),
            ("DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 3", ["ZDEVICESETTINGS"], ["3 gone"]),
            ("INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) VALUES (8, 2, 1)", ["ZDEVICESETTINGS"], []),
            ("UPDATE ZBOOKMARK SET ZTITLE = 'b'", ["ZBOOKMARK"], []),
            ("UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1", ["ANSCKRECORDMETADATA"], []),
            ("INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (900, 16002)", ["ATRANSACTION"], []),
            ("UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'DeviceSettings'", ["Z_PRIMARYKEY"], []),
            ("UPDATE Z_METADATA SET Z_UUID = 'X'", ["Z_METADATA"], []),
            ("CREATE TABLE ZNEW (a)", ["ZNEW"], []), ("CREATE INDEX fast ON ZDEVICESETTINGS (ZMACADDRESS)", [], []),
            ("DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX", [], []), ("DROP TABLE Z_MODELCACHE", ["Z_MODELCACHE"], []),
        ] as [(String, [String], [String])])
    func stale(sql: String, tables: [String], rows: [String]) throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        try bench.store.execute(sql)
        let before = try bench.store.snapshot()
        for force in [false, true] {
            let report = try bench.apply { $0.force = force }
            #expect(report.outcome == .stale && report.plan == nil)
            let staleness = try #require(report.staleness)
            #expect(!staleness.isApplied)
            #expect(staleness.tables.map(\.name) == tables)
            #expect(
                staleness.rows.map { row in
                    switch row.change {
                    case .gone: "\(row.row) gone"
                    case .new: "\(row.row) new"
                    case .field(let delta): "\(row.row) \(delta.field.name)"
                    }
                } == rows)
            #expect((staleness.identity != nil) == sql.contains("Z_UUID"))
            #expect(staleness.statementsGone.isEmpty == !sql.hasPrefix("DROP"))
            #expect(staleness.statementsNew.isEmpty == !sql.hasPrefix("CREATE"))
        }
        #expect(try bench.store.snapshot().hasSameBytes(as: before))
    }

    @Test("is refused by a store that took its new record's number")
    func refusedStore() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.importing)
        try bench.store.execute("INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) VALUES (8, 2, 1)")
        #expect(try bench.apply().staleness?.rows == [Staleness.Row(8, .new)])
    }

    @Test("is accepted by a store of other bytes and the same contents")
    func acceptedStore() throws {
        for log in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let bench = try PlanBench(PlanBench.fixture.with { $0.logPlacement = log })
            try bench.plan(PlanBench.rebuilding)
            let before = try FileBytes.read(bench.store.path)
            try bench.store.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = DELETE; VACUUM;")
            #expect(try FileBytes.read(bench.store.path) != before)
            #expect(try bench.apply().outcome == .applied)
        }
    }

    @Test("was not applied where the store has lost the mark of it")
    func unmarked() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        let before = try StoreText.read(bench.store.path) { database in
            try String.fetchOne(database, sql: "SELECT quote(Z_PLIST) FROM Z_METADATA")
        }
        let unmarked = try #require(before)
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.apply().staleness?.isApplied == true)
        try bench.store.execute("UPDATE Z_METADATA SET Z_PLIST = \(unmarked)")
        #expect(try bench.apply().staleness?.isApplied == false)
    }

    @Test("is refused the second time, for it was applied already")
    func refusedSecond() throws {
        for planner in [PlanBench.rebuilding, PlanBench.importing] as [any Planner] {
            let bench = try PlanBench(PlanBench.fixture)
            try bench.plan(planner)
            #expect(try bench.apply().outcome == .applied)
            let before = try bench.store.snapshot()
            #expect(try bench.apply().staleness?.isApplied == true)
            #expect(try bench.store.snapshot().hasSameBytes(as: before))
            // One of its changes taken back, and it is just a store that moved on.
            try bench.store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Other'")
            #expect(try bench.apply().staleness?.isApplied == false)
        }
    }
}
