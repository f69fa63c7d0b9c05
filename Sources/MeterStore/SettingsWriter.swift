package import CoreDataStore
package import GRDB
package import MeterModel

/// Writes planned changes of records as Core Data would: `Z_OPT`, row numbers and persistent history included. (A
/// constraint that somebody added could have a conflict clause that removes other rows or skips this one: `OR FAIL`
/// overrides that.)
package struct SettingsWriter {
    private let settings: SettingsTable
    private let database: Database
    private let deleteRow: PreparedStatement
    /// Nil if history was never on: there is nothing to write to.
    private var history: HistoryWriter?
    private let deletionKind: Int32?
    private let insertionKind: Int32?
    /// One for each set of attributes, by their positions in the layout.
    private var updates: [[Int]: PreparedUpdate] = [:]
    private var inserts: [[Int]: PreparedStatement] = [:]
    private var lastInserted: Int64?

    /// What all updates of the same attributes share.
    private struct PreparedUpdate {
        let statement: PreparedStatement
        let kind: Int32?
    }

    /// A change that did not do what was planned: our own mistake, because the plan was made in this transaction.
    package struct Unexpected: Error, Hashable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// - Parameters:
    ///   - now: the time of the history's transaction.
    ///   - count: how many records are likely to be written.
    /// - Throws: SQLite's errors.
    package init(
        _ settings: SettingsTable, _ store: StoreDescription, now: Timestamp, expecting count: Int = 0,
        _ database: Database
    ) throws {
        self.settings = settings
        self.database = database
        deleteRow = try PreparedStatement(
            database, "DELETE FROM \(settings.table.name.quotedIdentifier) WHERE Z_PK = ?")
        history = try store.history.map { history in
            HistoryWriter(
                history, keys: store.keys, after: try store.mirror?.historyToken(of: store, database) ?? .none,
                now: now.secondsSince2001, expecting: count, database)
        }
        deletionKind = history?.kind(.delete, entity: settings.entity.number)
        insertionKind = history?.kind(.insert, entity: settings.entity.number)
    }

    /// Deletes a record and records it in the history.
    /// - Throws: `Unexpected` if the row is missing, and SQLite's errors.
    package mutating func delete(_ deletion: RecordDeletion) throws {
        let row = deletion.record.row
        guard try deleteRow.run([.integer(row)]) == 1 else { throw Unexpected("row \(row) was not there to delete") }
        if let deletionKind { history?.record(deletionKind, row: row) }
    }

    /// Records the delete of an object that is gone in the history.
    /// - Throws: `Unexpected` if there is no history.
    package mutating func delete(_ deletion: CloudDeletion) throws {
        guard let kind = history?.kind(.delete, entity: deletion.entityNumber) else {
            throw Unexpected("there is no history for the delete of row \(deletion.row) of \(deletion.entity)")
        }
        history?.record(kind, row: deletion.row)
    }

    /// Changes the fields of a record, increments its `Z_OPT` and records it in the history.
    /// - Throws: `Unexpected` if the row is missing, and SQLite's errors.
    package mutating func update(_ update: RecordUpdate) throws {
        try self.update(
            row: update.row, positions: update.fields.positions(in: settings.layout),
            to: update.fields.lazy.map(\.after))
    }

    /// Writes values into one record.
    /// - Parameters:
    ///   - positions: their positions in the layout.
    ///   - values: one for each position.
    /// - Throws: `Unexpected` if the row is missing, and SQLite's errors.
    package mutating func update(row: Int64, positions: [Int], to values: some Sequence<FieldValue>) throws {
        let prepared: PreparedUpdate
        if let known = updates[positions] {
            prepared = known
        } else {
            prepared = try prepareUpdate(of: positions.map { settings.layout.fields[$0].name })
            updates[positions] = prepared
        }
        var bindings: [SQLiteBinding] = []
        bindings.reserveCapacity(positions.count + 1)
        for value in values { bindings.append(value.binding) }
        bindings.append(.integer(row))
        guard try prepared.statement.run(bindings) == 1 else {
            throw Unexpected("row \(row) was not there to update")
        }
        if let kind = prepared.kind { history?.record(kind, row: row) }
    }

    private mutating func prepareUpdate(of names: [String]) throws -> PreparedUpdate {
        let columns = names.map { settings.columns[settings.layout.position(named: $0)!] }
        let assignments = columns.map { "\($0.quotedIdentifier) = ?" } + ["Z_OPT = COALESCE(Z_OPT, 0) + 1"]
        let statement = try PreparedStatement(
            database,
            """
            UPDATE OR FAIL \(settings.table.name.quotedIdentifier) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?
            """)
        let historyColumns = settings.changedColumns(Set(names))
        guard history == nil || historyColumns != nil else {
            throw Unexpected("the order of the columns in the history is not known")
        }
        return PreparedUpdate(
            statement: statement,
            kind: history?.kind(.update, entity: settings.entity.number, columns: historyColumns))
    }

    /// Inserts a record, with `Z_OPT` 1, and records it in the history.
    /// - Throws: SQLite's errors.
    package mutating func insert(_ insertion: RecordInsertion) throws {
        let positions = insertion.fields.positions(in: settings.layout)
        let statement: PreparedStatement
        if let known = inserts[positions] {
            statement = known
        } else {
            statement = try prepareInsert(of: positions.map { settings.columns[$0] })
            inserts[positions] = statement
        }
        try statement.run(
            [.integer(insertion.row), .integer(settings.entity.number)] + insertion.fields.map(\.after.binding))
        if let insertionKind { history?.record(insertionKind, row: insertion.row) }
        lastInserted = max(lastInserted ?? insertion.row, insertion.row)
    }

    private func prepareInsert(of columns: [SQLName]) throws -> PreparedStatement {
        let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
        let marks = columns.map { _ in ", ?" }.joined()
        return try PreparedStatement(
            database, "INSERT OR FAIL INTO \(settings.table.name.quotedIdentifier) (\(names)) VALUES (?, ?, 1\(marks))")
    }

    /// Ends the change: writes the last row number given out, and the history's transaction.
    /// - Throws: SQLite's errors; an error if the history has no row numbers left.
    package func finish() throws {
        if let lastInserted {
            try PreparedStatement(database, "UPDATE OR FAIL Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
                .run([.integer(lastInserted), .integer(settings.entity.number)])
        }
        try history?.finish()
    }
}
