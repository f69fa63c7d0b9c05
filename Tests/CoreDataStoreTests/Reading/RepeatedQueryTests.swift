import CoreDataStore
import GRDB
import Testing

@Suite("a query that is asked again")
struct RepeatedQueryTests {
    private static let query = "SELECT Z_PK FROM one WHERE Z_PK >= ? ORDER BY Z_PK"

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try DatabaseQueue().inDatabase { database in
            try database.execute(
                sql: "CREATE TABLE one (Z_PK INTEGER PRIMARY KEY); INSERT INTO one VALUES (1), (2), (3)")
            return try body(database)
        }
    }

    @Test("while its rows are being read, gives its own rows and disturbs nobody")
    func nested() throws {
        let rows = try read { database in
            try database.rows(Self.query, [.integer(2)]) { outer in
                let inner = try database.rows(Self.query, [.integer(outer.integer(0))]) { $0.integer(0) }
                return [outer.integer(0)] + inner
            }
        }
        #expect(rows == [[2, 2, 3], [3, 3]])
    }

    @Test("after an error while its rows were read, begins with the first row")
    func afterError() throws {
        struct Stop: Error {}
        let rows = try read { database in
            #expect(throws: Stop.self) { try database.forEachRow(Self.query, [.integer(1)]) { _ in throw Stop() } }
            return try database.rows(Self.query, [.integer(1)]) { $0.integer(0) }
        }
        #expect(rows == [1, 2, 3])
    }

    @Test("sees what was written since, and takes what is not given for NULL")
    func afterChanges() throws {
        let (before, after, none) = try read { database in
            let before = try database.rows(Self.query, [.integer(3)]) { $0.integer(0) }
            try database.execute(sql: "INSERT INTO one VALUES (4); ALTER TABLE one ADD COLUMN b INTEGER DEFAULT 7")
            let after = try database.rows(Self.query, [.integer(3)]) { $0.integer(0) }
            return (before, after, try database.rows(Self.query) { $0.integer(0) })
        }
        #expect(before == [3])
        #expect(after == [3, 4])
        #expect(none == [])
    }
}
