package import CoreDataStore
internal import GRDB
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `locks`: which device holds which meter.
package struct LockList: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    /// The letter case of the store's addresses.
    package let letterCase: LetterCase
    /// What is said first.
    package let alerts: [StoreAlert]
    /// In the order of addresses, then of row numbers; those of records without a usable address last. A record with
    /// both a flat lock and a blob is listed with both.
    package let locks: [RecordedLock]

    /// Reads the locks of a store, flat and blob, and leaves no trace.
    /// - Throws: `StoreError`; `unsuitable` if the store has no records of meters.
    package static func of(_ path: String, now: Timestamp) throws(StoreError) -> LockList {
        try MeterSession.look(at: path, now: now) { session in
            var locks: [RecordedLock] = []
            try session.settings.forEachRow(session.database) { row in
                if row.row & 0x3FF == 0 { try Interruption.check(path) }
                guard row.hasLock else { return }
                locks += RecordedLock.all(of: row.record, now: now)
            }
            locks.sort { left, right in
                let addresses = [left, right].map { $0.address?.bits ?? .max }
                return addresses[0] == addresses[1] ? left.row < right.row : addresses[0] < addresses[1]
            }
            let names = try session.session.names(of: locks.filter { $0.name == nil }.map(\.row))
            for index in locks.indices where locks[index].name == nil { locks[index].name = names[locks[index].row] }
            return LockList(
                store: path, letterCase: session.store.letterCase, alerts: try session.session.alerts(), locks: locks)
        }
    }
}

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

extension LockList {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: "locks", store: store) + [
                .init(
                    "summary",
                    [
                        "locks": JSONValue(locks.count), "expired": JSONValue(locks.count(where: \.isExpired)),
                        "torn": JSONValue(locks.count(where: \.isTorn)),
                        "clockInFuture": JSONValue(locks.count(where: \.isClockAhead)),
                    ]),
                .init("locks", .array(locks.map { $0.json(in: letterCase) })),
            ])
    }
}

extension RecordedLock {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        var lock: ConnectionLock?
        var malformation: String?
        switch content {
        case .lock(let content): lock = content
        case .malformed(let reason): malformation = reason
        }
        return [
            "mac": JSONValue(address?.text(in: letterCase)),
            "storedAddress": storedAddress.isNull ? .null : .string(storedAddress.display(as: .text)),
            "row": JSONValue(row), "spelling": .string(lock?.encoding == .flat ? "flat" : "blob"),
            "deviceID": JSONValue(lock?.deviceID), "deviceName": JSONValue(lock?.deviceName),
            "since": JSONValue(lock?.connectedAt?.description), "until": JSONValue(lock?.expiresAt?.description),
            "expired": .bool(isExpired), "torn": .bool(isTorn), "clockInFuture": .bool(isClockAhead),
            "malformed": JSONValue(malformation),
        ]
    }
}
