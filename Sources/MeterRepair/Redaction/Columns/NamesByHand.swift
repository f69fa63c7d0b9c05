internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What a redacted copy has of the schema as it was, for a statement would be another one without it: names and declared
/// types. Core Data makes them from the model, which is the developer's; any other one somebody gave this store by hand.
enum NamesByHand {
    /// Those that neither Core Data nor the app gave, as fragments for a person.
    /// - Parameter leftOut: what of the schema the copy does not have.
    /// - Throws: SQLite's errors.
    static func found(
        in store: StoreDescription, _ settings: SettingsTable?, without leftOut: Set<SQLName>, _ database: Database
    ) throws -> [String] {
        var names: [String] = []
        let own = namesOfModel(store)
        let tables = Set(store.keys.entries.map { store.keys.table(of: $0) })
        let recovered = store.recoveries.compactMap { recovery in
            switch recovery {
            case .sqlite(let table): table
            case .meterfix: nil
            }
        }
        func isCoreData(_ name: SQLName) -> Bool { TableKind.ofCoreData(name) != nil }
        let tablesOfCopy = store.schema.tables.values.filter { !leftOut.contains($0.name) }
        for table in tablesOfCopy.sorted(by: { $0.name < $1.name }) where !recovered.contains(table.name) {
            let isJoin = table.name.hasPrefix("Z_") && own.contains(core(of: table.name))
            guard isCoreData(table.name) || isJoin || tables.contains(table.name) else {
                names.append("the table \(table.name), its columns and their types")
                continue
            }
            names += table.computedColumns.map { "the column \($0) of \(table.name)" }
            for column in table.columns {
                let isKnown =
                    isCoreData(table.name) ? column.name.hasPrefix("Z") : own.contains(core(of: column.name))
                if !isKnown, settings?.knows(column.name, of: table) != true {
                    names.append("the column \(column.name) of \(table.name)")
                }
                if !types.contains(column.declaredType) {
                    names.append("the type of the column \(column.name) of \(table.name)")
                }
            }
        }
        try database.forEachRow("SELECT type, name, tbl_name FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid") {
            row in
            let (kind, name, table) = (row.text(0) ?? "", SQLName(row.text(1) ?? ""), SQLName(row.text(2) ?? ""))
            // Those of a table are under "Z_" and its name, or that of the table itself.
            let isCoreDatas =
                name.hasPrefix("Z_") || name.hasPrefix("\(table)_") || isCoreData(name) || kind == "table"
            if !isCoreDatas, !leftOut.contains(name) { names.append("the \(kind) \(name)") }
        }
        return names
    }

    /// Those that Core Data declares.
    private static let types: Set = ["INTEGER", "VARCHAR", "VARCHAR(255)", "TIMESTAMP", "FLOAT", "DECIMAL", "BLOB"]

    /// In upper case, as they are in columns and tables; with the keys that each table has.
    private static func namesOfModel(_ store: StoreDescription) -> Set<String> {
        var names: Set = ["PK", "ENT", "OPT", "REFLEXIVE"]
        for entity in store.model?.entities ?? [] {
            names.formUnion(entity.attributes.map(\.name) + entity.relationships.map(\.name))
            names.formUnion(entity.composites.flatMap { [$0.name] + $0.leaves.map(\.attribute.name) })
            names.insert(entity.name)
        }
        return Set(names.map { core(of: SQLName("Z\($0)")) })
    }

    /// `Z_FOK_OWNER`, `Z3_OWNER`, `Z_2OWNER` and `ZOWNER1` without what Core Data puts around the name.
    private static func core(of name: SQLName) -> String {
        var text = name.text.uppercased()[...]
        if text.hasPrefix("Z") { text = text.dropFirst() }
        text = text.drop { $0 == "_" || $0.isNumber }
        if text.hasPrefix("FOK_") { text = text.dropFirst(4).drop { $0 == "_" || $0.isNumber } }
        while text.last?.isNumber == true { text.removeLast() }
        return String(text)
    }
}

extension SettingsTable {
    /// Whether this is the column of an attribute of the app, also where the store carries no model.
    fileprivate func knows(_ column: SQLName, of table: StoreSchema.Table) -> Bool {
        guard self.table.name == table.name, let position = columns.firstIndex(of: column) else { return false }
        return layout.fields[position].known != nil
    }
}
