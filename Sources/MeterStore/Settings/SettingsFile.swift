internal import CoreDataStore
internal import GRDB

/// The file of a settings store, and how it is opened.
final class SettingsFile: Sendable {
    /// As the user gave it.
    let path: String
    private let kept: Locked<Kept>

    /// The connection between two operations.
    private enum Kept {
        case open(StoreConnection)
        /// Each operation opens one.
        case perOperation
        case closed
    }

    /// - Throws: `StoreError` for a store that is not the app's, is damaged, or that only Core Data can write to.
    init(_ path: String, _ access: SettingsStore.Access) throws(StoreError) {
        self.path = path
        switch access {
        case .exclusive:
            let connection = try StoreConnection.exclusive(path)
            do throws(StoreError) {
                if connection.files.missingWALEvidence() != nil {
                    throw StoreError(
                        .damaged, at: path, "the -wal file is missing or incomplete",
                        hint: "put the whole -wal file back beside the main file")
                }
                try connection.read { try Self.check($0, path) }
            } catch {
                try? connection.close()
                throw error
            }
            kept = Locked(.open(connection))
        case .shared:
            try Self.withSharedConnection(path) { connection throws(StoreError) in
                try connection.read { try Self.check($0, path) }
            }
            kept = Locked(.perOperation)
        }
    }

    /// - Throws: `StoreError`.
    func close() throws(StoreError) {
        try kept.withLock { kept throws(StoreError) in
            defer { kept = .closed }
            if case .open(let connection) = kept { try connection.close() }
        }
    }

    /// What is read is one state of the store.
    /// - Throws: `StoreError`.
    func read<Value>(_ body: (SettingsTable, Database) throws -> Value) throws(StoreError) -> Value {
        try withConnection { connection throws(StoreError) in
            try connection.read { try body(Self.settings(of: StoreDescription($0), path), $0) }
        }
    }

    /// One transaction.
    /// - Throws: `StoreError`.
    func change(_ body: (SettingsTable, StoreDescription, Database) throws -> Void) throws(StoreError) {
        try withConnection { connection throws(StoreError) in
            try connection.change { database in
                let store = try StoreDescription(database)
                let settings = try Self.settings(of: store, path)
                // Another process may have migrated the store meanwhile.
                try Self.refuseSchema(settings, store, path)
                try body(settings, store, database)
            }
        }
    }

    private func withConnection<Value>(
        _ body: (any OpenStore) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try kept.withLock { kept throws(StoreError) in
            switch kept {
            case .open(let connection): return try body(connection)
            case .perOperation: return try Self.withSharedConnection(path, body)
            case .closed:
                throw StoreError(.internalFault, at: path, "the settings store was closed", hint: "open it again")
            }
        }
    }

    private static func withSharedConnection<Value>(
        _ path: String, _ body: (any OpenStore) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try SharedConnection(path).closing { connection throws(StoreError) in try body(connection) }
    }

    static func settings(of store: StoreDescription, _ path: String) throws(StoreError) -> SettingsTable {
        if let settings = SettingsTable(store) { return settings }
        throw StoreError(
            .unsuitable, at: path, "a store without \(SettingsTable.entityName) records",
            hint: "the app's store is named CKModel.sqlite")
    }

    private static func check(_ database: Database, _ path: String) throws {
        let store = try StoreDescription(database)
        let settings = try settings(of: store, path)
        if let problem = try database.integrityProblems(limit: 1).first {
            throw StoreError(
                .damaged, at: path, "SQLite's integrity check fails: \(problem)", hint: StoreError.hintOnDamage,
                orRecover: true)
        }
        try refuseSchema(settings, store, path)
    }

    private static func refuseSchema(
        _ settings: SettingsTable, _ store: StoreDescription, _ path: String
    ) throws(StoreError) {
        let obstacle =
            WriteObstacle.ofAnyChange(in: settings, of: store)
            ?? WriteObstacle.ofRecordChanges(in: settings, of: store)
            ?? WriteObstacle.ofColumns(in: settings, of: store)
        if let obstacle { throw obstacle.error(at: path) }
        if store.history == nil, store.mirror != nil {
            throw StoreError(
                .unsuitable, at: path,
                "the store is mirrored to CloudKit but has no history: what is written cannot reach the cloud",
                hint: "only the app itself can write to this store")
        }
    }

    /// - Throws: the error that an obstacle makes in this store; nothing for none.
    func refuse(_ obstacle: WriteObstacle?) throws(StoreError) {
        if let obstacle { throw obstacle.error(at: path) }
    }
}
