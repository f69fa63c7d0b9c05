internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension MovedRow {
    /// The rows in which two stores differ, table by table in the order of their names.
    static func between(_ then: Database, _ now: Database) throws -> [MovedRow] {
        let before = try StoreSchema(then).tables
        let after = try StoreSchema(now).tables
        var moved: [MovedRow] = []
        for name in Set(before.keys).union(after.keys).sorted() {
            if before[name] != nil, after[name] != nil,
                try TableDigest(of: name, then) == TableDigest(of: name, now)
            {
                continue
            }
            let old = before[name]?.columns.map(\.name) ?? []
            let new = after[name]?.columns.map(\.name) ?? []
            let columns = old + new.filter { !old.contains($0) }
            moved += try rows(of: name, columns, Side(old, name, then), Side(new, name, now))
        }
        return moved
    }

    /// One of the two stores: reads a row of a table by its number.
    private struct Side {
        let database: Database
        /// Nil where the table is not there.
        let statement: PreparedStatement?
        /// Where each column stands in what `statement` selects. By the bytes of its name, as SQLite has it: to Swift two
        /// ways to write an accent are one name.
        let positions: [[UInt8]: Int]
        private let table: String

        init(_ columns: [String], _ table: String, _ database: Database) throws {
            self.database = database
            self.table = table
            positions = Dictionary(uniqueKeysWithValues: zip(columns.map { Array($0.utf8) }, columns.indices))
            // Not of a table without row numbers: it says that it differs by nothing but its digest.
            statement =
                columns.isEmpty
                ? nil
                : try? PreparedStatement(
                    database,
                    "SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) "
                        + "FROM \(table.quotedIdentifier) WHERE rowid = ?")
        }

        func forEachNumber(_ body: (Int64) throws -> Void) throws {
            guard statement != nil else { return }
            try database.forEachRow("SELECT rowid FROM \(table.quotedIdentifier) ORDER BY rowid") {
                try body($0.integer(0))
            }
        }

        /// The values of these columns; nil where there is no such row.
        func values(_ columns: [String], of row: Int64) throws -> [FieldValue]? {
            var values: [FieldValue]?
            try statement?.forEachRow([.integer(row)]) { found in
                values = columns.map { column in positions[Array(column.utf8)].map { FieldValue(found, $0) } ?? .null }
            }
            return values
        }
    }

    private static func rows(of table: String, _ columns: [String], _ then: Side, _ now: Side) throws -> [MovedRow] {
        var moved: [MovedRow] = []
        try then.forEachNumber { row in
            let old = try then.values(columns, of: row) ?? []
            guard let new = try now.values(columns, of: row) else {
                moved.append(MovedRow(table: table, row: row, kind: .removed, fields: []))
                return
            }
            let fields = columns.indices.filter { old[$0] != new[$0] }
                .map { Field(name: columns[$0], then: old[$0], now: new[$0]) }
            if !fields.isEmpty { moved.append(MovedRow(table: table, row: row, kind: .changed, fields: fields)) }
        }
        try now.forEachNumber { row in
            if try then.values([], of: row) == nil {
                moved.append(MovedRow(table: table, row: row, kind: .added, fields: []))
            }
        }
        return moved
    }
}
