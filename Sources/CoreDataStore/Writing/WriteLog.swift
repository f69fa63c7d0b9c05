internal import Foundation
package import GRDB
private import GRDBSQLite

/// The rows that SQLite inserts, updates or deletes while the log lives, including those changed by triggers.
///
/// It uses `sqlite3_update_hook`, which according to SQLite's documentation leaves out internal tables such as
/// `sqlite_master`, WITHOUT ROWID tables, rows that a REPLACE removes because of a conflict, and a DELETE of all rows
/// of a table. The last two show in the number of rows.
package final class WriteLog {
    /// Row numbers, each as often as it was written, in the order of the writes.
    package struct Rows: Sendable {
        package fileprivate(set) var inserted: [Int64] = []
        package fileprivate(set) var updated: [Int64] = []
        package fileprivate(set) var deleted: [Int64] = []
    }

    private let connection: SQLiteConnection
    /// The names of the tables that were written to, each terminated by a zero.
    @exclusivity(unchecked) private var names: [[CChar]] = []
    /// For each table in `names`.
    @exclusivity(unchecked) private var rows: [Rows] = []
    /// The table that was written to last: the next write is most likely to the same one.
    @exclusivity(unchecked) private var current = 0

    /// Starts the log. A connection has one at a time.
    package init(_ database: Database) {
        guard let connection = database.sqliteConnection else { preconditionFailure("the database is open") }
        self.connection = connection
        sqlite3_update_hook(
            connection,
            { log, operation, database, table, row in
                guard let log, let database, let table, strcmp(database, "main") == 0 else { return }
                Unmanaged<WriteLog>.fromOpaque(log).takeUnretainedValue().note(operation, table, row)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_update_hook(connection, nil, nil) }

    /// What was written, by table.
    package var tables: [SQLName: Rows] {
        let texts = names.map { SQLName(String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)) }
        return Dictionary(uniqueKeysWithValues: zip(texts, rows))
    }

    private func note(_ operation: Int32, _ table: UnsafePointer<CChar>, _ row: Int64) {
        if current >= names.count || strcmp(names[current], table) != 0 {
            current = names.firstIndex { strcmp($0, table) == 0 } ?? names.count
            if current == names.count {
                names.append(Array(UnsafeBufferPointer(start: table, count: strlen(table) + 1)))
                rows.append(Rows())
            }
        }
        switch operation {
        case SQLITE_INSERT: rows[current].inserted.append(row)
        case SQLITE_DELETE: rows[current].deleted.append(row)
        default: rows[current].updated.append(row)
        }
    }
}
