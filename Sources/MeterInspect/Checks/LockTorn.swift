internal import MeterModel
internal import MeterStore

/// Connection locks with missing fields.
final class LockTorn: RecordCheck {
    static let description = CheckDescription(
        "lock-torn", .error, "a connection lock with some of its fields missing",
        explanation: [
            """
            The meter may stay locked for other devices, or nobody knows which device holds it. A device that connects \
            writes all fields of the lock and clears them all when it disconnects. Here some are set and some are not. \
            Without an expiry, the lock does not end by itself; without a device, nobody can be asked to disconnect.
            """,
            """
            This comes from merging records field by field, as the rebuild of older app versions did, and from \
            interrupted saves.
            """,
            """
            Connect to the meter in the app once and disconnect: that writes the whole lock and clears it. If that is \
            not possible, `meterfix fix lock-torn` clears what there is of it, as `meterfix unlock` does for one meter.
            """,
        ])

    static let interest = RecordInterest.lock
    private let store: InspectedStore

    /// The same for each of them.
    private let cure: String

    init(_ store: InspectedStore) {
        self.store = store
        cure = store.repair("fix lock-torn")
    }

    func visit(_ row: RecordRow, _ found: Found) {
        guard row.locks.contains(where: \.isTorn) else { return }
        let record = row.record
        func add(_ lock: String, set: [String], missing: [String]) {
            found(
                Self.finding(
                    "\(lock) has \(Phrase.list(set)) but not \(Phrase.list(missing))", about: record, in: store,
                    cure: cure))
        }
        if record.flatLock?.isTorn == true {
            let fields = SettingsField.flatLock.filter(record.layout.has)
            add(
                "the lock", set: fields.filter { !record[$0].isEmpty }.map(\.rawValue),
                missing: fields.filter { record[$0].isEmpty }.map(\.rawValue))
        }
        if let lock = record.blobLock, lock.isTorn {
            let members = [
                (lock.keys.deviceID, lock.deviceID != nil), (lock.keys.connectedAt, lock.connectedAt != nil),
                (lock.keys.expiresAt, lock.expiresAt != nil),
            ]
            add(
                "the lock in connectionMetadata", set: members.filter(\.1).map(\.0),
                missing: members.filter { !$0.1 }.map(\.0))
        }
    }
}
