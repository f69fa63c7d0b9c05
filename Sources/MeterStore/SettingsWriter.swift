package import CoreDataStore
package import GRDB
package import MeterModel

/// Writes planned changes of records as Core Data would: `Z_OPT`, row numbers and persistent history included.
package struct SettingsWriter {
    private let settings: SettingsTable
    private let database: Database
    private let deleteRow: PreparedStatement
    /// Nil where history was never on: there is nothing to write to.
    private var history: HistoryWriter?
    private var updates: [[String]: PreparedUpdate] = [:]

    /// What all updates of the same attributes have in common.
    private struct PreparedUpdate {
        let statement: PreparedStatement
        /// `ACHANGE.ZCOLUMNS`.
        let historyColumns: [UInt8]?
    }

    /// A change that did not do what was planned; our own mistake, for the plan was made in this transaction.
    package struct Unexpected: Error, Hashable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// - Parameter now: the time of the history's transaction.
    package init(_ settings: SettingsTable, _ store: StoreDescription, now: Timestamp, _ database: Database) throws {
        self.settings = settings
        self.database = database
        deleteRow = try PreparedStatement(
            database, "DELETE FROM \(settings.table.name.quotedIdentifier) WHERE Z_PK = ?")
        history = try store.history.map {
            try HistoryWriter(
                $0, keys: store.keys, schema: store.schema, now: now.secondsSince2001, database)
        }
    }

    package mutating func delete(_ deletion: RecordDeletion) throws {
        let row = deletion.record.row
        guard try deleteRow.run([.integer(row)]) == 1 else { throw Unexpected("row \(row) was not there to delete") }
        try history?.record(.delete, entity: settings.entity.number, row: row, columns: nil)
    }

    package mutating func update(_ update: RecordUpdate) throws {
        let names = update.fields.map(\.field.name)
        let prepared = try updates[names] ?? prepareUpdate(of: names)
        updates[names] = prepared
        guard try prepared.statement.run(update.fields.map(\.after.binding) + [.integer(update.row)]) == 1 else {
            throw Unexpected("row \(update.row) was not there to update")
        }
        try history?.record(.update, entity: settings.entity.number, row: update.row, columns: prepared.historyColumns)
    }

    private func prepareUpdate(of names: [String]) throws -> PreparedUpdate {
        let columns = names.map { settings.columns[settings.layout.position(named: $0)!] }
        let assignments = columns.map { "\($0.quotedIdentifier) = ?" } + ["Z_OPT = COALESCE(Z_OPT, 0) + 1"]
        let statement = try PreparedStatement(
            database,
            """
            UPDATE \(settings.table.name.quotedIdentifier) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?
            """)
        let historyColumns = settings.changedColumns(Set(names))
        guard history == nil || historyColumns != nil else {
            throw Unexpected("the order of the columns in the history is not known")
        }
        return PreparedUpdate(statement: statement, historyColumns: historyColumns)
    }

    /// Ends the history's transaction.
    package func finish() throws { try history?.finish() }
}
