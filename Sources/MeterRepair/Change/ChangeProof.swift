internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The check before a commit: the store now differs from the store before by the plan and by nothing else.
///
/// What it rests on:
/// 1. `sqlite_master` is what it was, but for what the plan names (`SchemaProof`).
/// 2. SQLite told of every row it wrote (`WriteLog`): in the table of the records each deleted, updated and inserted row
///    of the plan once and no other; new rows in the tables of the history; nothing in any other table, but for the
///    ones of 3. The number of rows of each table fits that. A table that SQLite does not tell of is compared as a
///    whole, by a digest; so is every table but the ones of 3 and 4 where no record is to change.
/// 3. `Z_METADATA`, `Z_PRIMARYKEY` and a cached model that the plan replaces are compared by what they say.
/// 4. The records, and each table in which the plan corrects entity numbers, are what the plan makes of them, in every
///    column of every row (`RowProof`), and as many as it says.
/// 5. The new rows of the history say what was done and nothing else (`HistoryProof`).
/// 6. The planner has nothing left to do.
///
/// 2 watches the writing and sees a mistake in a row that nobody reads again, such as an old one of the history. 3 to 6
/// look at what is there, however it came about; they would find a mistake in a planned row, in a number
/// or in the new history also if SQLite told nothing. No step is there for what another one finds in any case.
struct ChangeProof {
    private let plan: Plan
    /// Of the store as it is before the change.
    private let session: MeterSession
    /// Of the plan.
    let rows: PlannedRows
    private let rowProof: RowProof
    private let history: HistoryProof
    private let schema: SchemaProof
    private let log: WriteLog
    /// The names of all tables, in order.
    private let tables: [SQLName]
    /// Those of them that are compared as a whole.
    private let digested: [SQLName]
    private let before: Contents
    /// `Z_PRIMARYKEY`.
    private let keys: [PrimaryKeys.Entry]
    /// How many rows each table has.
    private let counts: [SQLName: Int]

    /// What is compared before and after.
    private struct Contents {
        /// Of the tables that are compared as a whole.
        var digests: [SQLName: TableDigest]
        var metadata: [String: PropertyList]?
        /// The rows of Z_METADATA without the property list.
        var identity: [[FieldValue]] = []

        /// - Parameters:
        ///   - tables: which are compared as a whole.
        ///   - columns: the columns that each table had before the change.
        init(of tables: [SQLName], columns: [SQLName: [SQLName]], in session: Session) throws {
            digests = try Dictionary(
                uniqueKeysWithValues: tables.map {
                    ($0, try TableDigest(of: $0, columns: columns[$0], session.database))
                })
            metadata = session.description.metadata.dictionary
            let names = session.description.schema.tables["Z_METADATA"]?.columns.map(\.name) ?? []
            let others = names.filter { $0 != "Z_PLIST" }
            guard !others.isEmpty else { return }
            let selection = others.map(\.quotedIdentifier).joined(separator: ", ")
            identity = try session.database.rows("SELECT \(selection) FROM Z_METADATA ORDER BY rowid") { row in
                others.indices.map { FieldValue(row, $0) }
            }
        }
    }

    /// What was proven.
    struct Outcome {
        /// Of the store as the plan leaves it.
        let session: Session
        /// All that `verify` would find in it.
        let findings: [Finding]
        /// The tables that were compared as a whole, each with its rows before and after.
        let tables: [TableContents]
        /// What the change left alone.
        let untouched: Untouched
    }

    /// Takes down how the store is before the change.
    /// - Throws: SQLite's errors.
    init(before plan: Plan, in session: MeterSession) throws {
        WorkProgress.begin("comparing", of: session.store.addresses.records, .records)
        self.plan = plan
        self.session = session
        rows = PlannedRows(plan)
        schema = try SchemaProof(before: plan, in: session.base)
        history = try HistoryProof(before: rows, in: session)
        rowProof = try RowProof(before: plan, in: session)
        keys = session.description.keys.entries
        // Z_PRIMARYKEY is compared by what it says, and so is Z_METADATA where it is to change.
        var apart = schema.replacedTables.union(rowProof.tables).union(["Z_PRIMARYKEY"])
        if !plan.metadataChanges.isEmpty { apart.insert("Z_METADATA") }
        let forgetsStatistics = schema.forgetsStatistics
        tables = session.description.schema.tables.keys.filter { !forgetsStatistics || !$0.isOfStatistics }.sorted()
        digested = try tables.filter { table in
            // SQLite keeps some tables of its own, which it does not tell of either.
            try !apart.contains(table)
                && (!plan.changesRecords || table.hasPrefix("sqlite_") || !session.database.hasRowNumbers(table))
        }
        before = try Contents(of: digested, columns: schema.columns, in: session.base)
        counts = try session.database.rowCounts(of: tables)
        log = WriteLog(session.database)
    }

    /// Proves that the plan was carried out and nothing else, and verifies the store as `verify` does. That SQLite finds it
    /// intact is known.
    /// - Parameters:
    ///   - after: the store as it is now, without its records.
    ///   - planner: which has nothing left to do in it.
    /// - Throws: `ProofError`; the transaction must not be committed then. `StoreError`; SQLite's errors.
    func finish(_ after: InspectedStore, by planner: some Planner) throws -> Outcome {
        let tables = try check(Session(after, session.database))
        var store = after
        try store.readRecords(session.database)
        guard let changed = Session(store, session.database).meterSession else {
            throw ProofError(description: "the table of the records is missing")
        }
        let records = store.addresses.records
        guard records == plan.size.records - rows.deleted.count + rows.inserted.count else {
            throw ProofError(description: "\(records) records are left instead of the planned number")
        }
        let remaining = try planner.remaining(of: plan, in: changed)
        guard remaining.isEmpty else {
            throw ProofError(description: "\(remaining.changeCount) changes would still be planned")
        }
        // The last of all: what a planner reads changes nothing, and if it did it would show here.
        try schema.check(changed.base)
        return Outcome(
            session: changed.base, findings: try changed.base.findings(isIntact: true), tables: tables,
            untouched: try untouched(in: store))
    }

    /// What rests on 2.
    /// - Parameter store: after the change, with its records.
    private func untouched(in store: InspectedStore) throws -> Untouched {
        let corrected = plan.correctedRows
        let written = Set(plan.meters.lazy.flatMap(\.records).map(\.row))
            .union(corrected[session.settings.table.name, default: []])
        let left = try store.records.filter { !written.contains($0.row) }
        return Untouched(
            // Of a meter that a record is left of, others may have been deleted.
            meters: Set(left.lazy.compactMap(\.usableAddress)).subtracting(plan.writtenMeters).count,
            withoutAddress: left.count { $0.usableAddress == nil },
            others: store.description.entityTables.filter { $0.table.name != session.settings.table.name }
                .map { ($0.root.name, (counts[$0.table.name] ?? 0) - corrected[$0.table.name, default: []].count) })
    }

    /// 2 to 5.
    private func check(_ changed: Session) throws -> [TableContents] {
        let after = try Contents(of: digested, columns: schema.columns, in: changed)
        try checkWrites(after.digests, changed.database)
        try rowProof.check(changed.database)
        guard before.identity == after.identity else { throw ProofError(description: "the store's identity changed") }
        guard plan.applied(to: before.metadata) == after.metadata else {
            throw ProofError(description: "the metadata is not what was planned")
        }
        if plan.changesRecords { try history.check(changed) }
        try checkRowNumbers(changed.description.keys.entries)
        return digested.compactMap { table in
            guard let before = before.digests[table], let after = after.digests[table] else { return nil }
            return TableContents(name: table.text, rows: after.rows, before: before.sha256, after: after.sha256)
        }
    }

    /// - Parameter digests: of the tables that are compared as a whole, after the change.
    private func checkWrites(_ digests: [SQLName: TableDigest], _ database: Database) throws {
        let (written, corrected) = (log.tables, plan.correctedRows)
        for (table, rows) in written {
            let isPlanned =
                switch table {
                case session.settings.table.name:
                    rows.deleted.sorted().elementsEqual(self.rows.deleted.lazy.map(\.record.row))
                        && rows.updated.sorted()
                            == (self.rows.updated.map(\.row) + corrected[table, default: []]).sorted()
                        && rows.inserted.sorted().elementsEqual(self.rows.inserted.lazy.map(\.row))
                case "Z_PRIMARYKEY": true
                case _ where schema.forgetsStatistics && table.isOfStatistics: true
                case "Z_METADATA" where !plan.metadataChanges.isEmpty: true
                case _ where schema.replacedTables.contains(table): true
                case _ where corrected[table] != nil:
                    rows.deleted.isEmpty && rows.inserted.isEmpty && rows.updated.sorted() == corrected[table]
                default:
                    history.lastRows[table].map { last in
                        rows.updated.isEmpty && rows.deleted.isEmpty && rows.inserted.allSatisfy { $0 > last }
                    } ?? false
                }
            guard isPlanned else {
                throw ProofError(description: "rows of \(table) changed that the plan does not name")
            }
        }
        let countsAfter = try database.rowCounts(of: tables)
        for table in tables {
            let added = written[table].map { $0.inserted.count - $0.deleted.count } ?? 0
            guard countsAfter[table] == counts[table].map({ $0 + added }), before.digests[table] == digests[table]
            else {
                throw ProofError(description: "rows of \(table) changed that the plan does not name")
            }
        }
    }

    /// - Parameter entries: `Z_PRIMARYKEY` after the change.
    private func checkRowNumbers(_ entries: [PrimaryKeys.Entry]) throws {
        var entries = entries
        let raised = schema.raisedLastRows
        var expected = keys.map { entry in
            var entry = entry
            if let last = raised[entry.number] { entry.lastRow = last }
            if entry.number == session.settings.entity.number, let last = rows.inserted.last {
                entry.lastRow = last.row
            }
            return entry
        }
        if plan.changesRecords {
            let known = Set(keys.map(\.name))
            let found = Set(entries.map(\.name))
            expected += HistoryProof.entities.filter { !known.contains($0.name) && found.contains($0.name) }
            // Which numbers the history has come to is in `HistoryProof`.
            let history = Set(HistoryProof.entities.map(\.name))
            for index in entries.indices where history.contains(entries[index].name) { entries[index].lastRow = 0 }
            for index in expected.indices where history.contains(expected[index].name) { expected[index].lastRow = 0 }
        }
        guard entries == (expected + schema.addedEntities).sorted(by: { $0.number < $1.number }) else {
            throw ProofError(description: "Z_PRIMARYKEY is not what was planned")
        }
    }
}

extension SQLName {
    /// Whether `ANALYZE` keeps there what it found out (https://www.sqlite.org/lang_analyze.html).
    fileprivate var isOfStatistics: Bool { hasPrefix("sqlite_stat") }
}

/// What is not as it must be before a commit: our own mistake, and the reason to roll back.
struct ProofError: Error, CustomStringConvertible {
    let description: String
}
