import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// What holds for the commands on any store. A failure names its seed.
@Suite("the commands on any store")
struct CommandLawTests {
    private static let seeds = LawSeeds.first(6)

    private static func fixture(_ seed: UInt64, _ model: USBMeterModel.Version = .v2) -> StoreFixture {
        var records = RandomStores.records(seed: seed, meters: 5)
        if model == .v1 {
            // Its index lets no two records have one text.
            var texts: Set<String> = []
            records = records.filter { record in record.macAddress.map { texts.insert($0).inserted } ?? false }
        }
        return StoreFixture(model, records: records).with {
            $0.mirror = model == .v1 || seed % 3 == 0 ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
            $0.journalMode = seed % 2 == 0 ? .wal : .delete
            $0.logPlacement = seed % 4 == 0 ? .rowsInLogOnly : .checkpointed
        }
    }

    @Test("a dry run tells what the run does, and leaves every file as it was", arguments: seeds)
    func dryRun(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed))
        let planned = try store.looking { try store.rebuild { $0.isDryRun = true } }
        let done = try store.rebuild()
        #expect(planned.plan == done.plan)
        #expect(planned.findings == done.findings)
        #expect(planned.summary == done.summary)
    }

    @Test("undo brings back every byte that a command changed, and redo what it made", arguments: seeds)
    func undone(seed: UInt64) throws {
        for step in ["first aid", "rebuild", "import", "migrate"] {
            let store = try TestStore(Self.fixture(seed, step == "migrate" ? .v1 : .v2))
            let before = try store.files()
            let report = try change(store, by: step)
            guard report.outcome == .applied else {
                #expect(try store.files() == before, "\(step)")
                continue
            }
            let after = try store.text()
            #expect(try store.undo().outcome == .applied)
            #expect(try TestStore.withoutCounters(store.files()) == TestStore.withoutCounters(before), "\(step)")
            #expect(try store.undo(redoes: true).outcome == .applied)
            #expect(try store.text() == after, "\(step)")
        }
    }

    @Test("done once more changes nothing", arguments: seeds)
    func repeated(seed: UInt64) throws {
        for step in ["first aid", "rebuild", "import", "migrate"] {
            let store = try TestStore(Self.fixture(seed, step == "migrate" ? .v1 : .v2))
            try change(store, by: step)
            let done = try store.text()
            #expect(try change(store, by: step).outcome == .unchanged, "\(step)")
            #expect(try store.text() == done, "\(step)")
        }
    }

    @Test("a rebuild gives up what its conflicts say and nothing else, and leaves all others alone", arguments: seeds)
    func discarded(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed))
        let report = try store.rebuild()
        let plan = report.plan
        var dropped: Set<[String]> = []
        for conflict in plan.conflicts {
            for value in conflict.dropped.map(\.value) {
                dropped.insert(["\(conflict.address)", conflict.field.name, "\(value)", "\(conflict.kept)"])
            }
        }
        let given = plan.discarded.map { ["\($0.address)", $0.field.name, "\($0.value)", "\($0.kept)"] }
        #expect(Set(given) == dropped)
        #expect(given.count == dropped.count)
        guard let untouched = report.untouched else {
            #expect(report.outcome == .unchanged)
            return
        }
        let written = Set(plan.meters.filter { !$0.records.isEmpty }.compactMap(\.address))
        let texts = try store.column("ZMACADDRESS").map { $0.drop { $0 != "'" }.dropFirst().dropLast() }
        let all = Set(texts.compactMap { MACAddress.parse(String($0))?.address })
        #expect(untouched.meters == all.subtracting(written).filter { !$0.isPlaceholder }.count)
    }

    @Test("a migration and a rebuild come to the same rows, whichever is first", arguments: seeds)
    func migratedAndRebuilt(seed: UInt64) throws {
        let one = try TestStore(Self.fixture(seed, .v1))
        try one.migrate()
        try one.rebuild()
        let other = try TestStore(Self.fixture(seed, .v1))
        try other.rebuild()
        try other.migrate()
        for table in ["ZDEVICESETTINGS", "Z_PRIMARYKEY"] {
            #expect(try rows(of: table, one) == rows(of: table, other), "\(table)")
        }
        // With the constraint of v1 deletions come first, so that the changes have other numbers.
        #expect(
            try rows(of: "ACHANGE", without: "Z_PK", one).sorted()
                == rows(of: "ACHANGE", without: "Z_PK", other).sorted())
        #expect(try one.findings() == other.findings())
    }

    @Test("verify finds nothing after a rebuild that a rebuild would mend", arguments: seeds)
    func verified(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed))
        let before = try store.findings()
        try store.rebuild()
        let findings = try store.found()
        #expect(findings.filter { $0.cure.command?.name == "rebuild" } == [])
        // What is left was there before, but for what waits for the cloud.
        #expect(Set(findings.map(\.id)).subtracting(before).subtracting(["mirror-pending"]) == [])
    }

    @discardableResult
    private func change(_ store: TestStore, by step: String) throws -> ChangeReport {
        var options = ChangeOptions(now: TestStore.now)
        switch step {
        case "first aid": return try ChangeRun.run(FirstAidPlanner(), on: store.path, options: options)
        case "rebuild":
            return try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: store.path, options: options)
        case "migrate": return try ChangeRun.run(MigrationPlanner(), on: store.path, options: options)
        default:
            options.force = true
            let values = LegacyValues([
                DumpEntry(dictionary: .meterNames, key: "A4:C1:38:00:00:01", value: .text("Attic")),
                DumpEntry(dictionary: .temperatureUnits, key: "A4:C1:38:00:00:02", value: .text("celsius")),
            ])
            let planner = ImportPlanner(values, sha256: String(repeating: "0", count: 64), policy: .keep)
            return try LegacyImport.run(planner, on: store.path, creates: false, options: options)
        }
    }

    private func rows(of table: String, without hidden: String = "", _ store: TestStore) throws -> [String] {
        try StoreText.read(store.path) { database in
            let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')")
            let values = columns.filter { $0 != hidden }.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
            return try String.fetchAll(database, sql: "SELECT \(values) FROM \(table) ORDER BY rowid")
        }
    }
}
