internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// What of the records to update must be known to tell later that nothing but the planned fields changed. Fed with rows
/// in the order of their numbers, each with all columns of its table (`SettingsTable.allColumns`).
struct UpdatedRecords {
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
