package import GRDB

/// One transaction of persistent history, written as Core Data writes it (seen in eight real stores). Whether a
/// hand-written transaction is exported to CloudKit has not been confirmed on an Apple device.
package struct HistoryWriter {
    private let database: Database
    /// For as many changes as are written at once: a statement for each takes twice as long.
    private let insertChanges: PreparedStatement
    private static let changesAtOnce = 25
    /// Values of changes that are not written yet.
    private var pending: [SQLiteBinding] = []
    private let changeEntity: Int64
    private let transaction: Int64
    /// The number of the last change.
    private var lastChange: Int64

    /// The author, bundle and process of every transaction that meterfix writes. An author that begins with
    /// `NSCloudKitMirroringDelegate.` would never be uploaded.
    package static let author = "meterfix"

    /// The largest number there is has been handed out: no store comes so far by itself.
    struct NumbersExhausted: Error, CustomStringConvertible {
        let table: String
        var description: String { "there are no row numbers left in \(table)" }
    }

    /// Opens a transaction in the history.
    /// - Parameter now: seconds since 2001. A later time in the history is used instead: its times never go backwards.
    package init(
        _ history: PersistentHistory, keys: PrimaryKeys, schema: StoreSchema, now: Double, _ database: Database
    ) throws {
        self.database = database
        var ledger = NumberLedger(keys: keys, database)
        let string = history.form == .strings ? try Self.string(&ledger, database) : nil
        let entity = try ledger.entity("TRANSACTION", number: 16_002)
        transaction = try ledger.next("TRANSACTION", table: "ATRANSACTION")
        var latest = now
        try database.forEachRow("SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION") { latest = max(latest, $0.real(0)) }
        // A date column holds whole seconds as INTEGER only by affinity; ZTIMESTAMP is FLOAT.
        var values: [(column: String, value: SQLiteBinding)] = [
            ("Z_PK", .integer(transaction)), ("Z_ENT", .integer(entity)), ("ZTIMESTAMP", .real(latest)),
        ]
        if let string {
            values += ["ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS"].map { ($0, .integer(string)) }
        } else {
            values += ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID"].map { ($0, .text(Array(Self.author.utf8))) }
        }
        let columns = values.map(\.column.quotedIdentifier).joined(separator: ", ")
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try PreparedStatement(database, "INSERT INTO ATRANSACTION (\(columns)) VALUES (\(marks))").run(
            values.map(\.value))
        changeEntity = try ledger.entity("CHANGE", number: 16_001)
        lastChange = try ledger.last("CHANGE", table: "ACHANGE")
        insertChanges = try Self.insertChanges(Self.changesAtOnce, database)
    }

    private static let changeColumns = [
        "Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ]

    private static func insertChanges(_ count: Int, _ database: Database) throws -> PreparedStatement {
        let row = "(" + changeColumns.map { _ in "?" }.joined(separator: ", ") + ")"
        let rows = Array(repeating: row, count: count).joined(separator: ", ")
        return try PreparedStatement(
            database, "INSERT INTO ACHANGE (\(changeColumns.joined(separator: ", "))) VALUES \(rows)")
    }

    /// The number of the author's string, which is added where it is missing.
    private static func string(_ ledger: inout NumberLedger, _ database: Database) throws -> Int64 {
        let name = SQLiteBinding.text(Array(author.utf8))
        var known: Int64?
        try database.forEachRow("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [name]) { known = $0.integer(0) }
        if let known { return known }
        let entity = try ledger.entity("TRANSACTIONSTRING", number: 16_003)
        let number = try ledger.next("TRANSACTIONSTRING", table: "ATRANSACTIONSTRING")
        try PreparedStatement(database, "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)")
            .run([.integer(number), .integer(entity), name])
        try ledger.write("TRANSACTIONSTRING", last: number)
        return number
    }

    /// Records one change of a row.
    /// - Parameter columns: the bits of `ZCOLUMNS` for an update; nil for the other types, as Core Data has it.
    package mutating func record(
        _ type: PersistentHistory.ChangeType, entity: Int64, row: Int64, columns: [UInt8]?
    ) throws {
        lastChange = try NumberLedger.next(after: lastChange, table: "ACHANGE")
        pending += [
            .integer(lastChange), .integer(changeEntity), .integer(type.rawValue), .integer(entity), .integer(row),
            .integer(transaction), columns.map(SQLiteBinding.blob) ?? .null,
        ]
        guard pending.count == Self.changesAtOnce * Self.changeColumns.count else { return }
        try insertChanges.run(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Ends the transaction: its last changes, and `Z_MAX` of the changes and the transactions.
    package func finish() throws {
        if !pending.isEmpty {
            try Self.insertChanges(pending.count / Self.changeColumns.count, database).run(pending)
        }
        let ledger = NumberLedger(keys: nil, database)
        try ledger.write("CHANGE", last: lastChange)
        try ledger.write("TRANSACTION", last: transaction)
    }
}

/// Row numbers from `Z_PRIMARYKEY`: never reused, also after rows were deleted.
private struct NumberLedger {
    let database: Database
    let keys: PrimaryKeys?

    init(keys: PrimaryKeys?, _ database: Database) {
        self.keys = keys
        self.database = database
    }

    /// `Z_ENT` of one of the history's entities; its row is added where the store has had no transaction yet.
    mutating func entity(_ name: String, number: Int64) throws -> Int64 {
        if let known = keys?[name] { return known.number }
        try PreparedStatement(database, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)")
            .run([.integer(number), .text(Array(name.utf8))])
        return number
    }

    func next(_ name: String, table: String) throws -> Int64 {
        try Self.next(after: last(name, table: table), table: table)
    }

    static func next(after number: Int64, table: String) throws -> Int64 {
        guard number < .max else { throw HistoryWriter.NumbersExhausted(table: table) }
        return number + 1
    }

    /// The largest number handed out so far; 0 for none.
    func last(_ name: String, table: String) throws -> Int64 {
        var largest = max(0, keys?[name]?.lastRow ?? 0)
        try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") { largest = max(largest, $0.integer(0)) }
        return largest
    }

    func write(_ name: String, last: Int64) throws {
        try PreparedStatement(database, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?")
            .run([.integer(last), .text(Array(name.utf8))])
    }
}
