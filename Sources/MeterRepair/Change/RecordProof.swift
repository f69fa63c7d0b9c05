internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The part of the check before a commit that is about the records: each that was to be written is read again, and must be
/// as the plan has it.
struct RecordProof {
    private let rows: PlannedRows
    private let settings: SettingsTable
    private let planSize: StoreSize
    private let before: RecordsBefore

    /// Reads the records as they are before the change.
    /// - Parameter tables: whose rows are counted besides.
    /// - Throws: `StoreError` where the row of a record to update cannot count one change more.
    init(before plan: Plan, _ rows: PlannedRows, counting tables: [SQLName], _ session: MeterSession) throws {
        planSize = plan.size
        self.rows = rows
        settings = session.settings
        before = try RecordsBefore(
            of: rows, among: tables, changingSchema: !plan.schemaChanges.isEmpty, in: session)
    }

    /// How many rows each of the tables had.
    var countsBefore: [SQLName: Int] { before.counts }

    /// The store with its records as the plan leaves them, and what the checks of records find.
    struct Outcome {
        let store: InspectedStore
        let findings: Findings
        fileprivate let updatedBefore: UpdatedRecords
        fileprivate let written: WrittenRecords
    }

    /// Reads the records as the change leaves them.
    /// - Parameters:
    ///   - store: after the change, without its records.
    ///   - shownFindings: how many findings of each check are made.
    func outcome(in store: InspectedStore, shownFindings: Int, _ database: Database) throws -> Outcome {
        let written = WrittenRecords(rows, settings)
        var session = Session(store, database)
        let found = try session.readRecords(continuing: before.pass, watch: written.visit)
        // What they advise depends on it.
        _ = try session.alerts()
        let findings = try session.reading.made(found, first: shownFindings)
        written.finish()
        return Outcome(store: session.store, findings: findings, updatedBefore: before.updated, written: written)
    }

    /// - Throws: `ProofError`.
    func check(_ outcome: Outcome) throws {
        let records = outcome.store.addresses.records
        guard records == planSize.records - rows.deleted.count + rows.inserted.count else {
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

/// The records before a change, read in one pass. Those that it leaves alone need not be read again: that they were left
/// alone SQLite tells itself (`WriteLog`).
private struct RecordsBefore {
    /// Has seen the records that the plan does not name; the others are still to be read, after the change. Nil where
    /// columns change, for the checks may look at other ones then.
    let pass: RecordPass?
    /// What must be known of the records that are updated.
    let updated: UpdatedRecords
    /// How many rows each table has.
    let counts: [SQLName: Int]

    /// - Parameter tables: which are counted.
    /// - Throws: `StoreError` where the row of a record to update cannot count one change more.
    init(
        of rows: PlannedRows, among tables: [SQLName], changingSchema: Bool, in session: MeterSession
    ) throws {
        let (settings, database) = (session.settings, session.database)
        counts = try database.rowCounts(of: tables)
        var updated = UpdatedRecords(rows)
        if changingSchema {
            try database.forEachRow(
                numbered: rows.updated.map(\.row), in: settings.table.name, columns: settings.allColumns
            ) { _ = updated.visit($0) }
            pass = nil
        } else {
            let pass = RecordPass(session.store, rows: rows.written)
            var nextDeleted = rows.deleted.startIndex
            try settings.forEachRow(withAllColumns: true, database) { row in
                if nextDeleted < rows.deleted.endIndex, rows.deleted[nextDeleted].record.row == row.row {
                    nextDeleted += 1
                } else if updated.visit(row.values) == nil {
                    try pass.visit(row)
                }
            }
            self.pass = pass
        }
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
    private let settings: SettingsTable
    private let rows: PlannedRows
    private(set) var updated: UpdatedRecords
    /// How many new rows were seen.
    private(set) var inserted = 0

    init(_ rows: PlannedRows, _ settings: SettingsTable) {
        self.rows = rows
        self.settings = settings
        updated = UpdatedRecords(rows)
    }

    /// - Throws: `ProofError`.
    func visit(_ row: SQLiteRow) throws {
        if let planned = updated.visit(row) {
            for (change, column) in zip(planned.update.fields, rows.fieldSets[planned.fieldSet].columns)
            where !row.holds(change.after, at: column) {
                throw ProofError(description: "\(change.field.name) of row \(planned.row) is not what was planned")
            }
        } else if inserted < rows.inserted.count, rows.inserted[inserted].row == row.integer(0) {
            try check(rows.inserted[inserted], row)
            inserted += 1
        }
    }

    /// A new record has the values of the plan and no others.
    private func check(_ insertion: RecordInsertion, _ row: SQLiteRow) throws {
        var planned: [Int: FieldValue] = [
            rows.entityColumn: .integer(settings.entity.number), rows.versionColumn: .integer(1),
        ]
        for (change, position) in zip(insertion.fields, insertion.fields.positions(in: settings.layout)) {
            planned[position + 1] = change.after
        }
        for (place, name) in settings.allColumns.enumerated()
        where !row.holds(planned[place + 1] ?? .null, at: place + 1) {
            throw ProofError(description: "\(name) of the new row \(insertion.row) is not what was planned")
        }
    }

    /// After the last row.
    func finish() { updated.finish() }
}
