package import CoreDataStore
internal import MeterModel

/// What in a store's schema prevents everybody except Core Data from writing to it: one list for all writers.
package enum WriteObstacle: Hashable, Sendable {
    case trigger(SQLName, on: SQLName, isForeign: Bool)
    /// A trigger that needs a table that is not there.
    case brokenTrigger(SQLName, on: SQLName, missing: SQLName)
    /// A table without which Core Data does not open a store.
    case missing(SQLName)
    /// The statement that created the table gives it another name.
    case misnamed(SQLName)
    case noRowNumber(SQLName, in: SQLName)
    /// The entity shares its table.
    case inheritance
    case unknownHistory
    case unknownHistoryColumns
    /// The mirror's table lacks a column that tells of which record a row is.
    case unknownMirror(SQLName, lacking: SQLName)
    case searchIndex(SQLName, over: SQLName)
    /// The column's type would convert the value that is written.
    case converting(SQLName, of: SQLName)
    /// A new row needs a value here, or gets one that nobody wrote.
    case unfilled(SQLName, of: SQLName)
    /// SQLite would count a new row in `sqlite_sequence`, which Core Data does not know.
    case autoincrement(SQLName)
    /// Core Data's row numbers begin at 1.
    case rowNumber(Int64, in: SQLName)

    /// The tables besides that of the records that are written to, and the row number's column in each.
    private static let otherTables: [(table: SQLName, key: SQLName?)] = [
        ("Z_METADATA", "Z_VERSION"), ("Z_MODELCACHE", nil), ("Z_PRIMARYKEY", "Z_ENT"), ("ACHANGE", "Z_PK"),
        ("ATRANSACTION", "Z_PK"), ("ATRANSACTIONSTRING", "Z_PK"),
    ]

    /// The tables that are written to.
    package static func writtenTables(of settings: SettingsTable?) -> [SQLName] {
        [settings?.table.name].compactMap(\.self) + otherTables.map(\.table)
    }

    /// What prevents every change.
    /// - Parameter dropped: triggers that the change drops first.
    package static func ofAnyChange(
        in settings: SettingsTable, of store: StoreDescription, without dropped: [StoreSchema.Attachment] = []
    ) -> WriteObstacle? {
        let written = writtenTables(of: settings)
        let trigger = store.schema.triggers.first { written.contains($0.table) && !dropped.contains($0) }
        if let trigger {
            if let missing = store.schema.missingTable(for: trigger) {
                return .brokenTrigger(trigger.name, on: trigger.table, missing: missing)
            }
            return .trigger(trigger.name, on: trigger.table, isForeign: !trigger.isTriggerOfCoreData)
        }
        if store.schema.tables["Z_METADATA"] == nil { return .missing("Z_METADATA") }
        for (name, key) in [(settings.table.name, "Z_PK")] + otherTables {
            if store.schema.misnamed.contains(name) { return .misnamed(name) }
            guard let key, let table = store.schema.tables[name] else { continue }
            guard table.rowNumberColumn == key else { return .noRowNumber(key, in: table.name) }
            // Of the records only new ones are counted.
            if table.isAutoincrement, name != settings.table.name { return .autoincrement(table.name) }
        }
        return nil
    }

    /// What prevents every change of records.
    package static func ofRecordChanges(in settings: SettingsTable, of store: StoreDescription) -> WriteObstacle? {
        guard settings.entityNumbers == nil else { return .inheritance }
        let historyTables: [SQLName] = ["ACHANGE", "ATRANSACTION"]
        guard store.history != nil || historyTables.allSatisfy({ store.schema.tables[$0] == nil }) else {
            return .unknownHistory
        }
        guard store.history == nil || settings.isHistoryKnown else { return .unknownHistoryColumns }
        return CloudKitMirror.unreadable(in: store.schema).map { .unknownMirror($0.table, lacking: $0.column) }
    }

    /// What would not be stored as written in the rows that come with each change of a record.
    package static func ofColumns(in settings: SettingsTable, of store: StoreDescription) -> WriteObstacle? {
        if let index = store.schema.searchIndex(over: settings.table.name) {
            return .searchIndex(index, over: settings.table.name)
        }
        for column: SQLName in ["Z_ENT", "Z_OPT"] where !settings.table.keepsNumbers(in: [column]) {
            return .converting(column, of: settings.table.name)
        }
        // Each change adds rows to these, with columns left empty as Core Data leaves them.
        for name: SQLName in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
            let columns = store.schema.tables[name]?.columns ?? []
            if let column = columns.first(where: { $0.fillsNewRows && $0.name != "Z_PK" }) {
                return .unfilled(column.name, of: name)
            }
        }
        return nil
    }

    /// The error it makes in the store at `path`.
    package func error(at path: String) -> StoreError {
        let entity = SettingsTable.entityName
        func unsuitable(_ message: String, hint: String? = nil) -> StoreError {
            StoreError(.unsuitable, at: path, message, hint: hint)
        }
        return switch self {
        case .trigger(let name, let table, false):
            unsuitable(
                "the table \(table) has the trigger \(name), which only Core Data can run",
                hint: "this store can only be repaired in the app")
        case .trigger(let name, let table, true):
            unsuitable(
                "the table \(table) has the trigger \(name), which another tool made and which would run with the change",
                hint: "drop it first: \(StoreCommand("fix foreign-trigger", stores: [path]))")
        case .brokenTrigger(let name, let table, let missing):
            unsuitable(
                "the table \(table) has the trigger \(name), which needs the table \(missing): without that, nothing can be "
                    + "written to \(table)",
                hint: "drop the trigger first: \(StoreCommand("fix foreign-trigger", stores: [path]))")
        case .missing(let table):
            unsuitable(
                "there is no table \(table), so Core Data does not open this store",
                hint: "ask for the store again, or for a backup of it")
        case .misnamed(let table):
            StoreError(
                .damaged, at: path, "the statement that created the table \(table) gives it another name",
                hint: "the file is damaged; ask for the store again, with its -wal")
        case .noRowNumber(let column, let table):
            unsuitable(
                "\(column) is not the row number of the table \(table): it is not declared INTEGER PRIMARY KEY",
                hint: "another tool recreated this table; ask for the store as the app left it")
        case .inheritance:
            unsuitable(
                "\(entity) shares its table with a parent or child entity; the app's models have none")
        case .unknownHistory:
            unsuitable(
                "the history tables have a format that meterfix does not know",
                hint: "a change without its history would never reach the user's other devices")
        case .unknownHistoryColumns:
            unsuitable(
                "the model has properties of \(entity) whose place in the history is not known",
                hint: "a wrong history would send the wrong fields to the user's other devices")
        case .unknownMirror(let table, let column):
            unsuitable(
                "the table \(table) of CloudKit's mirror has no column \(column), so what is in CloudKit cannot be told",
                hint: "ask for the store again, or for a backup of it")
        case .searchIndex(let name, let table):
            unsuitable(
                "the search index \(name) covers the table \(table) and would miss a change",
                hint: "somebody added it by hand; drop it with `DROP TABLE \(name.quotedIdentifier)` and create it "
                    + "again afterwards")
        case .converting(let column, let table):
            unsuitable(
                "the column \(column) of \(table) is declared with a type that would store another value than the planned "
                    + "one", hint: "another tool recreated this table; ask for the store as the app left it")
        case .unfilled(let column, let table):
            unsuitable(
                "the column \(column) of \(table) is declared NOT NULL or with a DEFAULT, and a new row has no value for it",
                hint: "Core Data declares neither; on a copy of the store, drop that column or recreate it without")
        case .autoincrement(let table):
            unsuitable(
                "the table \(table) is declared AUTOINCREMENT: SQLite would count the new row in sqlite_sequence, which "
                    + "Core Data does not know",
                hint: "another tool recreated this table; ask for the store as the app left it")
        case .rowNumber(let row, let table):
            unsuitable(
                "\(table) has a record with the row number \(row), but Core Data's row numbers begin at 1",
                hint: "another tool wrote this record; ask for the store as the app left it")
        }
    }
}

/// What prevents single records of a store from being written as intended.
package struct RowObstacles {
    package typealias Write = SettingsOperation.Write

    private let settings: SettingsTable
    /// Positions in the layout whose columns would convert some values.
    private let converting: [Int]
    private let fillsNewRows: Bool

    package init(in settings: SettingsTable) {
        self.settings = settings
        converting = settings.convertingPositions
        fillsNewRows = settings.table.columns.contains(where: \.fillsNewRows)
    }

    /// What prevents an update or a delete of a record.
    /// - Parameter writes: by their places in the layout.
    package func ofUpdate(of row: Int64, _ writes: @autoclosure () -> some Sequence<Write>) -> WriteObstacle? {
        row < 1 ? .rowNumber(row, in: settings.table.name) : ofValues(writes())
    }

    /// What prevents a new record.
    /// - Parameter writes: by their places in the layout; the other fields are left empty.
    package func ofInsertion(_ writes: some Sequence<Write>) -> WriteObstacle? {
        if settings.table.isAutoincrement { return .autoincrement(settings.table.name) }
        if fillsNewRows, let column = settings.unfilledColumn(of: writes.map { settings.layout.fields[$0.position] }) {
            return .unfilled(column, of: settings.table.name)
        }
        return ofValues(writes)
    }

    private func ofValues(_ writes: @autoclosure () -> some Sequence<Write>) -> WriteObstacle? {
        guard !converting.isEmpty else { return nil }
        let lost = writes().first { converting.contains($0.position) && settings.converts($0.value, at: $0.position) }
        return lost.map { .converting(settings.columns[$0.position], of: settings.table.name) }
    }
}
