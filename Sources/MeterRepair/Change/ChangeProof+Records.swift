internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension ChangeProof {
    /// The written records, read again.
    func checkRecords(_ store: InspectedStore, _ database: Database) throws {
        guard store.addresses.records == plan.summary.records - rows.deleted.count + rows.inserted.count else {
            throw Failure(description: "\(store.addresses.records) records are left instead of the planned number")
        }
        let updatedAfter = try UpdatedRecords(rows, settings, database) { found, planned in
            guard case .update(let update) = plan.changes[planned.change] else { return }
            for change in update.fields {
                let column = settings.layout.position(of: change.field).map { rows.columns[$0] + 1 }
                guard let column, found.holds(change.after, at: column) else {
                    throw Failure(description: "\(change.field.name) of row \(planned.row) is not what was planned")
                }
            }
        }
        guard updatedAfter.versions.count == rows.updated.count else {
            throw Failure(description: "\(rows.updated.count - updatedAfter.versions.count) updated rows are gone")
        }
        for (index, version) in updatedAfter.versions.enumerated() where version != updatedBefore.versions[index] + 1 {
            throw Failure(description: "Z_OPT of row \(rows.updated[index].row) did not go up by one")
        }
        guard updatedAfter.rest == updatedBefore.rest else {
            throw Failure(description: "a field of an updated row changed that the plan does not name")
        }
        try checkInsertions(database)
    }

    /// A new record has the values of the plan and no others.
    private func checkInsertions(_ database: Database) throws {
        let columns = settings.table.columns.map(\.name)
        let own = ["Z_PK", "Z_ENT", "Z_OPT"].map { columns.firstIndex(of: $0)! + 1 }
        var seen = 0
        try database.forEachRow(
            numbered: rows.inserted.map(\.row), in: settings.table.name, columns: columns
        ) { found in
            let planned = rows.inserted[seen]
            seen += 1
            guard planned.row == found.integer(0), case .insert(let insertion) = plan.changes[planned.change] else {
                throw Failure(description: "the row \(found.integer(0)) is not among the planned ones")
            }
            let expected: [FieldValue] = [.integer(planned.row), .integer(settings.entity.number), .integer(1)]
            var filled = 0
            for column in 1...columns.count where found.storageClass(column) != .null { filled += 1 }
            guard filled == insertion.values.count + own.count,
                zip(own, expected).allSatisfy({ found.holds($1, at: $0) })
            else {
                throw Failure(description: "the new row \(planned.row) has values that the plan does not name")
            }
            for (field, value) in zip(insertion.shape.fields, insertion.values) {
                guard let position = settings.layout.position(of: field),
                    found.holds(value, at: rows.columns[position] + 1)
                else {
                    throw Failure(description: "\(field.name) of row \(planned.row) is not what was planned")
                }
            }
        }
        guard seen == rows.inserted.count else {
            throw Failure(description: "\(rows.inserted.count - seen) planned rows are not there")
        }
    }
}
