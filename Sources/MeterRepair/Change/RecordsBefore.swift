internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The records before a change, read in one pass. Those that it leaves alone need not be read again: that they were left
/// alone SQLite tells itself (`WriteLog`).
struct RecordsBefore {
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
        of rows: PlannedRows, among tables: [SQLName], changingSchema: Bool, _ store: InspectedStore,
        _ settings: SettingsTable, _ database: Database
    ) throws {
        counts = try database.rowCounts(of: tables)
        var updated = UpdatedRecords(rows)
        if changingSchema {
            try database.forEachRow(
                numbered: rows.updated.map(\.row), in: settings.table.name, columns: settings.allColumns
            ) { _ = updated.visit($0) }
            pass = nil
        } else {
            var pass = RecordPass(store, rows: rows.written)
            var nextDeleted = rows.deleted.startIndex
            try settings.forEachRow(withAllColumns: true, database) { row in
                if nextDeleted < rows.deleted.endIndex, rows.deleted[nextDeleted].row == row.row {
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
                .unsuitable, at: store.path,
                "Z_OPT of row \(rows.updated[index].row) of \(settings.table.name) is the largest number there is")
        }
    }
}
