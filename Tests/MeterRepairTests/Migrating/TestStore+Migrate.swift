import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport

extension TestStore {
    /// The migration, without a backup unless asked for one.
    @discardableResult
    func migrate(
        _ planner: MigrationPlanner = MigrationPlanner(), _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> Report {
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = false
        adjust(&options)
        return try ChangeRun.run(planner, on: path, options: options)
    }

    func description() throws -> StoreDescription { try StoreText.read(path) { try StoreDescription($0) } }

    func findings() throws -> [String] {
        try Verify.report(path, VerifyOptions(now: TestStore.now)).findings.map(\.id)
    }
}
