internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// The part of the check before a commit that is about the entity numbers of rows: the planned ones are what was planned,
/// all others of these tables what they were, and so is everything else in the rows that get one. That no other row was
/// written, SQLite tells (`WriteLog`).
struct EntityNumberProof {
    /// By table and row: the number after the change.
    private let planned: [SQLName: [Int64: Int64]]
    /// The columns of each of these tables, but for `Z_PK` and `Z_ENT`.
    private let columns: [SQLName: [SQLName]]
    /// Records whose other columns `RecordProof` looks after.
    private let updated: (table: SQLName, rows: Set<Int64>)
    private var before: [SQLName: [UInt8]] = [:]

    /// - Throws: SQLite's errors.
    init(
        before plan: Plan, _ records: PlannedRows, _ store: StoreDescription, _ settings: SettingsTable,
        _ database: Database
    ) throws {
        var planned: [SQLName: [Int64: Int64]] = [:]
        for case .entityNumber(let table, let row, _, let after) in plan.schemaChanges {
            planned[SQLName(table), default: [:]][row] = after
        }
        self.planned = planned
        var columns: [SQLName: [SQLName]] = [:]
        for table in planned.keys {
            columns[table] = (store.schema.tables[table]?.columns.map(\.name) ?? [])
                .filter { $0 != "Z_PK" && $0 != "Z_ENT" }
        }
        self.columns = columns
        // Of no other table are rows looked at.
        updated = (settings.table.name, planned[settings.table.name] == nil ? [] : Set(records.updated.map(\.row)))
        for table in planned.keys { before[table] = try digest(of: table, database) { _, _ in } }
    }

    var tables: Set<SQLName> { Set(planned.keys) }

    /// The rows of a table that get another number, in ascending order.
    func rows(of table: SQLName) -> [Int64] { planned[table]?.keys.sorted() ?? [] }

    /// - Throws: `ProofError`; SQLite's errors.
    func check(_ database: Database) throws {
        for (table, rows) in planned {
            var found = 0
            let after = try digest(of: table, database) { row, number in
                guard number == .integer(rows[row] ?? 0) else {
                    throw ProofError(description: "Z_ENT of row \(row) of \(table) is not what was planned")
                }
                found += 1
            }
            guard found == rows.count else {
                throw ProofError(description: "\(rows.count - found) rows of \(table) are gone that the plan corrects")
            }
            guard after == before[table] else {
                throw ProofError(description: "more of the rows of \(table) changed than their entity numbers")
            }
        }
    }

    /// Of all that is to stay.
    /// - Parameter visit: handed each planned row, with what it has for a number.
    private func digest(
        of table: SQLName, _ database: Database, _ visit: (Int64, FieldValue) throws -> Void
    ) throws -> [UInt8] {
        let rows = planned[table] ?? [:]
        var digest = ValueDigest()
        let others = columns[table] ?? []
        let selection = (["Z_PK", "Z_ENT"] + others).map(\.quotedIdentifier).joined(separator: ", ")
        try database.forEachRow("SELECT \(selection) FROM \(table.quotedIdentifier) ORDER BY Z_PK") { row in
            let number = row.integer(0)
            digest.add(row, 0)
            guard rows[number] != nil else {
                digest.add(row, 1)
                return
            }
            try visit(number, FieldValue(row, 1))
            guard table != updated.table || !updated.rows.contains(number) else { return }
            for column in others.indices { digest.add(row, column + 2) }
        }
        return digest.finish()
    }
}
