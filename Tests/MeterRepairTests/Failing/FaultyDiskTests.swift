import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("when a write fails, whichever it is, a store is as before or as after:", .serialized)
struct FaultyDiskTests {
    private static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.marker = nil
        // A small store: fewer writes, and each of them meets a fault.
        $0.modelCache = .empty
    }

    /// All faults at all writes take most of a minute; by default each write meets one kind of fault.
    static let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_FAULTS"] != nil

    private static let rebuilds = Result {
        try [
            ("WAL", fixture), ("WAL with rows in the log", fixture.with { $0.logPlacement = .rowsInLogOnly }),
            ("rollback journal", fixture.with { $0.journalMode = .delete }),
        ].map { name, fixture in try FaultyChange(name, fixture) { try $0.rebuild() } }
    }

    @Test("every write, every kind of fault, every journal", arguments: FaultyDisk.Fault.allCases)
    func everyWrite(fault: FaultyDisk.Fault) throws {
        for change in try Self.rebuilds.get() {
            try #require(change.writes > 5)
            try change.meet(fault)
        }
    }

    private static let firstAids = Result {
        try FirstAidPlannerTests.Place.allCases.map { place in
            try FaultyChange("\(place)", place.fixture) { try $0.firstAid() }
        }
    }

    @Test("first aid too, in every journal", arguments: FaultyDisk.Fault.allCases)
    func firstAid(fault: FaultyDisk.Fault) throws {
        for change in try Self.firstAids.get() { try change.meet(fault) }
    }

    private static let migrations = Result {
        let fixture = StoreFixture(.v1, records: [Meters.healthy])
        let fixtures: [(String, StoreFixture)] = [
            ("WAL", fixture), ("WAL with rows in the log", fixture.with { $0.logPlacement = .rowsInLogOnly }),
            ("rollback journal", fixture.with { $0.journalMode = .delete }),
        ]
        return try fixtures.map { name, fixture in try FaultyChange("migration, \(name)", fixture) { try $0.migrate() }
        }
    }

    @Test("a migration too, in every journal", arguments: FaultyDisk.Fault.allCases)
    func migration(fault: FaultyDisk.Fault) throws {
        for change in try Self.migrations.get() { try change.meet(fault) }
    }

    private static let repairs = Result {
        let fixture = WholeRepairTests.ruined
        return try [fixture, fixture.with { $0.journalMode = .delete }].map { fixture in
            try FaultyChange("the whole repair", fixture) { try $0.fix(WholeRepair()) }
        }
    }

    @Test("the whole repair too, with its migration", arguments: FaultyDisk.Fault.allCases)
    func wholeRepair(fault: FaultyDisk.Fault) throws {
        for change in try Self.repairs.get() { try change.meet(fault) }
    }

    private static let large = Result {
        try FaultyChange("large", StoreFixture(records: LargeStoreTests.records)) { try $0.rebuild() }
    }

    /// What a large store's transaction has written is put into the log, and read there by others, before the commit. (No
    /// power failure: a disk that loses what it took shows SQLite a damaged log.)
    @Test("in a large store too", arguments: [FaultyDisk.Fault.once, .full, .gone, .torn])
    func largeStore(fault: FaultyDisk.Fault) throws {
        let change = try Self.large.get()
        // An SQLite that also overwrites what was deleted, as Debian's does, writes three times as much.
        try #require(change.writes > 400)
        // Some on the way, and all that come with the commit.
        let step = Self.isThorough ? 20 : change.writes / 3
        try change.meet(
            fault, at: Array(stride(from: 1, to: change.writes, by: step)) + (change.writes - 4...change.writes))
    }

    @Test("and the backup of a change that did not happen is gone")
    func backup() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.text()
        _ = FaultyDisk.run(.full, atWrite: 2, in: store.folder) {
            let error = #expect(throws: StoreError.self) { try store.rebuild { $0.makesBackup = true } }
            #expect(error?.kind == .inputOutput)
        }
        #expect(try store.text() == before)
        #expect(try store.snapshot().names.filter { $0.contains("rebuild") } == [])
    }

    /// SQLite has the right value in memory until the commit.
    @Test("and what is written is read from the disk again before the commit", arguments: [false, true])
    func altered(isLarge: Bool) throws {
        let others = isLarge ? LargeStoreTests.records : []
        let records = others + [Meters.healthy.with { $0.row = 2_000 }]
        let store = try TestStore(StoreFixture(records: records))
        let meter = try #require(records.last?.macAddress.flatMap(MACAddress.parse)?.0)
        let before = try store.text()
        FaultyDisk.altering("Cellar", to: "Celler", in: store.folder) {
            let error = #expect(throws: StoreError.self) {
                try store.change(SetPlanner(meter, name: "Cellar", unit: nil))
            }
            #expect(error?.kind == .internalFault)
        }
        #expect(try store.text() == before)
    }

    @Test("a dry run writes nothing beside the store that could fail")
    func dryRun() throws {
        let store = try TestStore(Self.fixture)
        let writes = try FaultyDisk.run(.gone, atWrite: 1, in: store.folder) {
            try store.rebuild { $0.isDryRun = true }
        }
        #expect(writes == 0)
    }
}
