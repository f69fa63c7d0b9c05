import CoreDataStore
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

@Suite struct ImportProofTests {
    /// Plans an import and then tells something else.
    private struct Liar: Planner {
        let planner: ImportPlanner
        let lie: @Sendable (inout Plan) -> Void
        let command = WritingCommand.importKV

        func plan(in session: MeterSession) throws -> Plan {
            var plan = try planner.plan(in: session)
            lie(&plan)
            return plan
        }
    }

    private static let lies: [@Sendable (inout Plan) -> Void] = [
        { $0.size.records += 1 },
        { plan in
            // The same row numbers again once the work is done: something is always left to do.
            if plan.isEmpty {
                plan.metadataChanges = [MetadataChange(key: "x", before: nil, after: .number(1))]
            }
        },
        { plan in
            plan.changeRecords { change in
                guard case .insert(let insertion) = change else { return change }
                return .insert(RecordInsertion(row: insertion.row - 1, fields: insertion.fields))
            }
        },
    ]

    @Test("a plan that lies about a new record is rolled back", arguments: 0..<3)
    func planLies(lie: Int) throws {
        let bench = try TestStore(
            StoreFixture(records: [FixtureRecord(row: 3, macAddress: "A4:C1:38:0B:7E:21", meterName: "Kitchen")]))
        let before = try LogicalContents(of: bench.path)
        let planner = ImportPlanner(
            TestStore.values(names: ["D0:5F:B8:26:C3:91": "Boot"]), sha256: "5a", policy: .keep)
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = false
        #expect {
            try ChangeRun.run(Liar(planner: planner, lie: Self.lies[lie]), on: bench.path, options: options)
        } throws: { $0 is StoreError }
        #expect(try LogicalContents(of: bench.path).firstDifference(from: before) == nil)
    }
}
