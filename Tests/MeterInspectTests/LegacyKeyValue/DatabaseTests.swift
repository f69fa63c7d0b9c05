import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("key-value databases")
struct DatabaseTests {
    private func withDatabase<Value>(
        _ fixture: KeyValueDatabaseFixture, _ use: (_ path: String) throws -> Value
    ) throws -> Value {
        try TemporaryFolder.use { folder in
            try fixture.write(to: folder + "/kvs.sqlite")
            return try use(folder + "/kvs.sqlite")
        }
    }

    private func complaint(_ path: String, identifier: String? = nil) -> String? {
        Dump.refusal(.file(path), identifier: identifier)?.message
    }

    private static let names = PropertyList.dictionary(["a": .string("A")])

    @Test(
        "are read through columns of other names, from standard input too",
        arguments: ["store", "managedStore", "kvStoreRef"])
    func columns(relationship: String) throws {
        let fixture = KeyValueDatabaseFixture(
            [.init("one", ["MeterNames": Self.names, "other": .integer(1)]), .init("two", ["x": .integer(1)])],
            relationship: relationship)
        try withDatabase(fixture) { path in
            let dump = try KeyValueDump(.file(path))
            #expect(dump.entries == [Dump.name("a", "A")] && dump.ignoredKeys == 1)
            #expect(dump.format == .init(.database, .app("one")))
            let piped = try KeyValueDump(.bytes([UInt8](Data(contentsOf: URL(fileURLWithPath: path))), name: "stdin"))
            #expect(piped == dump)
        }
    }

    @Test("are read through columns whose names would be SQL if they were not quoted")
    func hostileColumns() throws {
        let fixture = KeyValueDatabaseFixture([
            .init("one", ["MeterNames": Self.names, "other": .integer(1)]), .init("two", ["x": .integer(1)]),
        ])
        try withDatabase(fixture) { path in
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { database in
                for (column, name) in [("ZSTORE", "my store"), ("ZPLISTDATAVALUE", "plistdata")] {
                    let hostile = "a\"; DROP TABLE ZSYDMANAGEDSTORE; -- \(name)".quotedIdentifier
                    try database.execute(sql: "ALTER TABLE ZSYDMANAGEDKEYVALUE RENAME COLUMN \(column) TO \(hostile)")
                }
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
            let dump = try KeyValueDump(.file(path), identifier: "one")
            #expect(dump.entries == [Dump.name("a", "A")] && dump.ignoredKeys == 1)
            #expect(dump.format == .init(.database, .app("one")))
        }
    }

    @Test("with several apps need the app's identifier")
    func severalApps() throws {
        let fixture = KeyValueDatabaseFixture([
            .init("two", ["MeterNames": Self.names]), .init("one", ["TC66TemperatureUnits": Self.names]),
            .init(nil, ["MeterNames": Self.names]), .init("four", [:]),
        ])
        try withDatabase(fixture) { path in
            #expect(complaint(path) == "several apps in it have the dictionaries: number 3, one, two")
            let one = try KeyValueDump(.file(path), identifier: "one")
            #expect(one.entries == [Dump.unit("a", "A")])
            #expect(
                complaint(path, identifier: "four")
                    == "no key-value store four with the dictionaries in it, only number 3, one, two")
        }
    }

    @Test("with all rows in the log lose none, and are left as they are")
    func log() throws {
        try withDatabase(KeyValueDatabaseFixture([.init("one", ["MeterNames": Self.names])], rowsInLogOnly: true)) {
            path in
            let before = [try FileBytes.read(path), try FileBytes.read(path + "-wal")]
            #expect(try KeyValueDump(.file(path)).entries.count == 1)
            let after = [try FileBytes.read(path), try FileBytes.read(path + "-wal")]
            #expect(after == before)
            #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
            try FileManager.default.removeItem(atPath: path + "-wal")
            #expect(complaint(path)?.hasPrefix("the -wal of this database is missing") == true)
        }
    }

    @Test("without the dictionaries list the keys")
    func neither() throws {
        try withDatabase(KeyValueDatabaseFixture([.init("one", ["b": Self.names]), .init("two", ["a": Self.names])])) {
            #expect(complaint($0) == "the -wal of this database is missing: the names are not in the main file alone")
        }
    }

    @Test("with broken values are an error")
    func broken() throws {
        try withDatabase(KeyValueDatabaseFixture([.init("one", ["MeterNames": Self.names])])) { path in
            for (value, expected) in [
                ("x'62706c69737430300102'", "the value of MeterNames: the property list cannot be read:"),
                ("'text'", "the value of MeterNames: the property list cannot be read:"), ("7", "the value of"),
            ] {
                let queue = try DatabaseQueue(path: path)
                try queue.writeWithoutTransaction { database in
                    try database.execute(sql: "UPDATE ZSYDMANAGEDKEYVALUE SET ZPLISTDATAVALUE = \(value)")
                    try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                }
                try queue.close()
                #expect(complaint(path)?.hasPrefix(expected) == true)
            }
        }
    }

    @Test("are not the app's own store")
    func otherStore() throws {
        let store = try TestStore(StoreFixture())
        let error = Dump.refusal(.file(store.path))
        #expect(error?.message == "a database, but no key-value database: it has no table ZSYDMANAGEDKEYVALUE")
        #expect(error?.hint == "this is a store of the app: name the dump first, then the store")
        #expect(error?.kind == .damaged && error?.path == store.path)
    }

    @Test("cut anywhere are an error or a database", arguments: [UInt64](1...40))
    func truncated(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withDatabase(KeyValueDatabaseFixture([.init("one", ["MeterNames": Self.names])])) { path in
            let whole = try FileBytes.read(path)
            let count = Int.random(in: 0..<whole.count, using: &generator)
            Dump.expectAnswer(to: Array(whole.prefix(count)), "cut at \(count)")
            var damaged = whole
            for _ in 0..<20 { damaged[Int.random(in: 0..<whole.count, using: &generator)] = 0xFF }
            Dump.expectAnswer(to: damaged, "seed \(seed)")
        }
    }
}
