internal import Digests
internal import Foundation
internal import GRDB

/// Creates new, empty stores in Core Data's full layout.
package enum StoreCreator {
    /// Creates a store for `model` at `path`, where neither the store nor a WAL of it may exist. Afterwards everything
    /// is in that one file; in journal mode WAL there is an empty `-wal` beside it, as Core Data leaves it. After an error
    /// there is no file.
    /// - Throws: `StoreCreationError`; SQLite's errors.
    package static func create(at path: String, model: ManagedObjectModel, options: StoreOptions) throws {
        let schema = try SchemaStatements(model, history: options.history)
        let metadata = try model.metadataOfNewStore(options).binaryPropertyList()
        let cache = try ModelArchive.modelCache(for: model)

        // SQLite deletes a WAL or journal beside an empty file, but these may be all that is left of somebody's store.
        for suffix in companions where access(path + suffix, F_OK) == 0 {
            throw StoreCreationError.alreadyExists(path: path + suffix)
        }
        // SQLite opens whatever is there; only the system can say "new, or not at all".
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let reason = errno
            throw reason == EEXIST
                ? StoreCreationError.alreadyExists(path: path)
                : StoreCreationError.cannotCreate(path: path, errno: reason)
        }
        _ = close(descriptor)
        do {
            try fill(path, schema: schema, metadata: metadata, cache: cache, options: options)
        } catch {
            for suffix in [""] + companions { unlink(path + suffix) }
            throw error
        }
    }

    private static let companions = ["-wal", "-shm", "-journal"]

    private static func fill(
        _ path: String, schema: SchemaStatements, metadata: [UInt8], cache: [UInt8], options: StoreOptions
    ) throws {
        var configuration = Configuration(for: .changing)
        configuration.label = "new store"
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Nobody else has it open, so it needs no -shm.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // These three take effect only before the first table, and in this order.
            try database.execute(sql: "PRAGMA page_size = 4096")
            try database.execute(sql: "PRAGMA auto_vacuum = 2")
            try database.execute(sql: "PRAGMA journal_mode = \(options.journalMode.rawValue)")
            try database.inTransaction {
                for statement in schema.all { try database.execute(sql: statement) }
                try writeRowNumbers(schema, in: database)
                try database.execute(
                    sql: #"INSERT INTO "Z_METADATA" ("Z_VERSION", "Z_UUID", "Z_PLIST") VALUES (1, ?, ?)"#,
                    arguments: [options.storeUUID, Data(metadata)])
                try database.execute(
                    sql: #"INSERT INTO "Z_MODELCACHE" ("Z_CONTENT") VALUES (?)"#, arguments: [Data(cache)])
                return .commit
            }
            // Closing the last connection does so too, but a failure would go unnoticed there.
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            if options.journalMode == .wal { try database.setWALOnClose(.emptied) }
        }
        try queue.close()
    }

    private static func writeRowNumbers(_ schema: SchemaStatements, in database: Database) throws {
        let sql = #"INSERT INTO "Z_PRIMARYKEY" ("Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX") VALUES (?, ?, ?, 0)"#
        for entry in schema.numbers.entries {
            try database.execute(sql: sql, arguments: [entry.number, entry.name, entry.parent])
        }
        for entity in schema.historyEntities {
            try database.execute(sql: sql, arguments: [entity.number, entity.name, 0])
        }
    }
}

/// How a new store is to be laid out, apart from its model.
package struct StoreOptions: Sendable {
    package enum JournalMode: String, Sendable {
        case wal
        case delete
    }

    /// The store's identity, `Z_METADATA.Z_UUID`: upper-case text of a UUID, made once and never changed.
    package var storeUUID: String
    package var history: SchemaStatements.History
    package var journalMode: JournalMode
    /// The version of Core Data the store claims to be written by: by default the newest whose metadata was seen with
    /// exactly the keys that a new store gets here.
    package var frameworkVersion: Int64
    /// Keys of the app's own for the metadata dictionary. Core Data's keys win.
    package var metadata: [String: PropertyList]

    package init(
        storeUUID: String, history: SchemaStatements.History = .current, journalMode: JournalMode = .wal,
        frameworkVersion: Int64 = 1344, metadata: [String: PropertyList] = [:]
    ) {
        self.storeUUID = storeUUID
        self.history = history
        self.journalMode = journalMode
        self.frameworkVersion = frameworkVersion
        self.metadata = metadata
    }
}

extension ManagedObjectModel {
    /// `Z_METADATA.Z_PLIST` as Core Data writes it for a new store.
    /// - Throws: `unsupportedModel` for an entity whose hash cannot be computed: Core Data would not open the store.
    package func metadataOfNewStore(_ options: StoreOptions) throws(StoreCreationError) -> PropertyList {
        let hashes = versionHashes()
        if let entity = entities.first(where: { hashes[$0.name] == nil }) {
            throw .unsupportedModel("the version hash of \(entity.name) cannot be computed")
        }
        var keys = options.metadata
        keys["NSStoreModelVersionHashes"] = .dictionary(hashes.mapValues { .data($0) })
        keys["NSStoreModelVersionHashesDigest"] = .string(hashes.versionHashesDigest)
        keys["NSStoreModelVersionChecksumKey"] = .string(hashes.versionChecksum)
        keys["NSStoreModelVersionHashesVersion"] = .integer(3)
        keys["NSStoreModelVersionIdentifiers"] = .array(versionIdentifiers.map { .string($0) })
        keys["NSStoreType"] = .string("SQLite")
        keys["_NSAutoVacuumLevel"] = .string("2")
        keys["NSPersistenceFrameworkVersion"] = .integer(options.frameworkVersion)
        return .dictionary(keys)
    }
}

/// Why a new store was not created. Nothing is left on disk.
package enum StoreCreationError: Error, Equatable, CustomStringConvertible {
    case alreadyExists(path: String)
    /// The system's error number says why.
    case cannotCreate(path: String, errno: Int32)
    /// The model has something this package cannot lay out.
    case unsupportedModel(String)

    package var description: String {
        switch self {
        case .alreadyExists(let path): "\(path) exists already; a new store never replaces a file"
        case .cannotCreate(let path, let errno): "cannot create \(path): system error \(errno)"
        case .unsupportedModel(let reason): "cannot lay out a store for this model: \(reason)"
        }
    }
}

/// A UUID derived from what it names, so that a dry run and the real run make the same one: 16 bytes, the beginning of the
/// SHA-256 of `name`, marked as version 8 (RFC 9562, section 5.8).
package func nameBasedUUID(of name: [UInt8]) -> [UInt8] {
    var hash = SHA256Hasher()
    hash.update(name)
    var bytes = Array(hash.finalize().prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
}
