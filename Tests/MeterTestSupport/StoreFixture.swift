package import CoreDataStore
package import GRDB
package import MeterStore

/// A store as customers send them, described. `write(to:)` makes the files.
package struct StoreFixture: Sendable {
    /// Which tables of `NSPersistentCloudKitContainer` there are.
    package enum Mirror: Hashable, Sendable {
        case none
        /// `ANSCK*`.
        case current
        /// `ZNSCK*`, of the first systems that could mirror.
        case oldest
    }

    /// Up to where the mirror has exported the history.
    package enum HistoryToken: Hashable, Sendable {
        /// The last transaction that brought a record which CloudKit has. There is no token where there is no such record
        /// or no history.
        case lastExported
        case none
        case transaction(Int64)
        /// A token that does not speak of this store, as one from a copy of another.
        case otherStore(Int64)
    }

    /// Where the rows are when the fixture is done. Only for journal mode WAL.
    package enum LogPlacement: Hashable, Sendable {
        /// In the main file; the `-wal` beside it is empty, as Core Data leaves it when the app is closed.
        case checkpointed
        /// In the main file, which is alone.
        case mainFileAlone
        /// The main file has the tables, the `-wal` beside it all rows.
        case rowsInLogOnly
        /// As before, but somebody forgot to copy the `-wal`: the `-shm` beside the main file still speaks of it.
        case logForgotten
    }

    package enum ModelCache: Hashable, Sendable {
        case present
        /// The table without a row.
        case empty
        /// No table.
        case absent
    }

    package var version: USBMeterModel.Version
    package var lockEncoding = USBMeterModel.LockEncoding.flat
    package var extraAttributes: [Attribute] = []
    package var extraEntities: [Entity] = []
    package var storeUUID = FixtureUUID(1).text
    package var journalMode = StoreOptions.JournalMode.wal
    package var logPlacement = LogPlacement.checkpointed
    package var history = SchemaStatements.History.current
    package var mirror = Mirror.none
    package var mirrorEvents = MirrorEvent.allWell
    package var historyToken = HistoryToken.lastExported
    /// Settings of the mirror besides those that every mirrored store has.
    package var mirrorEntries: [MirrorEntry] = []
    /// What an export that did not end left behind.
    package var mirrorAnalyses: [MirrorAnalysis] = []
    /// `cloudStoreRebuildVersion` in the store's metadata; nil for none.
    package var marker: Int64? = 3
    package var hasPropertyList = true
    package var modelCache = ModelCache.present
    /// The model the cache holds, where it is not the model of the tables.
    package var cachedModel: ManagedObjectModel?
    /// The model whose hashes the metadata has, where it is not the model of the tables.
    package var hashedModel: ManagedObjectModel?
    package var records: [FixtureRecord]
    /// Updates of which the history tells, in the order of time. The records have their last values already.
    package var savedLater: [FixtureSave] = []
    /// A commit each in the `-wal`, the rest being in the main file. Only with `LogPlacement.checkpointed` and a current history.
    package var savedInLog: [FixtureSave] = []
    /// What happened to the store afterwards, in SQL.
    package var damage: (@Sendable (Database) throws -> Void)?

    package init(_ version: USBMeterModel.Version = .v2, records: [FixtureRecord] = []) {
        self.version = version
        self.records = records
    }

    /// The model of the tables.
    package var model: ManagedObjectModel {
        USBMeterModel.model(
            version, lockEncoding: lockEncoding, extraAttributes: extraAttributes, extraEntities: extraEntities)
    }

    /// The fixture with changes.
    package func with(_ change: (inout StoreFixture) -> Void) -> StoreFixture {
        var fixture = self
        change(&fixture)
        return fixture
    }

    /// The fixture damaged by SQL statements.
    package func damaged(_ sql: String) -> StoreFixture {
        with { $0.damage = { try $0.execute(sql: sql) } }
    }

    /// SQL that declares the row numbers of a table AUTOINCREMENT.
    package static func autoincrement(_ table: String) -> String {
        """
        CREATE TABLE counted (a INTEGER PRIMARY KEY AUTOINCREMENT); PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY KEY', 'PRIMARY KEY AUTOINCREMENT')
        WHERE name = '\(table)'
        """
    }
}
