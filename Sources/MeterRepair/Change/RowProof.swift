internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The equation of rows, a part of the check before a commit: `after == plan applied to before`, in each column of each
/// row of the tables in which the plan changes rows: that of the records, and those in which it corrects entity numbers.
///
/// The rows are read before the change, and the plan is applied to them here, in memory. After the change the tables must
/// have these rows, these values and no others. Nothing of what wrote the rows is used for it.
struct RowProof {
    /// What one of the tables must be after the change.
    private struct Table {
        struct Row {
            /// One for each column.
            var values: [FieldValue]
            /// The places of those that the plan gives it, which are as they would be written: a column may store a whole
            /// real number as an integer. Every other value keeps its storage class too.
            var planned: [Int] = []
        }

        /// All but `Z_PK`, as they are before the change.
        let columns: [SQLName]
        private let places: [SQLName: Int]
        /// By their numbers.
        var rows: [Int64: Row] = [:]

        init(_ columns: [SQLName]) {
            self.columns = columns
            places = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
        }

        func value(of column: SQLName, in row: Int64) throws -> FieldValue {
            guard let row = rows[row], let place = places[column] else { throw Self.missing(column, row) }
            return row.values[place]
        }

        mutating func set(_ column: SQLName, of row: Int64, to value: FieldValue) throws {
            guard rows[row] != nil, let place = places[column] else { throw Self.missing(column, row) }
            rows[row]!.values[place] = value
            rows[row]!.planned.append(place)
        }

        private static func missing(_ column: SQLName, _ row: Int64) -> ProofError {
            ProofError(description: "there is no \(column) of row \(row) to change")
        }
    }

    private var expected: [SQLName: Table] = [:]

    var tables: Set<SQLName> { Set(expected.keys) }

    /// Reads the tables as they are before the change, and applies the plan to what was read.
    /// - Throws: `StoreError` where a record to update cannot count one change more; `ProofError` for a plan that does not
    ///   fit; SQLite's errors.
    init(before plan: Plan, in session: MeterSession) throws {
        let records = session.settings.table.name
        for name in Set(plan.correctedRows.keys).union(plan.changesRecords ? [records] : []) {
            let columns = session.description.schema.tables[name]?.columns.map(\.name) ?? []
            var table = Table(columns.filter { $0 != "Z_PK" })
            try Self.forEachRow(of: name, table.columns, session.database) { number, row in
                table.rows[number] = Table.Row(values: table.columns.indices.map { FieldValue(row, $0 + 1) })
                if table.rows.count & 0x3FF == 0 { WorkProgress.advance(.records, by: 0x400) }
            }
            expected[name] = table
        }
        for case .entityNumber(let name, let row, _, let after) in plan.schemaChanges {
            try expected[SQLName(name)]?.set("Z_ENT", of: row, to: .integer(after))
        }
        guard var table = expected[records] else { return }
        expected[records] = nil
        for change in plan.meters.lazy.flatMap(\.records) { try Self.apply(change, to: &table, session) }
        expected[records] = table
    }

    private static func apply(_ change: RecordChange, to table: inout Table, _ session: MeterSession) throws {
        let settings = session.settings
        func column(_ field: RecordLayout.Field) -> SQLName { settings.columns[settings.layout.position(of: field)!] }
        switch change {
        case .delete(let deletion):
            guard table.rows.removeValue(forKey: deletion.record.row) != nil else {
                throw ProofError(description: "there is no row \(deletion.record.row) to delete")
            }
        case .update(let update):
            try countChange(of: update.row, in: &table, session)
            for change in update.fields { try table.set(column(change.field), of: update.row, to: change.after) }
        case .insert(let insertion):
            let empty = [FieldValue](repeating: .null, count: table.columns.count)
            guard table.rows.updateValue(Table.Row(values: empty), forKey: insertion.row) == nil else {
                throw ProofError(description: "row \(insertion.row) is there already")
            }
            try table.set("Z_ENT", of: insertion.row, to: .integer(settings.entity.number))
            try table.set("Z_OPT", of: insertion.row, to: .integer(1))
            for change in insertion.fields { try table.set(column(change.field), of: insertion.row, to: change.after) }
        }
    }

    /// Each update counts in `Z_OPT`.
    private static func countChange(of row: Int64, in table: inout Table, _ session: MeterSession) throws {
        let name = session.settings.table.name
        let count: FieldValue
        switch try table.value(of: "Z_OPT", in: row) {
        case .integer(.max):
            throw StoreError(
                .unsuitable, at: session.store.path, "Z_OPT of row \(row) of \(name) is the largest number there is")
        case .integer(let number): count = .integer(number + 1)
        case .null: count = .integer(1)
        // SQLite knows what number it takes it for.
        case .real, .text, .malformedText, .blob:
            let sum = "SELECT Z_OPT + 1 FROM \(name.quotedIdentifier) WHERE Z_PK = ?"
            count = try session.database.rows(sum, [.integer(row)]) { FieldValue($0, 0) }.first ?? .null
        }
        try table.set("Z_OPT", of: row, to: count)
    }

    /// - Throws: `ProofError` where the tables are not what they must be; SQLite's errors.
    func check(_ database: Database) throws {
        for (name, table) in expected {
            var left = table.rows.count
            try Self.forEachRow(of: name, table.columns, database) { number, row in
                guard let expected = table.rows[number] else {
                    throw ProofError(description: "row \(number) of \(name) is there, and should not be")
                }
                for (place, value) in expected.values.enumerated() {
                    let column = place + 1
                    let isPlanned = expected.planned.contains(place)
                    guard isPlanned ? row.holds(value, at: column) : row.isIdentical(value, at: column) else {
                        throw ProofError(
                            description: "\(table.columns[place]) of row \(number) of \(name) is not what was planned")
                    }
                }
                left -= 1
            }
            guard left == 0 else { throw ProofError(description: "\(left) rows of \(name) are missing") }
        }
    }

    /// - Throws: `ProofError` where two rows have one number; what `body` throws.
    private static func forEachRow(
        of table: SQLName, _ columns: [SQLName], _ database: Database, _ body: (Int64, SQLiteRow) throws -> Void
    ) throws {
        let selection = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
        var last: Int64?
        try database.forEachRow("SELECT \(selection) FROM \(table.quotedIdentifier) ORDER BY Z_PK") { row in
            let number = row.integer(0)
            if let last, number <= last { throw ProofError(description: "row \(number) of \(table) is there twice") }
            last = number
            try body(number, row)
        }
    }
}

extension Plan {
    /// The rows whose entity numbers are corrected, by table, in ascending order.
    var correctedRows: [SQLName: [Int64]] {
        var rows: [SQLName: [Int64]] = [:]
        for case .entityNumber(let table, let row, _, _) in schemaChanges {
            rows[SQLName(table), default: []].append(row)
        }
        return rows.mapValues { $0.sorted() }
    }
}

extension SQLiteRow {
    /// Whether a column has this very value, in the same storage class.
    fileprivate func isIdentical(_ value: FieldValue, at column: Int) -> Bool {
        switch (self[column], value) {
        case (.integer, .real), (.real, .integer): false
        case (.real(let number), .real(let expected)): number.bitPattern == expected.bitPattern
        default: holds(value, at: column)
        }
    }
}
