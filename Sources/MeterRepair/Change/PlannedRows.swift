internal import CoreDataStore
internal import MeterModel
internal import MeterStore
internal import Texts

/// The rows of records that a plan names, each kind in ascending order, and what must be known of them to prove that
/// nothing else was done to them; and the objects that it deletes in CloudKit only.
struct PlannedRows: Sendable {
    struct Update: Sendable {
        let row: Int64
        let place: Place
        private let narrowFieldSet: UInt32
        /// The index of its set of fields in `fieldSets`.
        var fieldSet: Int { Int(narrowFieldSet) }

        fileprivate init(row: Int64, _ place: Place, fieldSet: Int) {
            self.row = row
            self.place = place
            narrowFieldSet = UInt32(fieldSet)
        }
    }

    /// Where a plan has the change of a record.
    struct Place: Sendable {
        // Half as wide as they could be: there can be a million.
        fileprivate let meter: UInt32
        fileprivate let record: UInt32

        fileprivate init(meter: Int, record: Int) {
            self.meter = UInt32(meter)
            self.record = UInt32(record)
        }
    }

    /// A row that is deleted or inserted.
    struct Row: Sendable {
        let row: Int64
        let place: Place
    }

    /// What all updates of the same fields have in common.
    struct FieldSet: Sendable {
        /// The column of each of the fields in a row.
        let columns: [Int]
        /// The columns that must stay as they are: all others but `Z_OPT`.
        let others: [Int]
        /// `ACHANGE.ZCOLUMNS`.
        let historyColumns: [UInt8]?
    }

    private(set) var deleted: [Row] = []
    private(set) var updated: [Update] = []
    private(set) var inserted: [Row] = []
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
        // Most meters have one update.
        updated.reserveCapacity(plan.meters.count)
        var known: [[Int]: Int] = [:]
        for (meterIndex, meter) in plan.meters.enumerated() {
            for (recordIndex, change) in meter.records.enumerated() {
                let place = Place(meter: meterIndex, record: recordIndex)
                switch change {
                case .delete(let deletion): deleted.append(Row(row: deletion.record.row, place: place))
                case .update(let update):
                    let positions = update.positions(in: settings.layout)
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
                    updated.append(Update(row: update.row, place, fieldSet: fieldSet))
                case .insert(let insertion): inserted.append(Row(row: insertion.row, place: place))
                }
            }
        }
        gone = plan.cloudDeletions.sorted { $0.object < $1.object }
        deleted.sort { $0.row < $1.row }
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

    /// Hands over each change of a record: as the rows lie in the file, so that each page is written once, then the new ones.
    /// - Parameters:
    ///   - plan: the same.
    ///   - isConstrained: whether no two records may have one address, not even for a moment. Deletes come first then.
    func forEachChange(of plan: Plan, isConstrained: Bool, _ body: (RecordChange) throws -> Void) rethrows {
        var update = updated.startIndex
        for deletion in deleted {
            while !isConstrained, update < updated.endIndex, updated[update].row < deletion.row {
                try body(plan[updated[update].place])
                update += 1
            }
            try body(plan[deletion.place])
        }
        for update in updated[update...] { try body(plan[update.place]) }
        for insertion in inserted { try body(plan[insertion.place]) }
    }
}

extension Plan {
    subscript(place: PlannedRows.Place) -> RecordChange { meters[Int(place.meter)].records[Int(place.record)] }
}
