import CoreDataStore
import GRDB
import MeterTestSupport

/// A store that something was done to, in SQL, and what is read from it.
struct OddStore {
    let folder: TemporaryFolder
    let path: String

    init(_ sql: String = "", _ adjust: (inout StoreFixture) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        let records = [
            FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21").with { $0.cloudRecordName = "name-4" },
            FixtureRecord(row: 9, macAddress: "A4:C1:38:0B:7E:22").with { $0.cloudRecordName = "name-9" },
        ]
        path = try folder.store(StoreFixture(records: records).with(adjust).damaged(sql))
    }

    func read<Value>(_ body: (Database, StoreDescription) throws -> Value) throws -> Value {
        try StoreConnection.reading(path) { try body($0, StoreDescription($0)) }
    }
}

extension StoreConnection {
    /// Reads from a store, which is closed afterwards.
    static func reading<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        let connection = try untouched(path)
        let value = try connection.read(body)
        try connection.close()
        return value
    }

    /// Changes a store, which is closed afterwards.
    static func changing(_ path: String, _ sql: String) throws {
        let connection = try exclusive(path)
        try connection.change { try $0.execute(sql: sql) }
        try connection.close()
    }
}
