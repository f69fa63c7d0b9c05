package import CoreDataStore
internal import GRDB
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
        try InspectedStore.look(at: path, now: now) { store, database in
            guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
            var locks: [RecordedLock] = []
            try settings.forEachRow(database) { row in
                if row.row & 0x3FF == 0 { try Interruption.check(path) }
                guard row.hasLock else { return }
                locks += RecordedLock.all(of: row.record, now: now)
            }
            locks.sort { left, right in
                let addresses = [left, right].map { $0.address?.bits ?? .max }
                return addresses[0] == addresses[1] ? left.row < right.row : addresses[0] < addresses[1]
            }
            let names = try store.names(of: locks.filter { $0.name == nil }.map(\.row), database)
            for index in locks.indices where locks[index].name == nil { locks[index].name = names[locks[index].row] }
            return LockList(
                store: path, letterCase: store.letterCase, alerts: try store.alerts(database), locks: locks)
        }
    }
}
