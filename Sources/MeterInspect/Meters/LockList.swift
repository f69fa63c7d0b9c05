package import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `meters --locked`: which device holds which meter.
package struct LockList: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    package let letterCase: LetterCase
    package let alerts: [StoreAlert]
    /// In the order of addresses, then of row numbers; those of records without a usable address last. A record with
    /// both a flat lock and a blob is listed with both.
    package let locks: [RecordedLock]
    /// How one is cleared.
    package let clearing: Cure

    /// Reads the locks of a store, flat and blob.
    /// - Throws: `StoreError`; `unsuitable` if the store has no records of meters.
    package static func of(_ path: String, now: Timestamp) throws(StoreError) -> LockList {
        try MeterSession.look(at: path, now: now) { session in
            var locks = try session.store.records.flatMap { RecordedLock.all(of: $0, now: now) }
            locks.sort { left, right in
                let addresses = [left, right].map { $0.address?.bits ?? .max }
                return addresses[0] == addresses[1] ? left.row < right.row : addresses[0] < addresses[1]
            }
            let names = try session.base.names(of: Set(locks.filter { $0.name == nil }.map(\.row)))
            for index in locks.indices where locks[index].name == nil { locks[index].name = names[locks[index].row] }
            return LockList(
                store: path, letterCase: session.store.letterCase, alerts: try session.base.alerts(), locks: locks,
                clearing: session.store.repair("unlock MAC"))
        }
    }
}

package struct RecordedLock: Sendable {
    package let row: Int64
    /// Nil if the record has no usable address.
    package let address: MACAddress?
    /// `macAddress` as it is stored.
    package let storedAddress: FieldValue
    /// What the meter is called; nil if no record of it has a name.
    package internal(set) var name: String?
    /// Nil where it cannot be read.
    package let lock: ConnectionLock?
    /// Why `connectionMetadata` is not the expected JSON object; nil where it is.
    package let malformation: String?
    private let now: Timestamp

    private init(_ lock: ConnectionLock?, malformation: String? = nil, of record: DeviceSettings, now: Timestamp) {
        row = record.row
        address = record.usableAddress
        storedAddress = record[.macAddress]
        name = record.shownName
        self.lock = lock
        self.malformation = malformation
        self.now = now
    }

    /// The locks of a record, flat and in JSON, and one in JSON that cannot be read.
    static func all(of record: DeviceSettings, now: Timestamp) -> [RecordedLock] {
        var locks = record.locks.map { RecordedLock($0, of: record, now: now) }
        if case .malformed(let reason) = record.lockBlob {
            locks.append(RecordedLock(nil, malformation: reason, of: record, now: now))
        }
        return locks
    }

    /// Whether another device may take the meter.
    package var isExpired: Bool { lock?.isExpired(at: now) ?? false }
    /// Whether its device is probably connected now.
    package var isLive: Bool { lock?.isLive(at: now) ?? false }
    package var isClockAhead: Bool { lock?.isOfClockAhead(at: now) ?? false }
    package var isTorn: Bool { lock?.isTorn ?? false }

    var state: String { lock == nil ? "malformed" : isTorn ? "torn" : isExpired ? "expired" : "held" }

    /// Whether it is in the way and does not go away by itself.
    var isStuck: Bool {
        guard let lock else { return true }
        return lock.isTorn || isClockAhead || !isExpired && !lock.hasUsualTimeToLive
    }
}

extension LockList {
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: "meters", store: store) + [
                .init(
                    "summary",
                    [
                        "locks": locks.count, "expired": locks.count(where: \.isExpired),
                        "torn": locks.count(where: \.isTorn), "clockInFuture": locks.count(where: \.isClockAhead),
                    ] as JSONValue),
                .init("locks", locks.map { $0.json(in: letterCase) }),
            ])
    }
}

extension RecordedLock {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": address?.text(in: letterCase),
            "storedAddress": storedAddress.isNull ? nil : storedAddress.display(as: .text), "row": row,
            "spelling": lock?.encoding == .flat ? "flat" : "blob", "deviceID": lock?.deviceID,
            "deviceName": lock?.deviceName, "since": lock?.connectedAt, "until": lock?.expiresAt, "expired": isExpired,
            "torn": isTorn, "clockInFuture": isClockAhead, "malformed": malformation,
        ]
    }
}
