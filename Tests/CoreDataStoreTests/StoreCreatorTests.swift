import CoreDataStore
import Foundation
import GRDB
import MeterStore
import MeterTestSupport
import Testing

@Suite("a new store")
struct StoreCreatorTests {
    private let options = StoreOptions(storeUUID: "5443A63D-EF0E-44C2-B216-AE8B5ED2FD09")

    @Test("has Core Data's tables, row numbers and metadata, all in one file with an empty log")
    func layout() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/new.sqlite"
        try StoreCreator.create(at: path, model: USBMeterModel.v2, options: options)
        #expect(try FolderSnapshot(folder.path).names == ["new.sqlite", "new.sqlite-wal"])
        #expect(try FileBytes.read(path + "-wal").isEmpty)

        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            #expect(try Int.fetchOne(database, sql: "PRAGMA page_size") == 4096)
            #expect(try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") == 2)
            #expect(try Int.fetchOne(database, sql: "PRAGMA user_version") == 0)
            #expect(try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal")
            let schema = try SchemaStatements(USBMeterModel.v2, history: .current)
            let statements = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL")
            #expect(statements == schema.all)
            let numbers = try Row.fetchAll(database, sql: "SELECT * FROM Z_PRIMARYKEY")
            #expect(
                numbers.map { "\($0)" } == [
                    "[Z_ENT:1 Z_NAME:\"DeviceSettings\" Z_SUPER:0 Z_MAX:0]",
                    "[Z_ENT:16001 Z_NAME:\"CHANGE\" Z_SUPER:0 Z_MAX:0]",
                    "[Z_ENT:16002 Z_NAME:\"TRANSACTION\" Z_SUPER:0 Z_MAX:0]",
                    "[Z_ENT:16003 Z_NAME:\"TRANSACTIONSTRING\" Z_SUPER:0 Z_MAX:0]",
                ])
            let metadata = try #require(try Row.fetchOne(database, sql: "SELECT * FROM Z_METADATA"))
            #expect(metadata["Z_VERSION"] == 1)
            #expect(metadata["Z_UUID"] == options.storeUUID)
            let list: Data = metadata["Z_PLIST"]
            let keys = try #require(try PropertyList(binary: [UInt8](list)).dictionary)
            #expect(keys["NSStoreModelVersionHashesVersion"]?.integer == 3)
            #expect(keys["NSStoreModelVersionIdentifiers"]?.array == [.string("USB_Meter 2")])
            #expect(keys["_NSAutoVacuumLevel"]?.string == "2")
            #expect(keys["NSStoreType"]?.string == "SQLite")
            let hashes = keys["NSStoreModelVersionHashes"]?.dictionary?.compactMapValues(\.data)
            #expect(hashes == USBMeterModel.v2.versionHashes())
            let cache = try #require(try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE"))
            let cached = try ManagedObjectModel(modelCache: [UInt8](cache))
            #expect(cached.versionHashes() == USBMeterModel.v2.versionHashes())
            #expect(cached.versionIdentifiers == ["USB_Meter 2"])
        }
    }

    @Test("never replaces a file, and leaves none behind when it cannot be made")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/taken.sqlite"
        try Data("a letter".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreCreationError.alreadyExists(path: path)) {
            try StoreCreator.create(at: path, model: USBMeterModel.v2, options: options)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("a letter".utf8))

        let log = folder.path + "/log-only.sqlite-wal"
        try Data("frames".utf8).write(to: URL(fileURLWithPath: log))
        #expect(throws: StoreCreationError.alreadyExists(path: log)) {
            try StoreCreator.create(at: folder.path + "/log-only.sqlite", model: USBMeterModel.v2, options: options)
        }
        try FileManager.default.removeItem(atPath: log)

        let nowhere = folder.path + "/missing/new.sqlite"
        #expect(throws: StoreCreationError.cannotCreate(path: nowhere, errno: ENOENT)) {
            try StoreCreator.create(at: nowhere, model: USBMeterModel.v2, options: options)
        }

        let many = Relationship("tags", to: "Tag", inverse: "notes", maxCount: 0)
        let back = Relationship("notes", to: "Note", inverse: "tags", maxCount: 0)
        let model = ManagedObjectModel(
            entities: [Entity("Note", relationships: [many]), Entity("Tag", relationships: [back])])
        #expect(throws: StoreCreationError.unsupportedModel("Note.tags needs a join table or an order key")) {
            try StoreCreator.create(at: folder.path + "/many.sqlite", model: model, options: options)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.sqlite"])
    }

    @Test("numbers the columns of relationships that two entities of a table have under one name")
    func sameRelationship() throws {
        func borrowed(_ entity: String) -> Relationship { Relationship("holder", to: "Person", inverse: entity) }
        func many(_ entity: String) -> Relationship {
            Relationship(entity, to: entity, inverse: "holder", maxCount: 0)
        }
        let model = ManagedObjectModel(entities: [
            Entity("Thing"),
            Entity("Book", superentity: "Thing", relationships: [borrowed("Book")]),
            Entity("Disc", superentity: "Thing", relationships: [borrowed("Disc")]),
            Entity("Person", relationships: [many("Book"), many("Disc")]),
            Entity("Member", superentity: "Person"),
        ])
        let folder = try TemporaryFolder()
        let path = folder.path + "/new.sqlite"
        try StoreCreator.create(at: path, model: model, options: options)
        let columns = try DatabaseQueue(path: path).read {
            try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('ZTHING')")
        }
        #expect(columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZHOLDER", "Z1_HOLDER", "ZHOLDER1", "Z1_HOLDER1"])
    }

    @Test("can have a rollback journal and no history")
    func plain() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/plain.sqlite"
        let options = StoreOptions(
            storeUUID: "A", history: .none, journalMode: .delete, metadata: ["ours": .integer(3)])
        try StoreCreator.create(at: path, model: USBMeterModel.v1, options: options)
        let queue = try DatabaseQueue(path: path)
        try queue.read { database in
            #expect(try String.fetchOne(database, sql: "PRAGMA journal_mode") == "delete")
            #expect(try !database.tableExists("ACHANGE"))
            let list = try #require(try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA"))
            #expect(try PropertyList(binary: [UInt8](list)).dictionary?["ours"] == .integer(3))
        }
    }
}
