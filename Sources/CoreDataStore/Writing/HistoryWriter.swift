package import GRDB

/// One transaction of persistent history, written as Core Data writes it (seen in eight real stores). Whether a
/// hand-written transaction is exported to CloudKit has not been confirmed on an Apple device.
package struct HistoryWriter {
    private let history: PersistentHistory
    private let keys: PrimaryKeys
    private let now: Double
    private let token: HistoryToken
    private let database: Database
    /// What has been recorded: the rows, and the index of the rest in `kinds`.
    private var rows: [Int64] = []
    private var rowKinds: [Int32] = []
    /// The distinct values of `entity` and `columns` among the changes: only a few, however many changes there are.
    private var kinds: [ChangeKind] = []

    /// A change without its row.
    private struct ChangeKind: Equatable {
        let type: PersistentHistory.ChangeType
        let entity: Int64
        /// `ZCOLUMNS`.
        let columns: [UInt8]?
    }

    /// The author, bundle and process of every transaction that meterfix writes. With one of the mirror's own authors it
    /// would never be uploaded.
    package static let author = "meterfix"

    /// A transaction; nothing is written before `finish`. If a page that is already in the WAL is changed again, as
    /// that of the row numbers would be, SQLite has to read all of the WAL after it to compute the checksums again.
    /// - Parameters:
    ///   - token: how far the mirror has read; the transaction gets a number after it, or it would never be exported.
    ///   - now: seconds since 2001, by the clock that is right now: an earlier transaction may have a later time, where a
    ///     clock was ahead. The mirror reads the history by number.
    ///   - count: how many changes are likely to be recorded.
    package init(
        _ history: PersistentHistory, keys: PrimaryKeys, after token: HistoryToken, now: Double,
        expecting count: Int = 0, _ database: Database
    ) {
        rows.reserveCapacity(count)
        rowKinds.reserveCapacity(count)
        self.history = history
        self.keys = keys
        self.now = now
        self.token = token
        self.database = database
    }

    /// The number of what one or many changes have in common, to be recorded with `record`: it is looked up once.
    /// - Parameter columns: the bits of `ZCOLUMNS` for an update; nil for the other types, as Core Data has it.
    package mutating func kind(
        _ type: PersistentHistory.ChangeType, entity: Int64, columns: [UInt8]? = nil
    ) -> Int32 {
        let kind = ChangeKind(type: type, entity: entity, columns: columns)
        let known = kinds.firstIndex(of: kind) ?? kinds.endIndex
        if known == kinds.endIndex { kinds.append(kind) }
        return Int32(known)
    }

    package mutating func record(_ kind: Int32, row: Int64) {
        rows.append(row)
        rowKinds.append(kind)
    }

    /// Writes the transaction, its changes in the order they were recorded in, and `Z_MAX` of both.
    /// - Throws: SQLite's errors; `RowNumbersExhausted` if no row numbers are left.
    package func finish() throws {
        let transactionEntity = try self.entity("TRANSACTION", number: 16_002)
        let transaction = try writeTransaction(transactionEntity)
        let entity = try self.entity("CHANGE", number: 16_001)
        let last = try writeChanges(after: lastNumber("CHANGE", table: "ACHANGE"), of: transaction, entity)
        try write(entity, last: last)
        try write(transactionEntity, last: transaction)
    }

    /// - Returns: its number.
    private func writeTransaction(_ entity: Int64) throws -> Int64 {
        let author: SQLiteBinding =
            try history.hasStrings ? .integer(authorString()) : .string(Self.author)
        let last = max(token.transaction, try lastNumber("TRANSACTION", table: "ATRANSACTION"))
        let transaction = try Self.number(after: last, table: "ATRANSACTION")
        // Only the affinity of a date column turns whole seconds into INTEGER; ZTIMESTAMP is FLOAT.
        var values: [(column: String, value: SQLiteBinding)] = [
            ("Z_PK", .integer(transaction)), ("Z_ENT", .integer(entity)), ("ZTIMESTAMP", .real(now)),
        ]
        values += history.nameColumns.prefix(3).map { ($0.text, author) }
        let columns = values.map(\.column.quotedIdentifier).joined(separator: ", ")
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try PreparedStatement(database, "INSERT OR FAIL INTO ATRANSACTION (\(columns)) VALUES (\(marks))").run(
            values.map(\.value))
        return transaction
    }

    /// The row number of the author's string, which is added if it is missing.
    private func authorString() throws -> Int64 {
        let name = SQLiteBinding.string(Self.author)
        let known = try database.rows("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [name]) { $0.integer(0) }
        if let last = known.last { return last }
        let entity = try self.entity("TRANSACTIONSTRING", number: 16_003)
        let table = "ATRANSACTIONSTRING"
        let number = try Self.number(after: lastNumber("TRANSACTIONSTRING", table: table), table: table)
        try PreparedStatement(database, "INSERT OR FAIL INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)")
            .run([.integer(number), .integer(entity), name])
        try write(entity, last: number)
        return number
    }

    /// For several changes at once: one statement for each takes twice as long.
    private static let changesAtOnce = 25

    /// - Returns: the number of the last change.
    private func writeChanges(after first: Int64, of transaction: Int64, _ entity: Int64) throws -> Int64 {
        let columns = kinds.map { $0.columns.map(SQLiteBinding.blob) ?? .null }
        var last = first
        var statement: (count: Int, insert: PreparedStatement)?
        for start in stride(from: 0, to: rows.count, by: Self.changesAtOnce) {
            let batch = start..<min(start + Self.changesAtOnce, rows.count)
            var values: [SQLiteBinding] = [.integer(entity), .integer(transaction)]
            values.reserveCapacity(2 + batch.count * 5)
            for change in batch {
                last = try Self.number(after: last, table: "ACHANGE")
                let kind = Int(rowKinds[change])
                values += [
                    .integer(last), .integer(kinds[kind].type.rawValue), .integer(kinds[kind].entity),
                    .integer(rows[change]), columns[kind],
                ]
            }
            let insert =
                try statement.flatMap { $0.count == batch.count ? $0.insert : nil }
                ?? Self.insert(batch.count, database)
            statement = (batch.count, insert)
            try insert.run(values)
        }
        return last
    }

    /// A statement that writes changes: their entity and transaction, and then five values of each.
    private static func insert(_ count: Int, _ database: Database) throws -> PreparedStatement {
        let rows = (0..<count).map { row in
            let first = 3 + row * 5
            return "(?\(first), ?1, ?\(first + 1), ?\(first + 2), ?\(first + 3), ?2, ?\(first + 4))"
        }
        // A failure rolls back everything, so SQLite need not save the pages that each statement changes.
        return try PreparedStatement(
            database,
            """
            INSERT OR FAIL INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
            VALUES \(rows.joined(separator: ", "))
            """)
    }
}

/// Row numbers from `Z_PRIMARYKEY`: never reused, even after rows were deleted.
extension HistoryWriter {
    /// `Z_ENT` of one of the history's entities; its row is added if the store has had no transaction yet.
    private func entity(_ name: String, number: Int64) throws -> Int64 {
        if let known = keys[name] { return known.number }
        try PreparedStatement(
            database, "INSERT OR FAIL INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)"
        )
        .run([.integer(number), .string(name)])
        return number
    }

    private static func number(after number: Int64, table: String) throws -> Int64 {
        guard number < .max else { throw RowNumbersExhausted(table: table) }
        return number + 1
    }

    /// The largest number given out so far; 0 for none.
    private func lastNumber(_ name: String, table: String) throws -> Int64 {
        max(0, keys[name]?.lastRow ?? 0, try database.integer(of: "SELECT MAX(Z_PK) FROM \(table)"))
    }

    /// - Parameter entity: its `Z_ENT`; the name may be there as a BLOB.
    private func write(_ entity: Int64, last: Int64) throws {
        try PreparedStatement(database, "UPDATE OR FAIL Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
            .run([.integer(last), .integer(entity)])
    }
}
