internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// The rows of records that a plan names, each kind in ascending order, and what must be known of them to prove that
/// nothing else was done to them.
struct PlannedRows {
    struct Update {
        let row: Int64
        /// Where it stands in the plan's changes.
        let change: Int
        /// Where its set of fields stands in `fieldSets`.
        let fieldSet: Int
    }

    struct Insertion {
        let row: Int64
        /// Where it stands in the plan's changes.
        let change: Int
    }

    /// What all updates of the same fields have in common.
    struct FieldSet {
        /// For each column of the table, whether it may change; true for `Z_OPT`.
        let isNamed: [Bool]
        /// `ACHANGE.ZCOLUMNS`.
        let historyColumns: [UInt8]?
    }

    private(set) var deleted: [Int64] = []
    private(set) var updated: [Update] = []
    private(set) var inserted: [Insertion] = []
    private(set) var fieldSets: [FieldSet] = []
    /// Where each field of the layout stands among the columns of the table.
    let columns: [Int]

    init(_ plan: Plan, _ settings: SettingsTable) {
        let names = settings.table.columns.map(\.name)
        columns = settings.columns.map { names.firstIndex(of: $0)! }
        var known: [[Int]: Int] = [:]
        for (index, change) in plan.changes.enumerated() {
            switch change {
            case .delete(let deletion): deleted.append(deletion.record.row)
            case .update(let update):
                let positions = update.fields.map { settings.layout.position(of: $0.field) ?? -1 }
                let fieldSet = known[positions] ?? fieldSets.count
                if fieldSet == fieldSets.count {
                    known[positions] = fieldSet
                    fieldSets.append(
                        FieldSet(
                            isNamed: names.indices.map { column in
                                names[column] == "Z_OPT" || positions.contains { $0 >= 0 && columns[$0] == column }
                            },
                            historyColumns: settings.changedColumns(Set(update.fields.map(\.field.name)))))
                }
                updated.append(Update(row: update.row, change: index, fieldSet: fieldSet))
            case .insert(let insertion): inserted.append(Insertion(row: insertion.row, change: index))
            case .schema, .metadata: break
            }
        }
        deleted.sort()
        updated.sort { $0.row < $1.row }
        inserted.sort { $0.row < $1.row }
    }

    /// Where the set of fields of an updated row stands in `fieldSets`; nil for a row that is not to be updated.
    func fieldSet(ofUpdated row: Int64) -> Int? {
        var low = 0
        var high = updated.count
        while low < high {
            let middle = (low + high) / 2
            if updated[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low < updated.count && updated[low].row == row ? updated[low].fieldSet : nil
    }

    var isEmpty: Bool { deleted.isEmpty && updated.isEmpty && inserted.isEmpty }
}
