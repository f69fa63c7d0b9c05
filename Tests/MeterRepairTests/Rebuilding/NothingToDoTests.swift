import CoreDataStore
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("where there is nothing to do, a rebuild")
struct NothingToDoTests {
    @Test(
        "leaves every file as it was",
        arguments: [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly])
    func untouched(placement: StoreFixture.LogPlacement) throws {
        let store = try TestStore(
            StoreFixture(records: [Meters.healthy]).with { $0.logPlacement = placement })
        try check(store)
    }

    @Test("leaves a store with a rollback journal as it was")
    func otherForms() throws {
        try check(TestStore(StoreFixture(records: [Meters.healthy]).with { $0.journalMode = .delete }))
    }

    @Test("does not even set the marker")
    func marker() throws {
        let store = try TestStore(StoreFixture(records: [Meters.healthy]).with { $0.marker = nil })
        try check(store)
    }

    @Test("is content with an empty store and with records of no meter")
    func empty() throws {
        try check(TestStore(StoreFixture(records: [])))
        let addresses: [String?] = [nil, "", " ", "00:00:00:00:00:00", "not an address"]
        let orphans = (1...10).map { (row: Int) -> FixtureRecord in
            FixtureRecord(row: Int64(row), macAddress: addresses[(row - 1) / 2], meterName: "Same")
        }
        try check(TestStore(StoreFixture(records: orphans)))
    }

    private func check(_ store: TestStore) throws {
        let before = try store.snapshot()
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.outcome == .unchanged)
        #expect(report.backup == nil)
        #expect(report.plan.isEmpty == true)
        #expect(try store.snapshot().differences(from: before, withFolder: false) == [])
    }
}
