package import CoreDataStore
package import GRDB
internal import MeterJournal
package import MeterModel
package import MeterStore

/// A store that is looked at or changed, of any app that uses Core Data: what is known of it, and what reads more of it.
/// It does not outlive the transaction in which it was made.
package struct Session {
    package var store: InspectedStore
    package let database: Database
    /// Reads beside `database`, where that can be.
    package let reader: StoreReader

    package init(
        _ store: InspectedStore, _ database: Database, _ reader: StoreReader = StoreReader()
    ) {
        self.store = store
        self.database = database
        self.reader = reader
    }

    /// - Throws: `StoreError`, `unsuitable` where the store has no records of meters.
    package func meters() throws(StoreError) -> MeterSession {
        MeterSession(session: self, settings: try store.requireSettings())
    }
}

extension InspectedStore {
    /// The table of the records of meters.
    /// - Throws: `StoreError`, `unsuitable` where the store has none.
    package func requireSettings() throws(StoreError) -> SettingsTable {
        guard let settings else { throw Refusal.noSettings(in: self) }
        return settings
    }

    /// - Throws: `StoreError`, `unsuitable` for a database of something else than Core Data.
    package func requireCoreData() throws(StoreError) {
        guard description.isCoreData else { throw Refusal.noSettings(in: self) }
    }
}

/// A session of a store that has records of meters.
@dynamicMemberLookup
package struct MeterSession {
    package var session: Session
    /// Their table.
    package let settings: SettingsTable

    package subscript<Value>(dynamicMember path: KeyPath<Session, Value>) -> Value { session[keyPath: path] }

    /// - Throws: SQLite's errors.
    package func size() throws -> StoreSize {
        StoreSize(
            records: session.store.addresses.records, groups: session.store.addresses.groups,
            mirrored: try settings.mirroredRecords(session.store.description.mirror, session.database))
    }
}
