internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The reasons not to change a meter that a command names.
extension Refusal {
    static func severalRecords(
        _ rows: [Int64], of address: MACAddress, in store: InspectedStore
    ) -> StoreError {
        StoreError(
            .unsuitable, at: store.path,
            "the meter \(address.text(in: store.letterCase)) has \(rows.count) records, rows "
                + Phrase.list(rows.map { "\($0)" }),
            hint: "make them one first: \(store.command("rebuild"))")
    }

    static func noAttribute(_ field: SettingsField, in store: InspectedStore) -> StoreError {
        StoreError(
            .unsuitable, at: store.path, "\(SettingsTable.entityName) has no attribute \(field.rawValue) here",
            hint: "this store is of an older app version; open it once in the current app")
    }

    static func liveLock(_ lock: ConnectionLock, of address: MACAddress, in store: InspectedStore) -> StoreError {
        let holder = lock.holder.map { "\"\($0)\"" } ?? "an unknown device"
        let since = lock.connectedAt.map { Phrase.seconds(abs(store.now.seconds(since: $0))) } ?? "a moment"
        return StoreError(
            .inUse, at: store.path,
            "the meter \(address.text(in: store.letterCase)) is in use: \(holder) renewed its lock \(since) ago",
            hint: "disconnect there or wait two minutes; --force clears the lock, which that device may take again")
    }
}
