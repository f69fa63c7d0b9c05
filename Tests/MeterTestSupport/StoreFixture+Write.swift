internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterStore

/// A fixture that contradicts itself: a mistake in a test.
package struct FixtureError: Error, CustomStringConvertible {
    package let description: String
}

extension StoreFixture {
    /// Makes the store's files. There must be none at `path`.
    package func write(to path: String) throws {
        guard logPlacement == .checkpointed || journalMode == .wal else {
            throw FixtureError(description: "only a store in journal mode WAL has a -wal")
        }
        // The log outlives its connection only as a copy made while the connection is open.
        let workshop = try TemporaryFolder()
        defer { withExtendedLifetime(workshop) {} }
        let draft = workshop.path + "/store.sqlite"

        let metadata = marker.map { ["cloudStoreRebuildVersion": PropertyList.integer($0)] } ?? [:]
        let options = StoreOptions(storeUUID: storeUUID, history: history, journalMode: journalMode, metadata: metadata)
        try EmptyStores.write(
            .init(model: model, storeUUID: storeUUID, history: history, journalMode: journalMode, marker: marker),
            options, to: draft)

        var configuration = Configuration.forTests
        configuration.prepareDatabase {
            // With a -shm.
            try $0.execute(sql: "PRAGMA locking_mode = NORMAL")
            try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try $0.execute(sql: "PRAGMA synchronous = OFF")
        }
        let queue = try DatabaseQueue(path: draft, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.inTransaction {
                try writeContents(to: database, options: options)
                return .commit
            }
            try damage?(database)
        }
        switch logPlacement {
        case .checkpointed where !savedInLog.isEmpty:
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                for save in savedInLog {
                    try database.inTransaction {
                        try write(save, to: database)
                        return .commit
                    }
                }
            }
            try copy(draft, to: path)
            try copy(draft + "-wal", to: path + "-wal")
            try queue.close()
        case .checkpointed, .mainFileAlone:
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try queue.close()
            try copy(draft, to: path)
            if companion == "-wal" { try FileBytes.write([], to: path + "-wal") }
        case .rowsInLogOnly:
            try copy(draft, to: path)
            try copy(draft + "-wal", to: path + "-wal")
            try queue.close()
        case .logForgotten:
            try copy(draft, to: path)
            try copy(draft + "-shm", to: path + "-shm")
            try queue.close()
        }
    }

    /// What is beside the main file: `-wal`, `-shm` or nil.
    package var companion: String? {
        switch logPlacement {
        case .checkpointed: journalMode == .wal ? "-wal" : nil
        case .mainFileAlone: nil
        case .rowsInLogOnly: "-wal"
        case .logForgotten: "-shm"
        }
    }

    private func copy(_ source: String, to destination: String) throws {
        try FileManager.default.copyItem(atPath: source, toPath: destination)
    }

    private func writeContents(to database: Database, options: StoreOptions) throws {
        try writeMirrorTables(to: database)
        var transaction: Int64 = 0
        var exported: Int64 = 0
        for record in recordsInOrderOfHistory {
            try write(record, to: database)
            if history != .none {
                transaction += 1
                try writeInsertion(of: record, transaction: transaction, to: database)
            }
            if mirror != .none, let name = record.cloudRecordName {
                exported = transaction
                try writeRecordMetadata(of: record, name: name, transaction: transaction, to: database)
            }
        }
        for save in savedLater where history == .current {
            transaction += 1
            // What came from CloudKit is there already.
            if save.author == FixtureSave.mirrorImport { exported = transaction }
            try tell(of: save, number: transaction, to: database)
        }
        try writeMirrorState(exported: exported, to: database, options: options)
        try writeRowNumbers(transactions: transaction, to: database)
        try writeMetadata(to: database, options: options)
    }

    /// By row number; what CloudKit does not have yet is newer than what it has.
    private var recordsInOrderOfHistory: [FixtureRecord] {
        let sorted = records.sorted { $0.row < $1.row }
        guard mirror != .none else { return sorted }
        return sorted.filter { $0.cloudRecordName != nil } + sorted.filter { $0.cloudRecordName == nil }
    }

    /// The entity number of `DeviceSettings`.
    package var settingsNumber: Int64 { PrimaryKeys(numbering: model)[SettingsTable.entityName]?.number ?? 0 }

    func write(_ record: FixtureRecord, to database: Database) throws {
        guard let entity = model[entity: SettingsTable.entityName] else { return }
        var values = record.values()
        var columns: [(name: String, value: FixtureValue)] = [
            ("Z_PK", .integer(record.row)), ("Z_ENT", .integer(settingsNumber)),
            ("Z_OPT", .integer(Int64(1 + savedLater.count { $0.updates(record.row) }))),
        ]
        for attribute in entity.attributes {
            var value = values.removeValue(forKey: attribute.name) ?? .null
            if attribute.type == .binary, case .text(let text) = value { value = .blob(Array(text.utf8)) }
            columns.append(("Z" + attribute.name.uppercased(), value))
        }
        if let unknown = record.extra.keys.first(where: { values[$0] != nil }) {
            throw FixtureError(description: "the model has no attribute \(unknown)")
        }
        for (name, value) in record.overrides {
            guard let index = columns.firstIndex(where: { $0.name == name }) else {
                throw FixtureError(description: "the table has no column \(name)")
            }
            columns[index].value = value
        }
        try insert(columns, into: "ZDEVICESETTINGS", of: database)
    }

    private func writeRowNumbers(transactions: Int64, to database: Database) throws {
        let set = #"UPDATE "Z_PRIMARYKEY" SET "Z_MAX" = ? WHERE "Z_NAME" = ?"#
        try database.execute(sql: set, arguments: [records.map(\.row).max() ?? 0, SettingsTable.entityName])
        guard history != .none else { return }
        if history == .current, transactions > 0 { return try writeHistoryNumbers(to: database) }
        for entity in ["CHANGE", "TRANSACTION"] { try database.execute(sql: set, arguments: [transactions, entity]) }
    }

    private func writeMetadata(to database: Database, options: StoreOptions) throws {
        if let hashedModel {
            let list = try hashedModel.metadataOfNewStore(options).binaryPropertyList()
            try database.execute(sql: #"UPDATE "Z_METADATA" SET "Z_PLIST" = ?"#, arguments: [Data(list)])
        }
        if !hasPropertyList { try database.execute(sql: #"UPDATE "Z_METADATA" SET "Z_PLIST" = NULL"#) }
        if let cachedModel {
            let cache = try ModelArchive.modelCache(for: cachedModel)
            try database.execute(sql: #"UPDATE "Z_MODELCACHE" SET "Z_CONTENT" = ?"#, arguments: [Data(cache)])
        }
        switch modelCache {
        case .present: break
        case .empty: try database.execute(sql: #"DELETE FROM "Z_MODELCACHE""#)
        case .absent: try database.execute(sql: #"DROP TABLE "Z_MODELCACHE""#)
        }
    }

    func insert(
        _ columns: [(name: String, value: FixtureValue)], into table: String, of database: Database
    ) throws {
        let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            sql: "INSERT INTO \"\(table)\" (\(names)) VALUES (\(marks))",
            arguments: StatementArguments(columns.map(\.value)))
    }
}

/// Empty stores that were made in this process, as bytes: thousands of fixtures begin with one of a few.
private enum EmptyStores {
    struct Kind: Hashable {
        let model: ManagedObjectModel
        let storeUUID: String
        let history: SchemaStatements.History
        let journalMode: StoreOptions.JournalMode
        let marker: Int64?
    }

    private static let lock = NSLock()
    private nonisolated(unsafe) static var made: [Kind: [UInt8]] = [:]

    static func write(_ kind: Kind, _ options: StoreOptions, to path: String) throws {
        if let bytes = lock.withLock({ made[kind] }) { return try FileBytes.write(bytes, to: path) }
        try StoreCreator.create(at: path, model: kind.model, options: options)
        let bytes = try FileBytes.read(path)
        lock.withLock { made[kind] = bytes }
    }
}
