import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport

/// A change of persistent history, as `NSPersistentHistoryChange` tells of it.
struct HistoryChange: Hashable, Sendable {
    enum Kind: Int, Sendable {
        case insert
        case update
        case delete
    }

    let kind: Kind
    /// `Z_PK` of the object.
    let row: Int64
    /// The names of the attributes that changed; nil for what is no update.
    let updatedProperties: Set<String>?
}

/// A transaction of persistent history, as `NSPersistentHistoryTransaction` tells of it.
struct HistoryTransaction: Hashable, Sendable {
    let number: Int64
    let author: String?
    let bundle: String
    let process: String
    /// In their order.
    let changes: [HistoryChange]
}

extension Plan {
    /// What the history says once the plan is carried out: one change for each record, in whatever order.
    var historyChanges: Set<HistoryChange> {
        var expected: Set<HistoryChange> = []
        for change in recordChanges {
            switch change {
            case .update(let update):
                expected.insert(
                    HistoryChange(
                        kind: .update, row: update.row, updatedProperties: Set(update.fields.map(\.field.name))))
            case .delete(let deletion):
                expected.insert(HistoryChange(kind: .delete, row: deletion.record.row, updatedProperties: nil))
            case .insert(let insertion):
                expected.insert(HistoryChange(kind: .insert, row: insertion.row, updatedProperties: nil))
            }
        }
        return expected
    }
}

extension HistoryTransaction {
    /// The history of `DeviceSettings` as it is in the tables, read with nothing of meterfix's: an update names its
    /// attributes by bits of `ZCOLUMNS`, most significant first, one for each attribute in the order of their names.
    /// (The entity has no relationship in any sample.)
    /// - Parameter attributes: the names of its attributes.
    /// - Throws: SQLite's errors, also where there is no history.
    static func written(in path: String, attributes: [String]) throws -> [HistoryTransaction] {
        let names = attributes.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return try StoreText.read(path) { database in
            let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('ATRANSACTION')")
            let (author, bundle, process) =
                columns.contains("ZAUTHORTS")
                ? (text("ZAUTHOR"), text("ZBUNDLEID"), text("ZPROCESSID")) : ("ZAUTHOR", "ZBUNDLEID", "ZPROCESSID")
            let changes = try Row.fetchAll(
                database,
                sql: """
                    SELECT ZTRANSACTIONID, ZCHANGETYPE, ZENTITYPK, ZCOLUMNS FROM ACHANGE JOIN Z_PRIMARYKEY
                    ON Z_PRIMARYKEY.Z_ENT = ZENTITY AND Z_NAME = 'DeviceSettings' ORDER BY Z_PK
                    """)
            let byTransaction = Dictionary(grouping: changes) { $0[0] as Int64 }
            return try Row.fetchAll(
                database, sql: "SELECT Z_PK, \(author), \(bundle), \(process) FROM ATRANSACTION ORDER BY Z_PK"
            ).map { row in
                HistoryTransaction(
                    number: row[0], author: row[1], bundle: row[2], process: row[3],
                    changes: (byTransaction[row[0]] ?? []).compactMap { change in
                        HistoryChange.Kind(rawValue: change[1]).map {
                            HistoryChange(kind: $0, row: change[2], updatedProperties: set(change[3], of: names))
                        }
                    })
            }
        }
    }

    private static func text(_ column: String) -> String {
        "(SELECT ZNAME FROM ATRANSACTIONSTRING WHERE ATRANSACTIONSTRING.Z_PK = \(column)TS)"
    }

    private static func set(_ bits: Data?, of names: [String]) -> Set<String>? {
        bits.map { bits in
            let bits = [UInt8](bits)
            return Set(
                names.indices.filter { $0 / 8 < bits.count && bits[$0 / 8] & 0x80 >> ($0 % 8) != 0 }.map { names[$0] })
        }
    }
}
