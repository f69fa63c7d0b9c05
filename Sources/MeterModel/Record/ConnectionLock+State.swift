extension ConnectionLock {
    /// Whether another device may take the meter: the app takes it once `now > connectedExpiryAt`. A lock without an
    /// expiry never expires.
    package func isExpired(at now: Timestamp) -> Bool { expiresAt.map { now > $0 } ?? false }

    /// Whether its device is probably connected now: the lock has not expired and was taken or renewed less than
    /// `timeToLive` ago. A device renews every 60 s; a clock difference counts in both directions.
    package func isLive(at now: Timestamp) -> Bool {
        guard !isExpired(at: now), let connectedAt else { return false }
        return abs(now.seconds(since: connectedAt)) < Self.timeToLive
    }
}

extension DeviceSettings {
    /// The record's readable locks: none, one, or both the flat one and the blob's.
    package var locks: [ConnectionLock] { [flatLock, blobLock].compactMap(\.self) }

    /// Whether there is anything where a lock is kept, even if it is torn or unreadable.
    package var hasLock: Bool { flatLock != nil || lockBlob != .absent }
}
