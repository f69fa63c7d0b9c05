package import CoreDataStore
package import MeterModel

extension ChangeRun {
    /// Carries out the canonical rebuild v3.
    /// - Throws: `StoreError`; nothing was changed then.
    package static func rebuild(
        _ path: String, policy: WinnerPolicy, options: ChangeOptions
    ) throws(StoreError) -> Report {
        try carryOut(RebuildPlanner(policy: policy), on: path, options)
    }
}
