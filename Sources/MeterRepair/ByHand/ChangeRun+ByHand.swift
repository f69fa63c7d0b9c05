package import CoreDataStore
package import MeterModel

extension ChangeRun {
    /// Clears the locks of one meter.
    /// - Throws: `StoreError`; `unsuitable` where the store has no record of the meter, `inUse` where a device renewed
    ///   its lock less than 120 s ago, unless `options.force`.
    package static func unlock(
        _ address: MACAddress, on path: String, options: ChangeOptions
    ) throws(StoreError) -> Report {
        try carryOut(UnlockPlanner(address: address, force: options.force), on: path, options)
    }

    /// Gives a meter's record a name or a unit.
    /// - Throws: `StoreError`; `unsuitable` where the meter has no record, or several.
    package static func set(
        _ planner: SetPlanner, on path: String, options: ChangeOptions
    ) throws(StoreError) -> Report {
        try carryOut(planner, on: path, options)
    }
}
