package import CoreDataStore
package import MeterModel

extension ChangeRun {
    /// Brings the schema up to date, or to the model the planner holds.
    /// - Throws: `StoreError`; nothing was changed then.
    package static func migrate(
        _ planner: MigrationPlanner, on path: String, options: ChangeOptions
    ) throws(StoreError) -> Report {
        try carryOut(planner, on: path, options)
    }
}
