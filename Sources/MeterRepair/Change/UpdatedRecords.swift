internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What of the records to update must be known to tell later that nothing but the planned fields changed.
struct UpdatedRecords {
    /// `Z_OPT` of each, in the order of row numbers; one that is not there is left out.
    let versions: [Int64]
    /// Of the columns that no update names, each row's own.
    let rest: [UInt8]

    /// - Parameter look: handed each row and the update of it; `Z_PK` and then the columns of the table.
    init(
        _ rows: PlannedRows, _ settings: SettingsTable, _ database: Database,
        _ look: (SQLiteRow, PlannedRows.Update) throws -> Void = { _, _ in }
    ) throws {
        var digest = ValueDigest()
        var versions: [Int64] = []
        let columns = settings.table.columns.map(\.name)
        let version = columns.firstIndex(of: "Z_OPT")! + 1
        versions.reserveCapacity(rows.updated.count)
        var next = rows.updated.startIndex
        try database.forEachRow(numbered: rows.updated.map(\.row), in: settings.table.name, columns: columns) { found in
            while rows.updated[next].row != found.integer(0) { next += 1 }
            let update = rows.updated[next]
            let isNamed = rows.fieldSets[update.fieldSet].isNamed
            versions.append(found.integer(version))
            for column in isNamed.indices where !isNamed[column] { digest.add(found, column + 1) }
            try look(found, update)
        }
        self.versions = versions
        rest = digest.finish()
    }
}
