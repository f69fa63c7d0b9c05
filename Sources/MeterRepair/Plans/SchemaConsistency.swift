internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Whether the changes of a schema are such as a migration or a cure of this store plans.
struct SchemaConsistency {
    private let store: StoreDescription
    /// Tables of the app's entities, there already or made by the plan.
    private let tables: Set<SQLName>
    /// What the plan adds: the entities' names by their numbers.
    private let added: [Int64: String]
    private let bookkeeping: Bookkeeping?

    /// - Parameter bookkeeping: nil where the plan has nothing to do with it.
    init(_ plan: Plan, _ store: StoreDescription, _ bookkeeping: Bookkeeping?) {
        self.store = store
        self.bookkeeping = bookkeeping
        var tables = Set(store.keys.appEntries.map { store.keys.table(of: $0) })
        tables.formIntersection(store.schema.tables.keys)
        var added: [Int64: String] = [:]
        for change in plan.schemaChanges {
            switch change {
            case .createTable(let name, _): tables.insert(SQLName(name))
            case .addEntity(let number, let name, _): added[number] = name
            case .dropIndex, .addColumn, .createIndex, .modelCache, .lastRow, .entityNumber: break
            }
        }
        self.tables = tables
        self.added = added
    }

    /// What is wrong with a change; nil where nothing is.
    func flaw(_ change: SchemaChange) -> String? {
        switch change {
        case .dropIndex(let name, let table, let sql):
            let isThere = store.schema.indexes.contains {
                $0.name == SQLName(name) && $0.table == SQLName(table) && $0.sql == sql && $0.isUnique
            }
            return isThere && tables.contains(SQLName(table)) ? nil : "the store has no such unique index of an entity"
        case .addColumn(let table, let column, _):
            guard tables.contains(SQLName(table)) else { return "`\(table)` is the table of no entity" }
            guard isAttribute(column) else { return "`\(column)` is no column of an attribute" }
            return store.schema.tables[SQLName(table)]?.has(SQLName(column)) == true
                ? "`\(column)` is there already" : nil
        case .createTable(let name, let columns):
            guard added.values.contains(where: { "Z" + $0.uppercased() == name }) else {
                return "`\(name)` is the table of no entity that the plan adds"
            }
            guard store.schema.tables[SQLName(name)] == nil else { return "`\(name)` is there already" }
            return columns.allSatisfy { isAttribute($0.name) } ? nil : "a column of no attribute"
        case .createIndex(let name, let table, let column):
            return tables.contains(SQLName(table)) && name == "\(table)_\(column)_INDEX"
                ? nil : "no index that Core Data makes"
        case .addEntity(let number, let name, let parent):
            guard number < 16_000, store.keys[number: number] == nil, store.keys[name] == nil else {
                return "this number or name is taken"
            }
            return parent == 0 || store.keys[number: parent] != nil || added[parent] != nil
                ? nil : "the store has no entity \(parent)"
        case .modelCache(let content):
            guard let model = try? ManagedObjectModel(modelCache: content) else { return "not a model" }
            return model[entity: SettingsTable.entityName] == nil
                ? "a model without \(SettingsTable.entityName)" : nil
        case .lastRow: return isDue(change) ? nil : "the store needs no such last row number"
        case .entityNumber: return isDue(change) ? nil : "the store has no such row with the number of another entity"
        }
    }

    private func isDue(_ change: SchemaChange) -> Bool { bookkeeping?.changes.contains(change) ?? false }

    /// Fixed columns are `Z_PK`, `Z_ENT`, `Z_OPT`; the key of an ordered relationship is `Z_FOK_…`.
    private func isAttribute(_ column: String) -> Bool {
        column.hasPrefix("Z") && !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.uppercased())
    }
}
