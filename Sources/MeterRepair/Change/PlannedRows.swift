internal import CoreDataStore
internal import MeterModel
internal import MeterStore
internal import Texts

/// The records that a plan changes, each kind in the order of row numbers, and what must be known of them to prove that
/// nothing else was done to them; and the objects that it deletes in CloudKit only.
struct PlannedRows {
    struct Update {
        let update: RecordUpdate
        /// The index of its set of fields in `fieldSets`.
        let fieldSet: Int

        var row: Int64 { update.row }
    }

    /// What all updates of the same fields have in common.
    struct FieldSet {
        /// The column of each of the fields in a row.
        let columns: [Int]
        /// The columns that must stay as they are: all others but `Z_OPT`.
        let others: [Int]
        /// `ACHANGE.ZCOLUMNS`.
        let historyColumns: [UInt8]?
    }

    private(set) var deleted: [RecordDeletion] = []
    private(set) var updated: [Update] = []
    private(set) var inserted: [RecordInsertion] = []
    /// Gone from the store already; by entity and row number.
    private(set) var gone: [CloudDeletion] = []
    private(set) var fieldSets: [FieldSet] = []
    /// The columns of `Z_ENT` and `Z_OPT` in a row: `Z_PK` and then `SettingsTable.allColumns`.
    let entityColumn: Int
    let versionColumn: Int

    init(_ plan: Plan, _ settings: SettingsTable) {
        let names = ["Z_PK"] + settings.allColumns
        entityColumn = names.firstIndex(of: "Z_ENT")!
        versionColumn = names.firstIndex(of: "Z_OPT")!
        // The entity numbers that change are looked at by `EntityNumberProof`.
        let changesEntityNumbers = plan.schemaChanges.contains { change in
            if case .entityNumber(let table, _, _, _) = change { SQLName(table) == settings.table.name } else { false }
        }
        var known: [[Int]: Int] = [:]
        for change in plan.meters.lazy.flatMap(\.records) {
            switch change {
            case .delete(let deletion): deleted.append(deletion)
            case .insert(let insertion): inserted.append(insertion)
            case .update(let update):
                let positions = update.fields.positions(in: settings.layout)
                let fieldSet = known[positions] ?? fieldSets.count
                if fieldSet == fieldSets.count {
                    known[positions] = fieldSet
                    fieldSets.append(
                        FieldSet(
                            columns: positions.map { $0 + 1 },
                            others: names.indices.dropFirst().filter { column in
                                column != versionColumn && !positions.contains(column - 1)
                                    && !(changesEntityNumbers && column == entityColumn)
                            },
                            historyColumns: settings.changedColumns(Set(update.fields.map(\.field.name)))))
                }
                updated.append(Update(update: update, fieldSet: fieldSet))
            }
        }
        gone = plan.cloudDeletions.sorted { $0.object < $1.object }
        deleted.sort { $0.record.row < $1.record.row }
        updated.sort { $0.row < $1.row }
        inserted.sort { $0.row < $1.row }
    }

    /// The index in `fieldSets` of the set of fields of an updated row; nil for a row that is not to be updated.
    func fieldSet(ofUpdated row: Int64) -> Int? {
        let index = updated.partitioningIndex { $0.row >= row }
        return index < updated.count && updated[index].row == row ? updated[index].fieldSet : nil
    }

    /// The rows that are there after the change and were not so before, in ascending order.
    var written: [Int64] { (updated.map(\.row) + inserted.map(\.row)).sorted() }

    /// Each change of a record: as the rows lie in the file, so that each page is written once, then the new ones.
    /// - Parameter isConstrained: whether no two records may have one address, not even for a moment. Deletes come first
    ///   then.
    func changes(isConstrained: Bool) -> [RecordChange] {
        let others = deleted.map(RecordChange.delete) + updated.map { .update($0.update) }
        // Each kind is in the order of row numbers by itself.
        let inOrder = isConstrained ? others : others.sorted { $0.row < $1.row }
        return inOrder + inserted.map(RecordChange.insert)
    }
}
