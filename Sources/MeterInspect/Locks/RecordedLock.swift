package import MeterModel

/// A connection lock of one record.
package struct RecordedLock: Sendable {
    package enum Content: Hashable, Sendable {
        case lock(ConnectionLock)
        /// Why `connectionMetadata` is not the expected JSON object.
        case malformed(String)
    }

    package let row: Int64
    /// Nil if the record has no usable address.
    package let address: MACAddress?
    /// `macAddress` as it is stored.
    package let storedAddress: FieldValue
    /// What the meter is called; nil if no record of it has a name.
    package internal(set) var name: String?
    package let content: Content
    /// Whether another device may take the meter.
    package let isExpired: Bool
    /// Whether one of its dates is more than a day ahead of now: a clock was wrong, and the lock does not go away by
    /// itself.
    package let isClockAhead: Bool

    init(_ content: Content, of record: DeviceSettings, now: Timestamp) {
        row = record.row
        address = record.usableAddress
        storedAddress = record[.macAddress]
        name = record.isEmpty(.meterName) ? nil : record[.meterName].text
        self.content = content
        guard case .lock(let lock) = content else {
            isExpired = false
            isClockAhead = false
            return
        }
        isExpired = lock.isExpired(at: now)
        isClockAhead = [lock.connectedAt, lock.expiresAt].contains { date in
            date.map { $0.seconds(since: now) > ClockInFuture.allowance } ?? false
        }
    }

    package var isTorn: Bool { if case .lock(let lock) = content { lock.isTorn } else { false } }
}
