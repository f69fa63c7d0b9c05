internal import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

/// A row of a store that is not as a change left it.
package struct RowDifference: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case added, removed, changed
    }

    package let table: String
    package let row: Int64
    package let kind: Kind
    /// The fields that differ; empty for a row that was added or removed.
    package let fields: [FieldDelta]
}

extension RowDifference {
    /// The rows in which two stores differ, table by table in the order of their names; in each table first those that
    /// were there then.
    static func between(_ then: Database, _ now: Database) throws -> [RowDifference] {
        let before = try StoreSchema(then).tables
        let after = try StoreSchema(now).tables
        return try Set(before.keys).union(after.keys).sorted().flatMap { name in
            try rows(
                of: name, Side(name, before[name]?.columns ?? [], then), Side(name, after[name]?.columns ?? [], now))
        }
    }

    /// A table of one of the two stores, read in the order of row numbers.
    private struct Side {
        let columns: [SQLName]
        /// The number of a row and its columns. Nil where the table is not there, and for one without row numbers, whose
        /// rows cannot be named.
        private let statement: PreparedStatement?

        init(_ table: SQLName, _ columns: [StoreSchema.Table.Column], _ database: Database) {
            self.columns = columns.map(\.name)
            let selection = (["rowid"] + columns.map(\.name.quotedIdentifier)).joined(separator: ", ")
            statement =
                columns.isEmpty
                ? nil
                : try? PreparedStatement(
                    database, "SELECT \(selection) FROM \(table.quotedIdentifier) ORDER BY rowid")
        }

        func next() throws -> SQLiteRow? { try statement?.next() }
    }

    /// A column of either store, and its index in the rows of each; nil where it is not there.
    private struct Column {
        let name: String
        let then: Int?
        let now: Int?

        static func all(of then: Side, _ now: Side) -> [Column] {
            let columns = then.columns + now.columns.filter { !then.columns.contains($0) }
            return columns.map { name in
                Column(
                    name: name.text,
                    then: then.columns.firstIndex(of: name).map { $0 + 1 },
                    now: now.columns.firstIndex(of: name).map { $0 + 1 })
            }
        }

        /// Nil where the two rows have the same in it; where one of them lacks it, that is NULL.
        func difference(between then: SQLiteRow, and now: SQLiteRow) -> FieldDelta? {
            if let before = self.then, let after = self.now, then.holds(now, after, at: before) { return nil }
            let old = self.then.map { FieldValue(then, $0) } ?? .null
            let new = self.now.map { FieldValue(now, $0) } ?? .null
            return old == new ? nil : FieldDelta(RecordLayout.Field(name: name, kind: .text), before: old, after: new)
        }
    }

    private static func rows(of table: SQLName, _ then: Side, _ now: Side) throws -> [RowDifference] {
        let columns = Column.all(of: then, now)
        var moved: [RowDifference] = []
        var added: [RowDifference] = []
        var old = try then.next()
        var new = try now.next()
        while old != nil || new != nil {
            let (oldNumber, newNumber) = (old?.integer(0), new?.integer(0))
            if let row = oldNumber, newNumber.map({ row < $0 }) ?? true {
                moved.append(RowDifference(table: table.text, row: row, kind: .removed, fields: []))
                old = try then.next()
            } else if let row = newNumber, oldNumber.map({ row < $0 }) ?? true {
                added.append(RowDifference(table: table.text, row: row, kind: .added, fields: []))
                new = try now.next()
            } else if let oldRow = old, let newRow = new {
                let fields = columns.compactMap { $0.difference(between: oldRow, and: newRow) }
                if !fields.isEmpty {
                    moved.append(
                        RowDifference(table: table.text, row: oldRow.integer(0), kind: .changed, fields: fields))
                }
                old = try then.next()
                new = try now.next()
            }
        }
        return moved + added
    }
}
