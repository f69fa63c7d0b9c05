package import CoreDataStore
package import MeterModel

/// What is in a store, in one screen.
package struct StatusReport: Sendable {
    package struct Part: Hashable, Sendable {
        /// After the main file's name: empty, `-wal`, `-shm`, `-journal`.
        package let suffix: String
        /// Bytes.
        package let size: Int
    }

    package struct EntityCount: Hashable, Sendable {
        package let name: String
        /// Nil if the table could not be read.
        package let rows: Int?
    }

    package struct Model: Hashable, Sendable {
        /// Of the app's model: 1, 2 or nil.
        package let schemaVersion: Int?
        package let identifiers: [String]
        /// What the store's own model says about the version hashes.
        package let hashes: HashComparison?
        package let frameworkVersion: Int64?
        package let entities: [EntityCount]
        package let unknown: UnknownParts
    }

    package struct Records: Hashable, Sendable {
        package let total: Int
        /// Meters with more than one record.
        package let groups: Int
        /// Records of those meters.
        package let recordsInGroups: Int
        /// Of how many of those meters the app shows a name and a unit where a record has one.
        package let levelled: Int
        /// NULL, empty, placeholders and text that is not an address.
        package let withoutUsableAddress: Int
        /// The case of canonical addresses.
        package let letterCase: LetterCase
        package let meters: Int
        /// Meters with a name in one of their records.
        package let named: Int
    }

    package struct Mirror: Hashable, Sendable {
        /// Rows of the record metadata.
        package let records: Int
        /// All that CloudKit does not have yet, and what becomes of it.
        package let forecast: MirrorForecast
        package let token: HistoryToken
        /// The number of the last transaction in the history; nil if it is empty or off.
        package let lastTransaction: Int64?
        package let lastEvents: [LastMirrorEvent]
    }

    /// A virtual table whose module is not part of this program's SQLite, so that its rows cannot be read.
    package struct UnreadableTable: Hashable, Sendable {
        package let name: String
        /// The module, as SQLite names it.
        package let module: String
    }

    package let path: String
    /// What is said first.
    package let alerts: [StoreAlert]
    package let parts: [Part]
    package let isWAL: Bool
    /// The last change that can be read, if the WAL is missing; nil also if no change has a date.
    package let lastChange: Timestamp?
    package let uuid: String?
    package let metadataProblem: String?
    package let model: Model
    /// Never Core Data's own tables, which need no module. Every command leaves them as they are.
    package let unreadableTables: [UnreadableTable]
    /// Nil if the store has no `DeviceSettings`.
    package let records: Records?
    /// `cloudStoreRebuildVersion`.
    package let marker: Int64?
    /// The last import of legacy values that changed the store; nil if none has left its mark.
    package let lastImport: LegacyImportMark?
    /// Nil if history was never on.
    package let history: PersistentHistory.Overview?
    /// Nil if the store is not mirrored.
    package let mirror: Mirror?

    /// The last transaction that meterfix wrote to the history.
    package var lastOwnChange: Timestamp? {
        history?.authors.first { $0.name == HistoryWriter.author }?.last.map(Timestamp.init(secondsSince2001:))
    }
}
