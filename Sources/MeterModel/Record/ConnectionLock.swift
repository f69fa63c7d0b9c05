/// Which device is using the meter. A unit: its values always come from one record.
package struct ConnectionLock: Hashable, Sendable {
    /// How the record keeps it: in four attributes, or as a JSON object.
    package enum Encoding: Sendable { case flat, blob }

    /// Under which keys a JSON object has the lock. The app's versions do not agree.
    /// (Not as texts: a million locks are copied.)
    package struct BlobKeys: Hashable, Sendable {
        private let hasLongID: Bool
        private let hasName: Bool
        private let hasLongExpiry: Bool

        package init(hasLongID: Bool, hasName: Bool, hasLongExpiry: Bool) {
            self.hasLongID = hasLongID
            self.hasName = hasName
            self.hasLongExpiry = hasLongExpiry
        }

        package var deviceID: String { hasLongID ? "deviceID" : "device" }
        /// Nil where the object does not have the device's name.
        package var deviceName: String? { hasName ? "deviceName" : nil }
        package var connectedAt: String { "timestamp" }
        package var expiresAt: String { hasLongExpiry ? "expiresAt" : "expiry" }

        /// `{device, timestamp, expiry}`.
        package static let short = BlobKeys(hasLongID: false, hasName: false, hasLongExpiry: false)
        /// `{deviceID, deviceName, timestamp, expiresAt}`.
        package static let long = BlobKeys(hasLongID: true, hasName: true, hasLongExpiry: true)
    }

    package var encoding: Encoding
    /// Of a blob.
    package var keys = BlobKeys.short
    package var deviceID: String?
    package var deviceName: String?
    package var connectedAt: Timestamp?
    package var expiresAt: Timestamp?
    /// Some but not all of its fields are set.
    package var isTorn: Bool

    /// The app's lease: a lock is renewed every 60 s and is free 120 s after `connectedAt`.
    package static let timeToLive: Double = 120
    /// What one page of the app's documentation requires of the blob's `expiry`.
    package static let longestBlobTimeToLive: Double = 86_400

    package init(
        encoding: Encoding, deviceID: String?, deviceName: String?, connectedAt: Timestamp?, expiresAt: Timestamp?,
        isTorn: Bool, keys: BlobKeys = .short
    ) {
        self.encoding = encoding
        self.keys = keys
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.connectedAt = connectedAt
        self.expiresAt = expiresAt
        self.isTorn = isTorn
    }

    /// The device's name, or else its id.
    package var holder: String? { deviceName ?? deviceID }

    /// Whether the expiry fits `connectedAt`: 120 s for a flat lock, 120 s … 24 h for a blob. True if a field is
    /// missing: that is a torn lock, which is another problem.
    package var hasUsualTimeToLive: Bool {
        guard let connectedAt, let expiresAt else { return true }
        let seconds = expiresAt.seconds(since: connectedAt)
        // Two REALs of this size differ from their true difference by less than a microsecond.
        let tolerance = 0.001
        let longest = encoding == .flat ? Self.timeToLive : Self.longestBlobTimeToLive
        return seconds >= Self.timeToLive - tolerance && seconds <= longest + tolerance
    }
}

extension ConnectionLock {
    /// Whether another device may take the meter: the app takes it once `now > connectedExpiryAt`. A lock without an
    /// expiry never expires.
    package func isExpired(at now: Timestamp) -> Bool { expiresAt.map { now > $0 } ?? false }

    /// Whether the clock of its device was more than a day ahead when it took the lock. Only the beginning tells: the end
    /// is ahead of now by design. Where the beginning is missing, it is taken to be as early as a usual lock's.
    package func isOfClockAhead(at now: Timestamp) -> Bool {
        guard let connectedAt else {
            let longest = encoding == .flat ? Self.timeToLive : Self.longestBlobTimeToLive
            return expiresAt.map { $0.seconds(since: now) > Timestamp.clockAllowance + longest } ?? false
        }
        return connectedAt.isAhead(of: now)
    }

    /// When the app takes it for expired: one without an expiry lasts the usual time. Nil where it has neither an expiry
    /// nor a beginning: then it keeps nobody out.
    package var end: Timestamp? {
        expiresAt ?? connectedAt.map { Timestamp(secondsSince2001: $0.secondsSince2001 + Self.timeToLive) }
    }

    /// Whether its device is probably connected now: the lock has not expired and was taken or renewed less than
    /// `timeToLive` ago. A device renews every 60 s; a clock difference counts in both directions.
    package func isLive(at now: Timestamp) -> Bool {
        guard !isExpired(at: now), let connectedAt else { return false }
        return abs(now.seconds(since: connectedAt)) < Self.timeToLive
    }
}

extension DeviceSettings {
    /// Whether there is anything where a lock is kept, even if it is torn or unreadable.
    package var hasLock: Bool { flatLock != nil || !lockBlob.isAbsent }
}

/// When and by which device the meter was last seen. A unit, as the lock is.
package struct Discovery: Hashable, Sendable {
    package var seenAt: Timestamp?
    package var deviceID: String?
    package var deviceName: String?

    package init(seenAt: Timestamp?, deviceID: String?, deviceName: String?) {
        self.seenAt = seenAt
        self.deviceID = deviceID
        self.deviceName = deviceName
    }
}

extension DeviceSettings {
    /// The record's readable discoveries: none, one, or both the flat one and the blob's.
    package var discoveries: [Discovery] {
        let flat = Discovery(
            seenAt: self[.lastSeenAt].timestamp, deviceID: self[.lastSeenByDeviceID].text,
            deviceName: self[.lastSeenByDeviceName].text)
        return [flat, blobDiscovery].compactMap(\.self)
    }
}
