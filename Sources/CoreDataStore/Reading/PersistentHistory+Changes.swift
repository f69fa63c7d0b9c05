package import GRDB

extension PersistentHistory {
    /// Who saved, and when, as the history has it. Whatever a damaged history lacks is nil.
    package struct Save: Hashable, Sendable {
        /// `Z_PK` of the transaction. Nil for changes that name none.
        package let transaction: Int64?
        /// Whether the history has this transaction; false for changes that were left behind without theirs.
        package let isThere: Bool
        /// Seconds since 2001; may be infinite.
        package let time: Double?
        package let author: String?
        package let bundle: String?
        package let process: String?
        package let context: String?

        /// Whether it is the note of a migration of the store by Core Data: a transaction without a change.
        package var isMigration: Bool { author?.hasPrefix(PersistentHistory.migrator) ?? false }

        /// The author, the bundle and the process, as far as they are known.
        package var names: [String] { [author, bundle, process].compactMap(\.self) }
    }

    /// One change of one object.
    package struct LoggedChange: Hashable, Sendable {
        /// `ZCHANGETYPE`; nil if it is no number.
        package let type: Int64?
        /// `ZENTITY`; nil if it is no number.
        package let entityNumber: Int64?
        /// `ZENTITYPK`; nil if it is no number.
        package let row: Int64?
        /// `ZCOLUMNS`.
        package let columns: [UInt8]?
        /// The texts in the tombstone columns: what a deleted object left of the attributes that are preserved.
        package let tombstones: [String]

        /// Nil for a type that is not known.
        package var kind: ChangeType? { type.flatMap(ChangeType.init(rawValue:)) }

        /// Nil if the history does not say which object it is.
        package var object: CloudKitMirror.Object? {
            guard let entityNumber, let row else { return nil }
            return CloudKitMirror.Object(entityNumber: entityNumber, row: row)
        }
    }

    /// A change while the history is read, valid inside the closure it is handed to: nothing is made of a change that is
    /// only counted.
    package struct ChangeRow {
        fileprivate let row: SQLiteRow
        fileprivate let saves: Saves
        fileprivate let isThere: Bool
        fileprivate let tombstones: Int

        package var kind: ChangeType? { Self.integer(row, 1).flatMap(ChangeType.init(rawValue:)) }
        package var entityNumber: Int64? { Self.integer(row, 2) }
        package var objectRow: Int64? { Self.integer(row, 3) }

        /// - Throws: SQLite's errors.
        package func save() throws -> Save { try saves.save(row, isThere: isThere) }

        package var change: LoggedChange {
            LoggedChange(
                type: Self.integer(row, 1), entityNumber: entityNumber, row: objectRow,
                columns: row.storageClass(4) == .blob ? Array(row.bytes(4)) : nil, tombstones: tombstoneTexts)
        }

        package var tombstoneTexts: [String] {
            (0..<tombstones).compactMap { row.text(Saves.columns + $0) }
        }

        private static func integer(_ row: SQLiteRow, _ column: Int) -> Int64? {
            row.storageClass(column) == .integer ? row.integer(column) : nil
        }
    }

    /// Hands the changes to `body`, those of the last transaction first, and of one transaction in the order in which
    /// they were saved; those without their transaction come last. They are read one after the other, whatever the size
    /// of the history.
    /// - Parameters:
    ///   - since: seconds since 2001; changes before it are left out, and those whose time is not known.
    ///   - until: seconds since 2001; changes at this moment and later are left out.
    ///   - entities: numbers of entities; nil for all.
    ///   - transaction: the number of the only transaction; nil for all.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachChange(
        since: Double? = nil, until: Double? = nil, ofEntities entities: [Int64]? = nil,
        inTransaction transaction: Int64? = nil, _ database: Database, _ body: (ChangeRow) throws -> Void
    ) throws {
        let saves = saves(database)
        let change = (["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"] as [SQLName]).map { "c.\($0)" }
        let tombstones = tombstoneColumns.map { "c.\($0.quotedIdentifier)" }
        let ofEntities = entities.map { " AND c.ZENTITY IN (\($0.sqlList))" }
        var (limits, values) = Self.limits(since: since, until: until)
        if let transaction {
            limits += " AND t.Z_PK = ?"
            values.append(.integer(transaction))
        }
        // CROSS JOIN keeps the order of the tables: transactions by number, and the changes of each by its index.
        try database.forEachRow(
            """
            SELECT \((change + ["t.Z_PK", Self.time, names] + tombstones).joined(separator: ", "))
            FROM ATRANSACTION t CROSS JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK\(limits)\(ofEntities ?? "")
            ORDER BY t.Z_PK DESC, c.Z_PK
            """, values
        ) { try body(ChangeRow(row: $0, saves: saves, isThere: true, tombstones: tombstones.count)) }
        // When they were made is not known.
        guard since == nil, transaction == nil else { return }
        let unknown = Array(repeating: "NULL", count: Saves.columns - change.count - 1)
        try database.forEachRow(
            """
            SELECT \((change + ["c.ZTRANSACTIONID"] + unknown + tombstones).joined(separator: ", ")) FROM ACHANGE c
            WHERE \(Self.isOrphan)\(ofEntities ?? "")
            ORDER BY c.ZTRANSACTIONID DESC, c.Z_PK
            """
        ) { try body(ChangeRow(row: $0, saves: saves, isThere: false, tombstones: tombstones.count)) }
    }

    /// How many changes `forEachChange` hands over.
    /// - Throws: SQLite's errors.
    package func changeCount(
        since: Double? = nil, until: Double? = nil, ofEntities entities: [Int64]? = nil, _ database: Database
    ) throws -> Int {
        let ofEntities = entities.map { "c.ZENTITY IN (\($0.sqlList))" } ?? "1"
        guard since != nil || until != nil else {
            return Int(try database.integer(of: "SELECT COUNT(*) FROM ACHANGE c WHERE \(ofEntities)"))
        }
        let (limits, values) = Self.limits(since: since, until: until)
        let dated = try database.integer(
            of: """
                SELECT COUNT(*) FROM ATRANSACTION t JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
                WHERE \(ofEntities)\(limits)
                """, values)
        guard since == nil else { return Int(dated) }
        let orphans = try database.integer(
            of: "SELECT COUNT(*) FROM ACHANGE c WHERE \(Self.isOrphan) AND \(ofEntities)")
        return Int(dated + orphans)
    }

    private static let isOrphan = "NOT EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)"

    /// The condition for transactions of a time, each part of it after an AND.
    private static func limits(since: Double?, until: Double?) -> (sql: String, values: [SQLiteBinding]) {
        var limits = ""
        var values: [SQLiteBinding] = []
        if let since {
            limits += " AND \(time) >= ?"
            values.append(.real(since))
        }
        if let until {
            limits += " AND (\(time) IS NULL OR \(time) < ?)"
            values.append(.real(until))
        }
        return (limits, values)
    }

    /// A change while the history is read from its beginning, valid inside the closure it is handed to.
    package struct ReadChange {
        fileprivate let row: SQLiteRow
        fileprivate let saves: Saves

        /// `Z_PK` of the transaction.
        package var transaction: Int64 { row.integer(Saves.number) }
        /// Seconds since 2001; nil where the transaction has no date.
        package var time: Double? { row.realOrNil(Saves.number + 1) }
        /// Nil for a type that is not known.
        package var kind: ChangeType? { ChangeType(rawValue: row.integer(1)) }
        /// `ZENTITY`.
        package var entityNumber: Int64 { row.integer(2) }
        /// `ZENTITYPK`.
        package var object: Int64 { row.integer(3) }

        /// Hands the bytes of `ZCOLUMNS` to `body`; of a change without it, none.
        package func withColumns<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
            if case .blob(let bytes) = row[4] { body(bytes) } else { body(UnsafeBufferPointer(start: nil, count: 0)) }
        }

        /// - Throws: SQLite's errors.
        package func save() throws -> Save { try saves.save(row, isThere: true) }

        /// What the transaction names its author, bundle, process and context by: numbers of texts, so that two can be
        /// compared without looking up a text. Nil where the history has the texts themselves.
        package var names: Names? {
            guard saves.hasStrings else { return nil }
            let first = Saves.number + 2
            return Names(
                author: row.integer(first), bundle: row.integer(first + 1), process: row.integer(first + 2),
                context: row.integer(first + 3))
        }

        package struct Names: Hashable {
            fileprivate let author, bundle, process, context: Int64
        }
    }

    /// Hands over the changes of some kinds of all objects of some entities, in the order in which they were saved; those
    /// without their transaction are left out. SQLite alone reads the others.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachChange(
        _ kinds: [ChangeType], ofEntities entities: [Int64], _ database: Database, _ body: (ReadChange) throws -> Void
    ) throws {
        let saves = saves(database)
        // In the order of the transactions, each change would be looked up by an index: that takes several times as long.
        try database.forEachRow(
            """
            SELECT c.Z_PK, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS, t.Z_PK, \(Self.time), \(names)
            FROM ACHANGE c CROSS JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
            WHERE c.ZCHANGETYPE IN (\(kinds.map { _ in "?" }.joined(separator: ", ")))
            AND c.ZENTITY IN (\(entities.sqlList)) AND c.ZENTITYPK IS NOT NULL ORDER BY c.Z_PK
            """, kinds.map { .integer($0.rawValue) }
        ) { try body(ReadChange(row: $0, saves: saves)) }
    }

    /// Hands over which objects of some entities were made and deleted, in the order in which that was saved, each with the
    /// number of its transaction, which may not be there.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachInsertOrDelete(
        ofEntities entities: [Int64], _ database: Database,
        _ body: (_ kind: ChangeType, _ object: Int64, _ transaction: Int64) throws -> Void
    ) throws {
        // Hardly any transaction makes or deletes something, and to join them takes SQLite longer than to look up those.
        try database.forEachRow(
            """
            SELECT ZCHANGETYPE, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE
            WHERE ZCHANGETYPE IN (\(ChangeType.insert.rawValue), \(ChangeType.delete.rawValue))
            AND ZENTITY IN (\(entities.sqlList)) AND ZENTITYPK IS NOT NULL ORDER BY Z_PK
            """
        ) { row in
            guard let kind = ChangeType(rawValue: row.integer(0)), row.storageClass(2) == .integer else { return }
            try body(kind, row.integer(1), row.integer(2))
        }
    }

    /// Rows that the history's last word on them denies.
    package struct DeniedRows: Hashable, Sendable {
        /// There, although that is a delete.
        package fileprivate(set) var alive: [Int64] = []
        /// Gone, although it is an insert or an update.
        package fileprivate(set) var gone: [Int64] = []
    }

    /// In ascending order. None of an entity without any change in the history, which the app keeps out of it.
    /// - Throws: SQLite's errors.
    package func deniedRows(of entity: EntityRows, _ database: Database) throws -> DeniedRows {
        var denied = DeniedRows()
        guard entity.table.rowNumberColumn == "Z_PK" else { return denied }
        let (table, numbers) = (entity.table.name.quotedIdentifier, entity.numbers.sqlList)
        // Nearly all changes are updates of rows that are there: one look passes over them.
        var candidates: Set<Int64> = []
        try database.forEachRow(
            """
            SELECT ZENTITYPK FROM ACHANGE WHERE ZENTITY IN (\(numbers)) AND ZENTITYPK > 0
            AND (ZCHANGETYPE = 2 OR ZENTITYPK NOT IN (SELECT Z_PK FROM \(table)))
            """
        ) { candidates.insert($0.integer(0)) }
        guard !candidates.isEmpty else { return denied }
        let those = candidates.count > 10_000 ? "" : "AND ZENTITYPK IN (\(candidates.sorted().sqlList))"
        // Of the columns beside MAX, SQLite takes those of the row that has it.
        try database.forEachRow(
            """
            SELECT ZENTITYPK, ZCHANGETYPE, MAX(Z_PK) FROM ACHANGE WHERE ZENTITY IN (\(numbers)) \(those)
            GROUP BY ZENTITYPK ORDER BY ZENTITYPK
            """
        ) { row in
            let number = row.integer(0)
            guard candidates.contains(number), let kind = ChangeType(rawValue: row.integer(1)) else { return }
            let isThere = try database.hasRow("SELECT 1 FROM \(table) WHERE Z_PK = ?", [.integer(number)])
            if isThere, kind == .delete { denied.alive.append(number) }
            if !isThere, kind != .delete { denied.gone.append(number) }
        }
        return denied
    }

    /// Finds out who made transactions, one after another.
    package func saves(_ database: Database) -> Saves { Saves(self, database) }

    /// Hands over every transaction with the number of its changes, the first one first.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachSave(_ database: Database, _ body: (_ save: Save, _ changes: Int) throws -> Void) throws {
        let saves = saves(database)
        try database.forEachRow(
            """
            SELECT (SELECT COUNT(*) FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK), NULL, NULL, NULL, NULL, t.Z_PK,
            \(Self.time), \(names)
            FROM ATRANSACTION t ORDER BY t.Z_PK
            """
        ) { try body(saves.save($0, isThere: true), Int($0.integer(0))) }
    }

    /// What the author of a migration by Core Data begins with (seen).
    static let migrator = "com.apple.coredata.schemamigrator"

    /// The notes of Core Data's own migrations, the last one first.
    /// - Throws: SQLite's errors.
    package func migrations(_ database: Database) throws -> [Save] {
        let saves = saves(database)
        return try database.rows(
            """
            SELECT t.Z_PK FROM ATRANSACTION t WHERE \(isAuthor("LIKE '\(Self.migrator)%'"))
            AND NOT EXISTS (SELECT 1 FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK) ORDER BY t.Z_PK DESC
            """
        ) { try saves.save($0.integer(0)) }.compactMap(\.self)
    }

    /// - Parameter entities: the numbers of those whose changes count; nil for all.
    /// - Throws: SQLite's errors.
    package func changeCount(
        ofTransaction number: Int64, ofEntities entities: [Int64]? = nil, _ database: Database
    ) throws -> Int {
        let ofEntities = entities.map { " AND ZENTITY IN (\($0.sqlList))" } ?? ""
        return Int(
            try database.integer(
                of: "SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID = ?\(ofEntities)", [.integer(number)]))
    }

    /// The changes of an object in transactions of a time, the first one first.
    /// - Parameters:
    ///   - entities: the numbers under which the object may be listed.
    ///   - span: seconds since 2001.
    /// - Throws: SQLite's errors.
    package func changes(
        ofEntities entities: [Int64], row: Int64, savedIn span: ClosedRange<Double>, _ database: Database
    ) throws -> [(save: Save, change: LoggedChange)] {
        let saves = saves(database)
        return try database.rows(
            """
            SELECT c.Z_PK, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS, t.Z_PK, \(Self.time), \(names)
            FROM ATRANSACTION t CROSS JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
            WHERE t.ZTIMESTAMP BETWEEN ? AND ? AND c.ZENTITY IN (\(entities.sqlList)) AND c.ZENTITYPK = ?
            ORDER BY t.Z_PK, c.Z_PK
            """, [.real(span.lowerBound), .real(span.upperBound), .integer(row)]
        ) { row in
            let change = ChangeRow(row: row, saves: saves, isThere: true, tombstones: 0)
            return (try change.save(), change.change)
        }
    }
}
