import CoreDataStore
import GRDB
import Testing

@Suite("the log of what SQLite writes")
struct WriteLogTests {
    private func written(_ sql: String) throws -> [SQLName: WriteLog.Rows] {
        try DatabaseQueue().inDatabase { database in
            try database.execute(
                sql: """
                    CREATE TABLE one (a); INSERT INTO one VALUES (1), (2), (3); CREATE TABLE two (a);
                    CREATE TEMP TABLE three (a);
                    CREATE TRIGGER echo AFTER UPDATE ON one BEGIN INSERT INTO two VALUES (new.a); END
                    """)
            let log = WriteLog(database)
            try database.execute(sql: sql)
            return log.tables
        }
    }

    @Test("has every row, by table and kind")
    func rows() throws {
        let tables = try written(
            "INSERT INTO one VALUES (4); DELETE FROM one WHERE a < 3; INSERT INTO three VALUES (1)")
        #expect(tables.keys.sorted() == ["one"])
        #expect(tables["one"]?.inserted == [4])
        #expect(tables["one"]?.deleted == [1, 2])
        #expect(tables["one"]?.updated == [])
    }

    @Test("has what triggers write, and each write of a row")
    func triggers() throws {
        let tables = try written("UPDATE one SET a = 5 WHERE a = 3; UPDATE one SET a = 6 WHERE a = 5")
        #expect(tables["one"]?.updated == [3, 3])
        #expect(tables["two"]?.inserted == [1, 2])
    }

    @Test("is empty if nothing is written")
    func nothing() throws { #expect(try written("SELECT * FROM one; UPDATE one SET a = 1 WHERE a = 7").isEmpty) }
}
