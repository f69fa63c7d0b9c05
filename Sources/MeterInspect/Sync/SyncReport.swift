package import CoreDataStore
package import MeterModel

/// The answer of `sync`.
package struct SyncReport: Sendable {
    /// One object that waits for CloudKit.
    package struct Object: Sendable {
        package let waiting: CloudKitMirror.Waiting
        /// The entity's name.
        package let entity: String
        /// The attributes that an update changed; nil for an insert or a delete, and if they are not known.
        package let fields: [String]?
        /// The canonical address of the record's meter, and its name; of a record that is gone, as far as they are known.
        package internal(set) var mac: String?
        package internal(set) var name: String?

        package var object: CloudKitMirror.Object { waiting.object }

        init(_ waiting: CloudKitMirror.Waiting, entity: String, fields: [String]?) {
            self.waiting = waiting
            self.entity = entity
            self.fields = fields
        }
    }

    /// What is known about the mirror of a mirrored store.
    package struct Mirror: Sendable {
        package let signs: MirrorSigns
        /// The number of the last transaction in the history; nil if it is empty or off.
        package let lastTransaction: Int64?
        package let hasHistory: Bool
        /// What waits.
        package let objects: [Object]
        /// Objects without record metadata that the mirror is not going to look for.
        package let unseen: Int
        /// Objects with record metadata: those that CloudKit has.
        package let known: Int
        /// How far the last change by meterfix has come; nil if there is none.
        package let arrival: CloudKitMirror.Arrival?
        package let lastEvents: [LastMirrorEvent]
        /// Whether a migration has told the mirror to fetch everything once more.
        package let fetchesAllZones: Bool

        package var token: HistoryToken { signs.token }
        package var forecast: MirrorForecast { signs.forecast }
    }

    /// The store's path as the user gave it.
    package let path: String
    /// Nil for a store that is not mirrored.
    package let mirror: Mirror?
    /// What is said first.
    package let alerts: [StoreAlert]
    /// What the checks of the mirror find.
    package let findings: [Finding]
}
