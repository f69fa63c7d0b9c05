internal import MeterModel
internal import MeterStore

/// Locks that last longer or shorter than the app's.
final class LockTTL: RecordCheck {
    static let description = CheckDescription(
        "lock-ttl", .warning, "a lock that lasts too long or not long enough",
        explanation: [
            """
            Two devices can take the meter at once, or it stays locked after its holder is gone. A lock is renewed \
            every 60 s and expires 120 s after connectedAt; for a lock in JSON anything from 120 s to 24 h is \
            accepted. One that is shorter does not protect its device; one that is longer outlives it.
            """,
            """
            A lock that lasts too long comes from another version of the app, or from a clock that was corrected while \
            the device wrote it. Until it expires, no other device may take the meter: the known support case "manual \
            unlock".
            """,
            """
            Connect to the meter with the device that holds the lock and disconnect; that clears it. If that device is \
            gone, `meterfix unlock` clears it.
            """,
        ])

    static let interest = RecordInterest.lock
    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        for lock in row.locks where !lock.hasUsualTimeToLive {
            guard let connectedAt = lock.connectedAt, let expiresAt = lock.expiresAt else { continue }
            found(finding(row.record, lock, connectedAt, expiresAt))
        }
    }

    private func finding(
        _ record: DeviceSettings, _ lock: ConnectionLock, _ connectedAt: Timestamp, _ expiresAt: Timestamp
    ) -> Finding {
        let allowed = lock.encoding == .flat ? "120 s" : "120 s to 24 h"
        var message =
            "the lock\(lock.encoding == .flat ? "" : " in connectionMetadata") of \(connectedAt) expires "
            + "\(expiresAt), after \(Phrase.seconds(expiresAt.seconds(since: connectedAt))) instead of \(allowed)"
        // Later than that, it does not end by itself in any useful time.
        let isStuck = expiresAt.isAhead(of: store.now)
        if isStuck { message += "; no other device may take the meter until then, a case for a manual unlock" }
        return Self.finding(
            message, about: record, in: store,
            cure: isStuck
                ? store.unlocking(record)
                : "connect to the meter with the device that holds the lock and disconnect")
    }
}
