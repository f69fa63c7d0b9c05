package import GRDB

/// What became of a store with each commit in its log: rows before and after, and which transaction of the persistent
/// history they belong to. One save of Core Data is one commit (seen: 150 of 150 in real stores).
///
/// Nothing ties a log to its main file. So every step is checked: the rows that differ are those that the transaction
/// names. If one step is unexplained, the files are of different moments, and nothing they say of the past counts.
package struct StorePast: Sendable {
    /// What one commit did.
    package struct Step: Sendable {
        /// From 1.
        package let commit: Int
        package let transaction: Transaction
        /// Of the app's objects, by table. A table whose rows are not known before or after is missing.
        package let changes: [SQLName: [RowChange]]
    }

    /// The transaction of the history that a commit wrote.
    package enum Transaction: Hashable, Sendable {
        /// The commit changed Core Data's own tables, and no object.
        case none
        /// Which one is not certain, nor whether there is one.
        case unknown
        /// - Parameter time: seconds since 2001; nil if it has none.
        case number(Int64, time: Double?)

        package var number: Int64? { if case .number(let number, _) = self { number } else { nil } }
        package var time: Double? { if case .number(_, let time) = self { time } else { nil } }
    }

    /// In the order of the commits.
    package private(set) var steps: [Step] = []
    package let commitCount: Int
    /// Why nothing is said of the past, as a sentence for a person; nil where it is. Then there are no steps.
    package private(set) var problem: String?
    /// Rows that commits of the log made, changed or deleted, and no transaction says so, by table. Where there are some,
    /// that is the problem.
    package private(set) var unsaid: [SQLName: Set<Int64>] = [:]
    /// Those among them that went while another row got all that they had: they have another number now.
    package private(set) var moved: [SQLName: Set<Int64>] = [:]

    /// Reads the log once, and of the main file the tables that are changed in it.
    /// - Parameter contradiction: why the files are of different moments; nil where nothing says so.
    /// - Throws: `StoreError` where the files cannot be read; SQLite's errors.
    package init(
        of store: StoreDescription, in pages: StorePages, contradiction: String? = nil, _ database: Database
    ) throws {
        commitCount = pages.commitCount
        let tables = store.entityTables.filter { $0.table.rowNumberColumn == "Z_PK" }
        guard commitCount > 0 else { return }
        if let contradiction {
            problem =
                "the main file and its log are of different moments (\(contradiction)), so nothing in them is certain "
                + "about the past"
            return
        }
        if let damage = try database.integrityProblems(limit: 1).first {
            problem = "the store is not intact now (\(damage)), so what its files say about the past may be wrong"
            return
        }
        var reading = PastReading(of: store, tables, in: pages)
        try reading.readSchema(database)
        for state in 0...commitCount {
            try Interruption.check(pages.path)
            do {
                if let step = try reading.step(to: state) { steps.append(step) }
            } catch let error as PastReading.Unexplained {
                unsaid.merge(error.rows) { $0.union($1) }
                moved.merge(error.moved) { $0.union($1) }
                problem =
                    problem
                    ?? "\(error.reason): the main file and its log are of different moments, or another tool wrote to "
                    + "the store, so nothing in them is certain about the past"
            }
        }
        if problem != nil { steps = [] }
    }
}

private struct PastReading {
    /// A step that the history does not explain.
    struct Unexplained: Error {
        let reason: String
        /// Those that the step changed without a word, by table.
        var rows: [SQLName: Set<Int64>] = [:]
        /// Those of them that have another number after it.
        var moved: [SQLName: Set<Int64>] = [:]
    }

    private let pages: StorePages
    private let store: StoreDescription
    private let tables: [EntityRows]
    private let history: PersistentHistory?
    /// The tables of entities, by the numbers of the entities.
    private let tablesByNumber: [Int64: SQLName]
    /// Of attributes that Core Data derives from others.
    private let derivedColumns: Set<SQLName>
    /// `sqlite_master`.
    private var schema: TableHistory
    private var schemaRows: [Int64: (name: SQLName, root: UInt32, sql: String)] = [:]
    /// The first pages of the tables in the state that was visited last, of those whose columns are known.
    private var roots: [SQLName: UInt32] = [:]
    private var histories: [SQLName: TableHistory] = [:]
    /// The statements that made the tables as they are now.
    private var statements: [SQLName: String] = [:]
    /// Tables of entities that the app keeps out of the history: nothing says what happened to their rows.
    private var silent: Set<SQLName> = []

    init(of store: StoreDescription, _ tables: [EntityRows], in pages: StorePages) {
        self.pages = pages
        self.store = store
        self.tables = tables
        history = store.history
        tablesByNumber = Dictionary(
            tables.flatMap { table in table.numbers.map { ($0, table.table.name) } }
        ) { first, _ in first }
        derivedColumns = Set(store.model?.entities.flatMap(\.attributes).filter(\.isDerived).map(\.column) ?? [])
        schema = TableHistory(in: pages)
        for name in tables.map(\.table.name) + Self.historyTables { histories[name] = TableHistory(in: pages) }
    }

    private static let historyTables: [SQLName] = ["ATRANSACTION", "ACHANGE"]

    mutating func readSchema(_ database: Database) throws {
        try database.forEachRow("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL") { row in
            guard let name = row.text(0).map({ SQLName($0) }), let sql = row.text(1) else { return }
            // In a table with generated columns a value's place says nothing about its column.
            guard let table = store.schema.tables[name], table.record.count == table.columns.count else { return }
            statements[name] = sql
        }
        // A history without any change says nothing of any entity.
        guard let history, try history.hasChange(ofEntities: nil, database) else { return }
        for table in tables where try !history.hasChange(ofEntities: table.numbers, database) {
            silent.insert(table.table.name)
        }
    }

    /// - Returns: nil for the first state.
    mutating func step(to state: Int) throws -> StorePast.Step? {
        let written = state == 0 ? [] : pages.pages(ofCommit: state)
        let schemaChanged = try visitSchema(state, written)
        var changes: [SQLName: [RowChange]] = [:]
        for name in histories.keys {
            guard schema.isKnown, let root = roots[name] else {
                histories[name]?.skip()
                continue
            }
            if case .changes(let found) = try histories[name]?.visit(state, root: root, written: written) {
                changes[name] = found
            }
        }
        guard state > 0 else { return nil }
        let transaction = try transaction(of: state, changes, schemaChanged: schemaChanged)
        for name in Self.historyTables { changes[name] = nil }
        return StorePast.Step(commit: state, transaction: transaction, changes: changes.filter { !$0.value.isEmpty })
    }

    /// - Returns: whether tables were made, changed or dropped, as far as known.
    private mutating func visitSchema(_ state: Int, _ written: Set<UInt32>) throws -> Bool {
        switch try schema.visit(state, root: 1, written: written) {
        case .changes(let changes):
            guard !changes.isEmpty else { return false }
            for change in changes { take(change) }
        case .begins:
            schemaRows = [:]
            for row in try schema.rows() { take(RowChange(before: nil, after: row)) }
        case .unknown: return true
        }
        roots = Dictionary(
            schemaRows.values.compactMap { row in root(of: row).map { (row.name, $0) } }
        ) { first, _ in first }
        return true
    }

    /// The columns of `sqlite_master`: type, name, table, root page and statement.
    private mutating func take(_ change: RowChange) {
        schemaRows[change.row] = change.after.flatMap { row in
            guard row.text(0) == "table", let name = row.text(1), let root = row.integer(3), let sql = row.text(4),
                let page = UInt32(exactly: root)
            else { return nil }
            return (SQLName(name), page, sql)
        }
    }

    /// The first page of a table; nil if there is none, or its columns are not those of the present one, apart from
    /// columns that were added since.
    private func root(of row: (name: SQLName, root: UInt32, sql: String)) -> UInt32? {
        guard let present = statements[row.name] else { return nil }
        guard row.sql != present else { return row.root }
        guard row.sql.hasSuffix(")"), present.hasPrefix(row.sql.dropLast()) else { return nil }
        return row.root
    }

    // MARK: - The step check

    private func transaction(
        of state: Int, _ changes: [SQLName: [RowChange]], schemaChanged: Bool
    ) throws -> StorePast.Transaction {
        guard history != nil, let transactions = changes["ATRANSACTION"], let listed = changes["ACHANGE"] else {
            return .unknown
        }
        let new = transactions.filter { $0.before == nil }.compactMap(\.after)
        guard new.count <= 1 else {
            throw Unexplained(reason: "commit \(state) has \(new.count) transactions, and a save has one")
        }
        if let transaction = new.first {
            try check(state, transaction.number, listed.filter { $0.before == nil }.compactMap(\.after), changes)
            let time = column("ZTIMESTAMP", of: "ATRANSACTION").flatMap(transaction.real)
            return .number(transaction.number, time: time)
        }
        // A migration rewrites tables without a transaction.
        guard !schemaChanged else { return .unknown }
        try check(state, nil, [], changes)
        return .none
    }

    /// The rows that differ must be those that the transaction names. Rows of which only `Z_OPT` differs, or an attribute
    /// that Core Data derives, may be unsaid (seen).
    private func check(
        _ state: Int, _ transaction: Int64?, _ listed: [RowImage], _ changes: [SQLName: [RowChange]]
    ) throws {
        var named: [SQLName: Set<Int64>] = [:]
        if let transaction, let owner = column("ZTRANSACTIONID", of: "ACHANGE"),
            let type = column("ZCHANGETYPE", of: "ACHANGE"), let entity = column("ZENTITY", of: "ACHANGE"),
            let object = column("ZENTITYPK", of: "ACHANGE")
        {
            let kinds = changes.mapValues { rows in
                Dictionary(rows.map { ($0.row, $0.kind) }) { first, _ in first }
            }
            for row in listed where row.integer(owner) == transaction {
                guard let number = row.integer(entity), let table = tablesByNumber[number],
                    let key = row.integer(object)
                else { continue }
                named[table, default: []].insert(key)
                guard let kinds = kinds[table] else { continue }
                guard let kind = kinds[key], row.integer(type) == kind.rawValue else {
                    throw Unexplained(
                        reason: "transaction \(transaction) says that it changed row \(key) of \(table), and in the "
                            + "log it did not")
                }
            }
        }
        var unsaid: [SQLName: Set<Int64>] = [:]
        for (table, rows) in changes where !silent.contains(table) {
            guard let entity = tables.first(where: { $0.table.name == table }) else { continue }
            for change in rows where named[table]?.contains(change.row) != true {
                if change.kind == .update, mayBeUnsaid(change, entity) { continue }
                unsaid[table, default: []].insert(change.row)
            }
        }
        guard let table = unsaid.keys.min(), let row = unsaid[table]?.min() else { return }
        throw Unexplained(
            reason: "commit \(state) of the log changed row \(row) of \(table), and "
                + (transaction.map { "transaction \($0) does not say so" } ?? "no transaction says so"),
            rows: unsaid, moved: moved(changes, among: unsaid))
    }

    /// The rows that one commit deleted and wrote again under other numbers, byte for byte.
    private func moved(
        _ changes: [SQLName: [RowChange]], among unsaid: [SQLName: Set<Int64>]
    ) -> [SQLName: Set<Int64>] {
        changes.reduce(into: [:]) { moved, table in
            let rows = table.value.filter { unsaid[table.key]?.contains($0.row) == true }
            let written = Set(rows.compactMap(\.after?.record))
            let gone = rows.filter { $0.after == nil && written.contains($0.before?.record ?? []) }
            if !gone.isEmpty { moved[table.key] = Set(gone.map(\.row)) }
        }
    }

    private func mayBeUnsaid(_ change: RowChange, _ entity: EntityRows) -> Bool {
        guard let before = change.before, let after = change.after,
            let columns = after.columnsDiffering(from: before)
        else { return false }
        return columns.allSatisfy { index in
            guard entity.table.columns.indices.contains(index) else { return false }
            let name = entity.table.columns[index].name
            return name == "Z_OPT" || derivedColumns.contains(name)
        }
    }

    private func column(_ name: SQLName, of table: SQLName) -> Int? {
        store.schema.tables[table]?.position(of: name)
    }
}

extension RowChange {
    fileprivate var kind: PersistentHistory.ChangeType {
        switch (before, after) {
        case (nil, _): .insert
        case (_, nil): .delete
        case (.some, .some): .update
        }
    }
}
