internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The part of the check before a commit that is about the records: each that was to be written is read again, and must be
/// as the plan has it.
struct RecordProof {
    private let plan: Plan
    private let rows: PlannedRows
    private let settings: SettingsTable
    private let before: RecordsBefore

    /// Reads the records as they are before the change.
    /// - Parameter tables: whose rows are counted besides.
    /// - Throws: `StoreError` where the row of a record to update cannot count one change more.
    init(before plan: Plan, _ rows: PlannedRows, counting tables: [SQLName], _ session: MeterSession) throws {
        self.plan = plan
        self.rows = rows
        settings = session.settings
        before = try RecordsBefore(of: rows, among: tables, in: session)
    }

    /// How many rows each of the tables had.
    var countsBefore: [SQLName: Int] { before.counts }

    /// The store with its records as the plan leaves them.
    struct Outcome {
        let store: InspectedStore
        fileprivate let updatedBefore: UpdatedRecords
        fileprivate let written: WrittenRecords
    }

    /// Reads the records as the change leaves them.
    /// - Parameter store: after the change, without its records.
    func outcome(in store: InspectedStore, _ database: Database) throws -> Outcome {
        let written = WrittenRecords(of: plan, rows, settings)
        var store = store
        try store.readRecords(database, watch: written.visit)
        written.finish()
        return Outcome(store: store, updatedBefore: before.updated, written: written)
    }

    /// - Throws: `ProofError`.
    func check(_ outcome: Outcome) throws {
        let records = outcome.store.addresses.records
        guard records == plan.size.records - rows.deleted.count + rows.inserted.count else {
            throw ProofError(description: "\(records) records are left instead of the planned number")
        }
        let (before, after) = (outcome.updatedBefore, outcome.written.updated)
        guard after.versions == before.versions.map({ $0 + 1 }) else {
            throw ProofError(description: "Z_OPT of an updated row did not increase by one, or the row is missing")
        }
        guard after.digest == before.digest else {
            throw ProofError(description: "a field of an updated row changed that the plan does not name")
        }
        guard outcome.written.inserted == rows.inserted.count else {
            throw ProofError(
                description: "\(rows.inserted.count - outcome.written.inserted) planned rows are not there")
        }
    }
}

/// What must be known of the records before a change. Those that it leaves alone were left alone: SQLite tells that itself
/// (`WriteLog`).
private struct RecordsBefore {
    /// What must be known of the records that are updated.
    let updated: UpdatedRecords
    /// How many rows each table has.
    let counts: [SQLName: Int]

    /// - Parameter tables: which are counted.
    /// - Throws: `StoreError` where the row of a record to update cannot count one change more.
    init(
        of rows: PlannedRows, among tables: [SQLName], in session: MeterSession
    ) throws {
        let (settings, database) = (session.settings, session.database)
        counts = try database.rowCounts(of: tables)
        var updated = UpdatedRecords(rows)
        try database.forEachRow(
            numbered: rows.updated.map(\.row), in: settings.table.name, columns: settings.allColumns
        ) { _ = updated.visit($0) }
        updated.finish()
        self.updated = updated
        if let index = updated.versions.firstIndex(of: .max) {
            throw StoreError(
                .unsuitable, at: session.store.path,
                "Z_OPT of row \(rows.updated[index].row) of \(settings.table.name) is the largest number there is")
        }
    }
}

/// What of the records to update must be known to tell later that nothing but the planned fields changed. Fed with rows
/// in the order of their numbers, each with all columns of its table (`SettingsTable.allColumns`).
private struct UpdatedRecords {
    /// `Z_OPT` of each, in the order of row numbers; one that is not there is left out.
    private(set) var versions: [Int64] = []
    /// Of the columns that no update names, each row's own; set when all are seen.
    private(set) var digest: [UInt8] = []
    private let rows: PlannedRows
    private var rest = ValueDigest()
    private var next = 0

    init(_ rows: PlannedRows) {
        self.rows = rows
        versions.reserveCapacity(rows.updated.count)
    }

    /// - Returns: the update of this row; nil where none is planned.
    mutating func visit(_ row: SQLiteRow) -> PlannedRows.Update? {
        let number = row.integer(0)
        while next < rows.updated.count, rows.updated[next].row < number { next += 1 }
        guard next < rows.updated.count, rows.updated[next].row == number else { return nil }
        let update = rows.updated[next]
        versions.append(row.integer(rows.versionColumn))
        for column in rows.fieldSets[update.fieldSet].others { rest.add(row, column) }
        return update
    }

    /// After the last row.
    mutating func finish() { digest = rest.finish() }
}

/// The records after the change, as they are read for the checks: each row that was to be written must be as the plan
/// has it. Fed with rows in the order of their numbers, each with all columns of its table (`SettingsTable.allColumns`).
private final class WrittenRecords {
    private let plan: Plan
    private let settings: SettingsTable
    private let rows: PlannedRows
    @exclusivity(unchecked) private(set) var updated: UpdatedRecords
    /// How many new rows were seen.
    @exclusivity(unchecked) private(set) var inserted = 0
    /// What a new row has in `Z_ENT` and `Z_OPT`, by column.
    private let own: [(column: Int, value: FieldValue)]
    @exclusivity(unchecked) private var lastShape: ShapeColumns?

    /// Where new rows of one shape have values, by column, and where they have none.
    private struct ShapeColumns {
        let shape: RecordInsertion.Shape
        let filled: [Int]
        let empty: [Int]
    }

    init(of plan: Plan, _ rows: PlannedRows, _ settings: SettingsTable) {
        self.plan = plan
        self.rows = rows
        self.settings = settings
        updated = UpdatedRecords(rows)
        own = [(rows.entityColumn, .integer(settings.entity.number)), (rows.versionColumn, .integer(1))]
    }

    /// - Throws: `ProofError`.
    func visit(_ row: SQLiteRow) throws {
        if let planned = updated.visit(row), case .update(let update) = plan[planned.place] {
            for (index, column) in rows.fieldSets[planned.fieldSet].columns.enumerated() {
                let after = update.placeOfAfter(index)
                guard row.holds(after.values, after.position, at: column) else {
                    throw ProofError(
                        description: "\(update.fields[index].field.name) of row \(planned.row) is not what was planned")
                }
            }
        } else if inserted < rows.inserted.count, rows.inserted[inserted].row == row.integer(0) {
            try checkInsertion(row)
            inserted += 1
        }
    }

    /// A new record has the values of the plan and no others.
    private func checkInsertion(_ row: SQLiteRow) throws {
        let planned = rows.inserted[inserted]
        guard case .insert(let insertion) = plan[planned.place] else { return }
        let columns = columns(of: insertion.shape)
        guard columns.empty.allSatisfy({ row.storageClass($0) == .null }),
            own.allSatisfy({ row.holds($0.value, at: $0.column) })
        else {
            throw ProofError(
                description: "the new row \(planned.row) has values that the plan does not name")
        }
        for (index, column) in columns.filled.enumerated() where !row.holds(insertion.values, index, at: column) {
            throw ProofError(
                description: "\(insertion.shape.fields[index].name) of row \(planned.row) is not what was planned")
        }
    }

    private func columns(of shape: RecordInsertion.Shape) -> ShapeColumns {
        if let last = lastShape, last.shape === shape { return last }
        let filled = shape.fields.map { settings.layout.position(of: $0)! + 1 }
        let others = Set(filled + own.map(\.column))
        let columns = ShapeColumns(
            shape: shape, filled: filled, empty: (1...settings.allColumns.count).filter { !others.contains($0) })
        lastShape = columns
        return columns
    }

    /// After the last row.
    func finish() { updated.finish() }
}
