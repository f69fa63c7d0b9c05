import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport

/// A store and what its mirror would do with it: by GRDB and SQL alone, without the code under test. A record is known by
/// its name in the cloud.
struct SyncedStore {
    /// What one device has changed, as the others hear of it.
    struct Change {
        let record: String
        /// The values of the columns that were changed; nil where the record was deleted.
        let values: [String: DatabaseValue]?
    }

    /// One device has changed a record that another has deleted.
    struct NoSuchRow: Error {
        let change: Change
    }

    /// What is synced of a record.
    struct Values: Equatable {
        /// Literals of SQL, in the order of the columns.
        let literals: [String]
        /// Twelve hexadecimal digits; nil for what is no meter's.
        let address: String?
        /// What is not blank of the columns in `SyncedStore.typed`.
        let typed: [String?]
    }

    /// By record name.
    typealias Contents = [String: Values]

    /// The columns a user fills.
    static let typed = ["ZMETERNAME", "ZTC66TEMPERATUREUNIT", "ZMODELTYPE"]

    let store: TestStore
    private let metadata: String
    /// `Z_ENT` of the records.
    private let entity: Int64
    private let hasStrings: Bool
    /// In the order in which the bits of `ZCOLUMNS` stand for them: the entity has no relationships.
    private let attributes: [String]
    /// The last transaction that the fixture made.
    private let lastTransaction: Int64

    init(_ store: TestStore, _ fixture: StoreFixture) throws {
        self.store = store
        metadata = (fixture.mirror == .oldest ? "Z" : "A") + "NSCKRECORDMETADATA"
        hasStrings = fixture.history == .current
        entity = fixture.settingsNumber
        attributes = (fixture.model[entity: "DeviceSettings"]?.attributes.map(\.name) ?? [])
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        lastTransaction = try StoreText.read(store.path) {
            try Int64.fetchOne($0, sql: "SELECT MAX(Z_PK) FROM ATRANSACTION") ?? 0
        }
    }

    func contents() throws -> Contents {
        let columns = attributes.map { "Z" + $0.uppercased() }
        let literals = columns.map { "quote(r.\($0))" }.joined(separator: ", ")
        let typed = Self.typed.map { "r.\($0)" }.joined(separator: ", ")
        return try StoreText.read(store.path) { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT m.ZCKRECORDNAME, r.ZMACADDRESS, \(typed), \(literals) FROM ZDEVICESETTINGS r
                    LEFT JOIN \(metadata) m ON m.ZENTITYPK = r.Z_PK AND m.ZENTITYID = r.Z_ENT
                    """)
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    let typed = (0..<Self.typed.count).map {
                        (row[2 + $0] as String?).flatMap(RandomStoreTests.unlessBlank)
                    }
                    let values = Values(
                        literals: columns.indices.map { row[2 + Self.typed.count + $0] },
                        address: RandomStoreTests.digits(row[1]), typed: typed)
                    return (row[0] as String, values)
                })
        }
    }

    /// What the history tells of since the fixture was made, in its order.
    func changes() throws -> [Change] {
        try StoreText.read(store.path) { database in
            let author =
                hasStrings
                ? "(SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.ZAUTHORTS)" : "t.ZAUTHOR"
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT m.ZCKRECORDNAME, c.ZCHANGETYPE, c.ZENTITYPK, c.ZCOLUMNS FROM ACHANGE c
                    JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
                    LEFT JOIN \(metadata) m ON m.ZENTITYPK = c.ZENTITYPK AND m.ZENTITYID = c.ZENTITY
                    WHERE t.Z_PK > ? AND c.ZENTITY = ? AND \(author) = 'meterfix' ORDER BY c.Z_PK
                    """, arguments: [lastTransaction, entity])
            return try rows.map { row in
                // 1 is an update, 2 a delete; a rebuild inserts nothing.
                guard row[1] == 1 else { return Change(record: row[0], values: nil) }
                let bits: [UInt8] = [UInt8](row[3] as Data)
                let changed = attributes.indices.filter { bits[$0 / 8] & (0x80 >> UInt8($0 % 8)) != 0 }
                    .map { "Z" + attributes[$0].uppercased() }
                let values = try Row.fetchOne(
                    database, sql: "SELECT \(changed.joined(separator: ", ")) FROM ZDEVICESETTINGS WHERE Z_PK = ?",
                    arguments: [row[2] as Int64])
                return Change(record: row[0], values: Dictionary(uniqueKeysWithValues: values.map(Array.init) ?? []))
            }
        }
    }

    /// Takes over what others changed, or hears of its own changes once more.
    func take(_ changes: [Change]) throws {
        let queue = try DatabaseQueue(path: store.path, configuration: .forTests)
        try queue.write { database in
            for change in changes {
                let row = try Int64.fetchOne(
                    database,
                    sql: "SELECT ZENTITYPK FROM \(metadata) WHERE ZENTITYID = ? AND ZCKRECORDNAME = ?",
                    arguments: [entity, change.record])
                // It went when the first of them deleted it.
                guard let row else { continue }
                if let values = change.values {
                    let columns = values.keys.sorted()
                    let assignments = columns.map { "\($0) = ?" } + ["Z_OPT = Z_OPT + 1"]
                    try database.execute(
                        sql: "UPDATE ZDEVICESETTINGS SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?",
                        arguments: StatementArguments(columns.map { values[$0] }) + [row])
                    // Nobody changes what another deletes.
                    guard database.changesCount == 1 else { throw NoSuchRow(change: change) }
                } else {
                    try database.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = ?", arguments: [row])
                    try database.execute(
                        sql: "DELETE FROM \(metadata) WHERE ZENTITYID = ? AND ZENTITYPK = ?", arguments: [entity, row])
                }
            }
        }
        try queue.close()
    }
}
