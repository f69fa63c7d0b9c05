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
    /// Whether its device is probably connected now.
    package let isLive: Bool
    /// Whether it began more than a day ahead of now: a clock was wrong.
    package let isClockAhead: Bool

    init(_ content: Content, of record: DeviceSettings, now: Timestamp) {
        row = record.row
        address = record.usableAddress
        storedAddress = record[.macAddress]
        name = record.isEmpty(.meterName) ? nil : record[.meterName].text
        self.content = content
        guard case .lock(let lock) = content else {
            isExpired = false
            isLive = false
            isClockAhead = false
            return
        }
        isExpired = lock.isExpired(at: now)
        isLive = lock.isLive(at: now)
        isClockAhead = lock.isOfClockAhead(at: now)
    }

    /// The locks of a record, flat and in JSON, and one in JSON that cannot be read.
    static func all(of record: DeviceSettings, now: Timestamp) -> [RecordedLock] {
        var locks = record.locks.map { RecordedLock(.lock($0), of: record, now: now) }
        if case .malformed(let reason) = record.lockBlob {
            locks.append(RecordedLock(.malformed(reason), of: record, now: now))
        }
        return locks
    }

    package enum State: String, Sendable { case held, expired, torn, malformed }

    package var state: State {
        switch content {
        case .malformed: .malformed
        case .lock(let lock): lock.isTorn ? .torn : isExpired ? .expired : .held
        }
    }

    /// Whether it is in the way and does not go away by itself.
    var isStuck: Bool {
        switch content {
        case .malformed: true
        case .lock(let lock): lock.isTorn || isClockAhead || !isExpired && !lock.hasUsualTimeToLive
        }
    }

    package var isTorn: Bool { if case .lock(let lock) = content { lock.isTorn } else { false } }
}
