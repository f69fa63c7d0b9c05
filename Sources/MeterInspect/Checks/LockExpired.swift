internal import MeterModel
internal import MeterStore

/// Locks past their expiry.
final class LockExpired: RecordCheck {
    static let description = CheckDescription(
        "lock-expired", .note, "a lock past its expiry that nobody cleared",
        explanation: [
            """
            A device connected to the meter and never disconnected properly: the app was terminated, or the device \
            went out of range. Any device may take the meter now; the lock is only a leftover.
            """,
            """
            Nothing needs to be done. The next device that connects overwrites it; `meterfix fix lock-expired` clears \
            it now.
            """,
        ])

    static let interest = RecordInterest.lock
    private let store: InspectedStore

    /// The same for each of them.
    private let cure: String

    init(_ store: InspectedStore) {
        self.store = store
        cure = store.repair("fix lock-expired")
    }

    func visit(_ row: RecordRow, _ found: Found) {
        for lock in row.locks where !lock.isTorn {
            guard let expiresAt = lock.expiresAt, expiresAt < store.now else { continue }
            found(finding(row.record, lock.encoding, expiresAt))
        }
    }

    private func finding(
        _ record: DeviceSettings, _ encoding: ConnectionLock.Encoding, _ expiresAt: Timestamp
    ) -> Finding {
        let (lock, place) =
            switch encoding {
            case .flat: (record.flatLock, "")
            case .blob: (record.blobLock, " in connectionMetadata")
            }
        let holder = lock?.holder.map { " of \"\($0)\"" } ?? ""
        return Self.finding("the lock\(holder)\(place) expired \(expiresAt)", about: record, in: store, cure: cure)
    }
}
