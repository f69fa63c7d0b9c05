internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// The records after the change, as they are read for the checks: each row that was to be written must be as the plan
/// has it. Fed with rows in the order of their numbers, each with all columns of its table (`SettingsTable.allColumns`).
final class WrittenRecords {
    private let plan: Plan
    private let settings: SettingsTable
    private let rows: PlannedRows
    @exclusivity(unchecked) private(set) var updated: UpdatedRecords
    /// How many new rows were seen.
    @exclusivity(unchecked) private(set) var inserted = 0
    /// What a new row has in `Z_ENT` and `Z_OPT`, by column.
    private let own: [(column: Int, value: FieldValue)]

    init(of plan: Plan, _ rows: PlannedRows, _ settings: SettingsTable) {
        self.plan = plan
        self.rows = rows
        self.settings = settings
        updated = UpdatedRecords(rows)
        own = [(rows.entityColumn, .integer(settings.entity.number)), (rows.versionColumn, .integer(1))]
    }

    /// - Throws: `ProofError`.
    func visit(_ row: SQLiteRow) throws {
        if let planned = updated.visit(row), case .update(let update) = plan.changes[planned.change] {
            for (change, column) in zip(update.fields, rows.fieldSets[planned.fieldSet].columns)
            where !row.holds(change.after, at: column) {
                throw ProofError(
                    description: "\(change.field.name) of row \(planned.row) is not what was planned")
            }
        } else if inserted < rows.inserted.count, rows.inserted[inserted].row == row.integer(0) {
            try checkInsertion(row)
            inserted += 1
        }
    }

    /// A new record has the values of the plan and no others.
    private func checkInsertion(_ row: SQLiteRow) throws {
        let planned = rows.inserted[inserted]
        guard case .insert(let insertion) = plan.changes[planned.change] else { return }
        var filled = 0
        for column in 1..<row.columnCount where row.storageClass(column) != .null { filled += 1 }
        guard filled == insertion.values.count + own.count, own.allSatisfy({ row.holds($0.value, at: $0.column) })
        else {
            throw ProofError(
                description: "the new row \(planned.row) has values that the plan does not name")
        }
        for (field, value) in zip(insertion.shape.fields, insertion.values) {
            guard let position = settings.layout.position(of: field), row.holds(value, at: position + 1) else {
                throw ProofError(
                    description: "\(field.name) of row \(planned.row) is not what was planned")
            }
        }
    }

    /// After the last row.
    func finish() { updated.finish() }
}
