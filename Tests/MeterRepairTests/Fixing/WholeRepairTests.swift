import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the whole repair")
struct WholeRepairTests {
    /// Of schema v1: two spellings of one address with a conflict, a lock that expired on the one that stays, a unit that is
    /// understood, no id, and numbers that are wrong.
    static let ruined: StoreFixture = {
        let respelled = Meters.pair[1].with {
            $0.macAddress = Meters.address.lowercased()
            $0.meterName = "Another name"
        }
        let locked = Meters.pair[0].locked(by: .bogdansMac, at: FixtureClock.now - FixtureClock.hour - 120)
        let odd = Meters.healthy.with { $0.tc66TemperatureUnit = "F" }
        let nameless = Meters.healthy.with {
            $0.row = 10
            $0.macAddress = "A4:C1:38:0B:7E:0A"
            $0.id = nil
        }
        return StoreFixture(.v1, records: [locked, respelled, odd, nameless]).with {
            $0.mirror = .current
            $0.marker = nil
        }.damaged(
            """
            UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 10;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'DeviceSettings'
            """)
    }()

    @Test("drops the triggers and unique indexes of another tool before anything else, and one undo brings them back")
    func foreign() throws {
        let hostile = Self.ruined.damagedFurther(
            """
            CREATE UNIQUE INDEX one_per_meter ON ZDEVICESETTINGS (upper(ZMETERNAME), ZID);
            CREATE TRIGGER keep BEFORE DELETE ON ZDEVICESETTINGS BEGIN SELECT RAISE(IGNORE); END;
            CREATE TRIGGER spoil AFTER UPDATE ON Z_PRIMARYKEY BEGIN UPDATE Z_PRIMARYKEY SET Z_MAX = 0; END;
            CREATE TRIGGER swallow BEFORE INSERT ON ACHANGE BEGIN SELECT RAISE(IGNORE); END
            """)
        let store = try TestStore(hostile)
        let before = try store.files()
        let refusal = try store.refusal { try store.fix(FixPlanner([.lockExpired])) }
        #expect(refusal.kind == .unsuitable && refusal.hint?.contains("meterfix fix foreign-trigger") == true)
        let some = WholeRepair(.only([MACAddress(bits: 1)]))
        #expect(try store.refusal { try store.fix(some) }.kind == .unsuitable)
        let report = try store.fix(WholeRepair()) { $0.makesBackup = true }
        #expect(report.outcome == .applied && report.schemaVersion == 2)
        let plain = try TestStore(Self.ruined)
        try plain.fix(WholeRepair())
        #expect(try store.cells() == plain.cells() && store.text().statements == plain.text().statements)
        #expect(try store.fix(WholeRepair()).outcome == .unchanged)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("drops triggers of Core Data whose table is gone, and makes a store of them in which the app can save")
    func brokenTriggers() throws {
        let plain = StoreFixture(records: SampleRecords.household)
        let store = try TestStore(plain.damaged(StoreFixture.fullTextTriggers))
        let refusal = try store.refusal { try store.fix(FixPlanner([.lockExpired])) }
        #expect(
            refusal.kind == .unsuitable && refusal.message.contains("which needs the table Z_DeviceSettings_fullText"))
        #expect(refusal.hint?.contains("meterfix fix foreign-trigger") == true)
        #expect(try store.fix(WholeRepair()) { $0.makesBackup = true }.outcome == .applied)
        #expect(try store.text().statements == TestStore(plain).text().statements)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x'")
        // An index that is there is nothing to repair.
        let whole = try TestStore(plain.damaged(StoreFixture.fullTextIndex))
        #expect(try whole.refusal { try whole.fix(FixPlanner([.foreignTrigger])) }.kind == .unsuitable)
    }

    @Test("is one change of a store of schema v1 with errors of six kinds, and one undo takes all of it back")
    func ruined() throws {
        let store = try TestStore(Self.ruined)
        let before = try store.text()
        let found = Set(try store.findings())
        let wrong = [
            "uniqueness-constraint", "duplicate-mac", "primary-key-behind", "entity-number-mismatch", "unit-unknown",
            "lock-expired", "id-missing",
        ]
        #expect(found.isSuperset(of: wrong), "\(found.sorted())")
        let dry = try store.fix(WholeRepair()) { $0.isDryRun = true }
        #expect(try dry.outcome == .planned && store.text() == before)
        #expect(dry.schemaVersion == 2 && dry.plan.summary.deleted == 1 && dry.plan.conflicts.count == 1)
        let transactions = try store.values("SELECT quote(COUNT(*)) FROM ATRANSACTION")
        let report = try store.fix(WholeRepair()) {
            $0.expected = dry.fingerprint
            $0.makesBackup = true
        }
        #expect(report.outcome == .applied && report.plan == dry.plan)
        #expect(try store.values("SELECT quote(COUNT(*) - 1) FROM ATRANSACTION") == transactions)
        #expect(Set(try store.findings()).isDisjoint(with: wrong))
        #expect(try store.fix(WholeRepair()).outcome == .unchanged)
        try store.undo()
        #expect(try store.text() == before)
    }

    @Test("says by the new model which attributes changed, where it migrates the store")
    func history() throws {
        let (whole, parts) = (try TestStore(Self.ruined), try TestStore(Self.ruined))
        try whole.fix(WholeRepair())
        try parts.migrate()
        try parts.fix(WholeRepair())
        let columns = "SELECT quote(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1 ORDER BY Z_PK DESC LIMIT 3"
        #expect(try whole.values(columns) == parts.values(columns))
    }

    @Test("leaves what it is told to leave", arguments: FixPlanner.idsOfAll + WholeRepair.otherChecks)
    func excepted(id: String) throws {
        let store = try TestStore(Self.ruined)
        let found = Set(try store.findings())
        try store.fix(WholeRepair(except: [id]))
        #expect(Set(try store.findings()).contains(id) == found.contains(id))
    }

    @Test("restores lost metadata, and with it the marker of the rebuild")
    func metadata() throws {
        let store = try TestStore(
            StoreFixture(records: Meters.pair + [Meters.healthy]).with { $0.marker = 3 }.damaged(
                "UPDATE Z_METADATA SET Z_PLIST = NULL"))
        #expect(try store.findings().contains("metadata-missing"))
        #expect(try store.fix(WholeRepair()).outcome == .applied)
        #expect(try store.fix(WholeRepair()).outcome == .unchanged)
        #expect(try store.description().metadata.dictionary?[RebuildMarker.key] == .integer(3))
        #expect(try store.findings().filter { ["metadata-missing", "duplicate-mac"].contains($0) } == [])
    }

    @Test("merges nothing on the word of a recovered store, and fixes the rest")
    func recovered() throws {
        let fixture = StoreFixture(
            records: Meters.pair + [Meters.healthy.with { $0.tc66TemperatureUnit = "F" }]
        ).with { $0.mirror = .current }
        let store = try TestStore(fixture.damaged("CREATE TABLE lost_and_found (rootpgno, pgno, nfield, id, c0)"))
        let report = try store.fix(WholeRepair())
        #expect(report.plan.summary.deleted == 0 && report.plan.summary.updated == 1)
        #expect(report.plan.notes.contains { $0.contains("no records are merged") })
    }

    private static let seeds = LawSeeds.first(20)

    private static func fixture(seed: UInt64) -> StoreFixture {
        let fixture = CureLawTests.fixture(seed: seed)
        guard seed % 4 == 1 else { return fixture }
        // No two records of v1 have the same text as their address.
        var known: Set<String?> = []
        let records = fixture.records.filter { known.insert($0.macAddress).inserted && $0.macAddress != nil }
        return StoreFixture(.v1, records: records).with { $0.mirror = seed % 3 == 0 ? .none : .current }
    }

    @Test("does what a migration, a rebuild and the cures do one after the other", arguments: seeds)
    func parts(seed: UInt64) throws {
        let (whole, parts) = (
            try TestStore(Self.fixture(seed: seed)), try TestStore(Self.fixture(seed: seed))
        )
        try whole.fix(WholeRepair(force: true))
        try parts.migrate()
        try parts.rebuild()
        try parts.fix(FixPlanner(FixableCheck.allCases.filter { !$0.isOptIn }, force: true))
        func records(_ store: TestStore) throws -> [Int64: [String: String]] {
            try store.cells().mapValues { $0.filter { $0.key != "Z_OPT" } }
        }
        #expect(try records(whole) == records(parts))
        #expect(try whole.description().metadata.dictionary == parts.description().metadata.dictionary)
        #expect(try whole.text().isIntact)
        #expect(try whole.fix(WholeRepair(force: true)).outcome == .unchanged)
    }
}

extension TestStore {
    /// The first column of what a query finds, as text.
    fileprivate func values(_ sql: String) throws -> [String] {
        try StoreText.read(path) { try String.fetchAll($0, sql: sql) }
    }
}
