internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Which changes a store has already.
struct DoneChanges {
    private let store: StoreDescription
    /// Of the rows that the changes are about.
    private let records: [Int64: DeviceSettings]
    /// The bytes of `Z_MODELCACHE`.
    private let modelCache: [UInt8]
    /// Objects whose delete waits for CloudKit; none where no change is such a delete.
    private let waiting: Set<CloudKitMirror.Object>
    /// What of Core Data's bookkeeping is to be corrected; nothing where no change does that.
    private let due: Set<SchemaChange>

    /// - Parameter changes: those that will be asked about.
    /// - Throws: SQLite's errors.
    init(
        among changes: [PlanLine], in store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        var rows: Set<Int64> = []
        var (isGone, isBookkeeping) = (false, false)
        for change in changes {
            switch change {
            case .change(.update(let update)): rows.insert(update.row)
            case .change(.insert(let insertion)): rows.insert(insertion.row)
            case .change(.cloudDelete): isGone = true
            case .change(.schema(let change)): isBookkeeping = isBookkeeping || change.isBookkeeping
            case .deletion(let deletion): rows.insert(deletion.row)
            case .change(.delete), .change(.metadata), .entry, .record, .conflict, .reject: break
            }
        }
        self.store = store.description
        records = try settings.records(of: rows, database)
        modelCache = try StoredModel.content(database, schema: store.description.schema)
        waiting = isGone ? try OrphanedRecords(in: store, database).waiting : []
        due = isBookkeeping ? Set(try Bookkeeping(of: store.description, database).changes) : []
    }

    /// Whether the store is as the change leaves it.
    func contains(_ line: PlanLine) -> Bool {
        switch line {
        case .change(.update(let update)): records[update.row]?.has(update.fields) ?? false
        case .change(.insert(let insertion)): records[insertion.row]?.has(insertion.fields) ?? false
        case .change(.cloudDelete(let deletion)): waiting.contains(deletion.object)
        case .change(.schema(let change)): isDone(change)
        case .change(.metadata(let change)): store.metadata.dictionary?[change.key] == change.after.propertyList
        case .change(.delete(let deletion)): records[deletion.record.row] == nil
        case .deletion(let deletion): records[deletion.row] == nil
        case .entry, .record, .conflict, .reject: true
        }
    }

    private func isDone(_ change: SchemaChange) -> Bool {
        switch change {
        case .dropIndex(let name, _, _): return !store.schema.indexes.contains { $0.name == SQLName(name) }
        case .addColumn(let table, let column, _):
            return store.schema.tables[SQLName(table)]?.has(SQLName(column)) ?? false
        case .createTable(let name, _): return store.schema.tables[SQLName(name)] != nil
        case .createIndex(let name, _, _): return store.schema.indexes.contains { $0.name == SQLName(name) }
        case .addEntity(let number, let name, _): return store.keys[name]?.number == number
        case .modelCache(let content): return modelCache == content
        case .lastRow, .entityNumber: return !due.contains(change)
        }
    }
}

extension PlanLine {
    /// Whether it does something to a store.
    var isChange: Bool {
        switch self {
        case .change, .deletion: true
        case .entry, .record, .conflict, .reject: false
        }
    }
}

extension DeviceSettings {
    fileprivate func has(_ fields: [FieldChange]) -> Bool {
        fields.allSatisfy { change in
            layout.position(named: change.field.name).map { values[$0] } == change.after
        }
    }
}
