import CoreDataStore
import GRDB
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

@Suite("the rows that a plan names")
struct PlannedRowsTests {
    @Test("have the fields of an update by the row's number, and none for other rows")
    func fieldSets() throws {
        let store = try TestStore(FaultyPlannerTests.fixture)
        let files = try StoreFiles(path: store.path)
        let found = try StoreText.read(store.path) { database in
            let store = try InspectedStore(
                StoreRequest(store.path, now: TestStore.now), files: files, database)
            let plan = try RebuildPlanner(policy: .mostComplete).plan(for: store, database)
            let rows = PlannedRows(plan, try #require(store.settings))
            #expect(rows.updated.map(\.row) == [7])
            return [Int64.min, 5, 6, 7, 8, .max].map { rows.fieldSet(ofUpdated: $0) }
        }
        #expect(found == [nil, nil, nil, 0, nil, nil])
    }
}
