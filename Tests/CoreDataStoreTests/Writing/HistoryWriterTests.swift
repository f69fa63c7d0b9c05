import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

@Suite("a transaction of history, written")
struct HistoryWriterTests {
    /// Writes a deletion and an insertion, and returns what the database then says.
    /// - Parameter rows: that are deleted.
    private func write(
        _ sql: String, deleting rows: [Int64] = [.max]
    ) throws -> (numbers: [String], changes: [String]) {
        let store = try OddStore(sql)
        let connection = try StoreConnection.exclusive(store.path)
        try connection.change { database in
            let description = try StoreDescription(database)
            let history = try #require(description.history)
            var writer = HistoryWriter(history, keys: description.keys, after: .none, now: FixtureClock.now, database)
            for row in rows { writer.record(writer.kind(.delete, entity: 1), row: row) }
            writer.record(writer.kind(.insert, entity: 1), row: .min)
            try writer.finish()
        }
        try connection.close()
        let text = try StoreText(of: store.path)
        return (text[table: "Z_PRIMARYKEY"], text[table: "ACHANGE"])
    }

    @Test("goes up to the largest number there is")
    func lastNumbers() throws {
        let (numbers, changes) = try write(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775805 WHERE Z_NAME = 'CHANGE'")
        #expect(numbers.contains("16001,'CHANGE',0,9223372036854775807"))
        #expect(changes.last == "9223372036854775807,16001,NULL,0,1,-9223372036854775808,3,NULL")
    }

    @Test(
        "is refused if a number would be larger",
        arguments: [
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775806 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'TRANSACTION'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'TRANSACTIONSTRING'",
            "INSERT INTO ACHANGE (Z_PK) VALUES (9223372036854775807)",
            "INSERT INTO ATRANSACTION (Z_PK) VALUES (9223372036854775807)",
        ])
    func noNumbersLeft(sql: String) throws {
        let error = #expect(throws: StoreError.self) { try write(sql) }
        #expect(error?.kind == .unsuitable)
    }

    @Test("begins at 1 if numbers were negative")
    func negative() throws {
        let (numbers, changes) = try write(
            """
            DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
            UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808 WHERE Z_ENT > 16000
            """)
        #expect(numbers.contains("16001,'CHANGE',0,2"))
        #expect(changes.map { $0.prefix(8) } == ["1,16001,", "2,16001,"])
    }

    @Test("begins at 1 if the existing rows have negative numbers too")
    func negativeRows() throws {
        let (numbers, changes) = try write(
            """
            DELETE FROM ACHANGE; INSERT INTO ACHANGE (Z_PK) VALUES (-5);
            UPDATE Z_PRIMARYKEY SET Z_MAX = -3 WHERE Z_ENT = 16001
            """)
        #expect(numbers.contains("16001,'CHANGE',0,2"))
        #expect(changes.map { $0.prefix(8) }.dropFirst() == ["1,16001,", "2,16001,"])
    }

    @Test("has each of its changes once and in their order, however many they are", arguments: [24, 25, 49, 50, 56])
    func manyChanges(count: Int64) throws {
        let (numbers, changes) = try write("DELETE FROM ACHANGE", deleting: Array(1000..<1000 + count))
        let first = try #require(changes.first?.prefix { $0 != "," }).description
        let start = try #require(Int64(first))
        #expect(
            changes.dropLast()
                == (0..<count).map { "\(start + $0),16001,NULL,2,1,\(1000 + $0),3,NULL" }[...])
        #expect(changes.last == "\(start + count),16001,NULL,0,1,-9223372036854775808,3,NULL")
        #expect(numbers.contains("16001,'CHANGE',0,\(start + count)"))
    }
}
