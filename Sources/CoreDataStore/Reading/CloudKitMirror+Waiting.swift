package import GRDB

/// What waits for CloudKit. The marks in the record metadata alone do not say: the mirror sets them when it reads the
/// history, so right after a change from outside there are none.
extension CloudKitMirror {
    /// One object that the mirror has still to export, with everything that happened to it.
    package struct Waiting: Hashable, Sendable {
        package enum Reason: String, Sendable {
            /// The record metadata is marked for upload or deletion.
            case flag
            /// It was changed after the last transaction that the mirror has read.
            case history
            /// It has no record metadata, and the mirror is going to look for such rows.
            case noMetadata = "no-metadata"
        }

        package let object: Object
        package let kind: PersistentHistory.ChangeType
        package let reason: Reason
        /// The first transaction after the token that changed it; nil if none did.
        package let since: Int64?
        /// `ZCOLUMNS` of its updates taken together; nil for an insert or a delete, and if it is not known.
        package let columns: [UInt8]?
        package let hasMetadata: Bool
        /// CloudKit record name.
        package let recordName: String?

        /// Whether CloudKit has the record already, and the mirror, without its place in the history, uploads it once more.
        package var isUploadedAgain: Bool { kind == .insert && recordName != nil }
    }

    package struct WaitingCount: Hashable, Sendable {
        /// Records to be saved: inserts and updates.
        package private(set) var uploads = 0
        package private(set) var deletes = 0
        /// Those of objects with record metadata.
        package private(set) var knownUploads = 0
        package private(set) var knownDeletes = 0
        /// Records that CloudKit has already.
        package private(set) var again = 0
        /// The number of an entity that the store does not have, of which a row is marked for upload.
        package private(set) var unknownEntity: Int64?

        package init(
            uploads: Int = 0, deletes: Int = 0, knownUploads: Int = 0, knownDeletes: Int = 0,
            unknownEntity: Int64? = nil
        ) {
            self.uploads = uploads
            self.deletes = deletes
            self.knownUploads = knownUploads
            self.knownDeletes = knownDeletes
            self.unknownEntity = unknownEntity
        }

        package var total: Int { uploads + deletes }

        package mutating func add(_ waiting: Waiting, in store: StoreDescription) {
            let known = waiting.hasMetadata ? 1 : 0
            again += waiting.isUploadedAgain ? 1 : 0
            switch waiting.kind {
            case .insert, .update:
                uploads += 1
                knownUploads += known
                let number = waiting.object.entityNumber
                if unknownEntity == nil, !store.keys.entries.isEmpty, store.keys[number: number] == nil {
                    unknownEntity = number
                }
            case .delete:
                deletes += 1
                knownDeletes += known
            }
        }
    }

    /// - Throws: SQLite's errors.
    package func waitingCount(in store: StoreDescription, _ database: Database) throws -> WaitingCount {
        var count = WaitingCount()
        try forEachWaiting(in: store, database) { count.add($0, in: store) }
        return count
    }

    /// Hands each object that waits to `body` once: those that are marked in the record metadata; those that were
    /// changed after the token in a transaction that is not the mirror's own, unless they were inserted and deleted
    /// again and have no record in CloudKit; and, as long as there is no token or if the mirror is told to look for them, those without record
    /// metadata. By entity and row number, those without record metadata last.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachWaiting(
        in store: StoreDescription, _ database: Database, _ body: (Waiting) throws -> Void
    ) throws {
        let token = try historyToken(of: store, database)
        let seeksRows = try token == .none || flags(database).contains(.scansForRows)
        var inserted: Set<Object> = []
        try forEachPending(after: token, in: store, database) { pending in
            guard let waiting = pending.waiting else { return }
            if seeksRows, !waiting.hasMetadata { inserted.insert(waiting.object) }
            try body(waiting)
        }
        guard seeksRows else { return }
        try forEachWithoutMetadata(in: store, database) { object in
            guard !inserted.contains(object) else { return }
            try body(
                Waiting(
                    object: object, kind: .insert, reason: .noMetadata, since: nil, columns: nil, hasMetadata: false,
                    recordName: nil))
        }
    }

    /// Objects that were inserted after the token and have no record in CloudKit: together with a delete after that the
    /// insert cancels out, and the mirror exports neither.
    /// - Throws: SQLite's errors.
    package func newObjectsAfterToken(in store: StoreDescription, _ database: Database) throws -> Set<Object> {
        var inserted: Set<Object> = []
        try forEachPending(after: historyToken(of: store, database), in: store, database) { pending in
            if pending.isNew { inserted.insert(pending.object) }
        }
        return inserted
    }

    /// Hands each object that is marked in the record metadata, or was changed after the token, to `body`, by entity and
    /// row number.
    private func forEachPending(
        after token: HistoryToken, in store: StoreDescription, _ database: Database,
        _ body: (PendingObject) throws -> Void
    ) throws {
        var pending: PendingObject?
        try database.forEachRow(marksAndChanges(store.history), [.integer(token.transaction)]) { row in
            let object = Object(entityNumber: row.integer(0), row: row.integer(1))
            if pending?.object != object {
                if let pending { try body(pending) }
                pending = PendingObject(object, row)
            }
            pending?.addMarks(row)
            if row.storageClass(2) != .null, store.keys.isApp(object.entityNumber) { pending?.addChange(row) }
        }
        if let pending { try body(pending) }
    }

    /// Hands the objects that have no record metadata to `body`.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachWithoutMetadata(
        in store: StoreDescription, _ database: Database, _ body: (Object) throws -> Void
    ) throws {
        for entity in store.objectTables {
            // A join, not NOT EXISTS: if the index of the metadata is gone, SQLite makes one for the query.
            try database.forEachRow(
                """
                SELECT objects.Z_ENT, objects.Z_PK FROM \(entity.table.name.quotedIdentifier) AS objects
                LEFT JOIN \(metadata.name.quotedIdentifier) AS metadata
                ON metadata.ZENTITYID = objects.Z_ENT AND metadata.ZENTITYPK = objects.Z_PK
                WHERE metadata.ZENTITYID IS NULL ORDER BY objects.Z_ENT, objects.Z_PK
                """
            ) { try body(Object(entityNumber: $0.integer(0), row: $0.integer(1))) }
        }
    }

    /// Whether there are objects of some entities without record metadata that are not new: those that were made after the
    /// token, which the mirror has still to see, are. A tool may have given the others new row numbers.
    /// - Throws: SQLite's errors.
    package func hasUnknownObject(
        ofEntities entities: Set<Int64>, in store: StoreDescription, _ database: Database
    ) throws -> Bool {
        let token = try historyToken(of: store, database).transaction
        return try store.objectTables.filter { !entities.isDisjoint(with: $0.numbers) }.contains { entity in
            // Whatever entity number a tool has written into the row.
            let numbers = entity.numbers.sqlList
            let rows = try database.rows(
                """
                SELECT Z_PK FROM \(entity.table.name.quotedIdentifier) WHERE Z_PK NOT IN
                (SELECT ZENTITYPK FROM \(metadata.name.quotedIdentifier)
                WHERE ZENTITYID IN (\(numbers)) AND ZENTITYPK IS NOT NULL)
                """
            ) { $0.integer(0) }
            guard store.history != nil else { return !rows.isEmpty }
            return try rows.contains { row in
                // A number that was given out before has older words in the history.
                let isNew = try database.rows(
                    """
                    SELECT ZCHANGETYPE, ZTRANSACTIONID FROM ACHANGE WHERE ZENTITY IN (\(numbers)) AND ZENTITYPK = ?
                    AND ZCHANGETYPE <> \(PersistentHistory.ChangeType.update.rawValue) ORDER BY ZTRANSACTIONID DESC, Z_PK DESC LIMIT 1
                    """, [.integer(row)]
                ) { $0.integer(0) == PersistentHistory.ChangeType.insert.rawValue && $0.integer(1) > token }
                return isNew != [true]
            }
        }
    }

    /// The objects that the mirror never uploads by itself, by entity and row number: they have no record metadata, no
    /// change after the token names them, and the mirror is not going to look for such rows.
    /// - Throws: SQLite's errors.
    package func leftBehind(in store: StoreDescription, _ database: Database) throws -> [Object] {
        guard try historyToken(of: store, database) != .none, try !flags(database).contains(.scansForRows) else {
            return []
        }
        var objects: [Object] = []
        try forEachWithoutMetadata(in: store, database) { objects.append($0) }
        objects = try ofMirroredEntities(objects, in: store, database)
        // Only where there are such objects is the end of the history read.
        guard !objects.isEmpty else { return [] }
        var waiting: Set<Object> = []
        try forEachWaiting(in: store, database) { if !$0.hasMetadata { waiting.insert($0.object) } }
        return objects.filter { !waiting.contains($0) }
    }

    /// The objects of entities of which the mirror has anything, or the history: an app may keep one out of both. All of
    /// them where neither has anything of any entity.
    private func ofMirroredEntities(
        _ objects: [Object], in store: StoreDescription, _ database: Database
    ) throws -> [Object] {
        guard !objects.isEmpty else { return [] }
        let known = Set(try entityNumbers(database).map(\.number))
        let entities = Set(objects.map(\.entityNumber)).filter(store.keys.isApp)
        let mirrored = try entities.filter { number in
            try known.contains(number)
                || store.history != nil
                    && database.hasRow("SELECT 1 FROM ACHANGE WHERE ZENTITY = ? LIMIT 1", [.integer(number)])
        }
        let isAllLost = mirrored.isEmpty && known.isEmpty
        return objects.filter { (isAllLost ? entities : mirrored).contains($0.entityNumber) }
    }

    /// The statement for the marked objects and for the changes after a transaction, object by object. A delete that
    /// the mirror itself made, in an import or a reset, undoes what happened to the object before it; nothing else of
    /// the mirror's own work counts.
    private func marksAndChanges(_ history: PersistentHistory?) -> String {
        func list(_ works: [Work]) -> String { works.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
        let (upload, delete) = (column("ZNEEDSUPLOAD"), column("ZNEEDSCLOUDDELETE"))
        let metadata = metadata.name.quotedIdentifier
        var parts = [
            """
            SELECT CAST(ZENTITYID AS INTEGER) AS entity, CAST(ZENTITYPK AS INTEGER) AS object, NULL AS number,
            NULL AS change, NULL AS kind, NULL AS columns, 0 AS isImport FROM \(metadata)
            WHERE COALESCE(\(upload), 0) <> 0 OR COALESCE(\(delete), 0) <> 0
            """
        ]
        if let history {
            parts.append(
                """
                SELECT CAST(ZENTITY AS INTEGER), CAST(ZENTITYPK AS INTEGER), t.number, c.Z_PK, c.ZCHANGETYPE, c.ZCOLUMNS,
                t.isImport FROM (
                    SELECT t.Z_PK AS number,
                    COALESCE(\(history.transactionAuthor) IN (\(list(Work.allCases))), 0)
                    OR COALESCE(\(history.contextName) IN (\(list(Work.contexts))), 0) AS isPrivate,
                    COALESCE(\(history.transactionAuthor) IN (\(list([.import, .reset]))), 0)
                    OR COALESCE(\(history.contextName) = '\(Work.import.rawValue)', 0) AS isImport
                    FROM ATRANSACTION t WHERE t.Z_PK > ?1
                ) AS t JOIN ACHANGE AS c ON c.ZTRANSACTIONID = t.number
                WHERE ZENTITYPK > 0 AND (NOT t.isPrivate OR t.isImport AND c.ZCHANGETYPE = 2)
                """)
        }
        let marks = ["ZCKRECORDNAME", "ZNEEDSUPLOAD", "ZNEEDSCLOUDDELETE"].map { (name: SQLName) in
            self.metadata.has(name) ? "m.\(name)" : "NULL"
        }
        return """
            SELECT entity, object, number, kind, columns, isImport, m.ZENTITYID IS NOT NULL,
            \(marks.joined(separator: ", ")) FROM (\(parts.joined(separator: " UNION ALL ")))
            LEFT JOIN \(metadata) AS m ON m.ZENTITYID = entity AND m.ZENTITYPK = object
            WHERE ?1 IS NOT NULL ORDER BY entity, object, number, change
            """
    }
}

/// An object while its changes are read one after another.
private struct PendingObject {
    let object: CloudKitMirror.Object
    private let hasMetadata: Bool
    private var recordName: String?
    private var needsUpload = false
    private var needsCloudDelete = false
    /// The columns are nil if one of the updates does not say.
    private var changes:
        (since: Int64, first: PersistentHistory.ChangeType, last: PersistentHistory.ChangeType, columns: [UInt8]?)?

    init(_ object: CloudKitMirror.Object, _ row: SQLiteRow) {
        self.object = object
        hasMetadata = row.integer(6) != 0
    }

    /// Adds the marks of the record metadata in this row. Damage: there may be several for one object.
    mutating func addMarks(_ row: SQLiteRow) {
        recordName = recordName ?? row.text(7)
        if row.integer(8) != 0 { needsUpload = true }
        if row.integer(9) != 0 { needsCloudDelete = true }
    }

    mutating func addChange(_ row: SQLiteRow) {
        guard row.integer(5) == 0 else {
            changes = nil
            return
        }
        guard let kind = PersistentHistory.ChangeType(rawValue: row.integer(3)) else { return }
        let columns = row.storageClass(4) == .blob ? Array(row.bytes(4)) : nil
        guard let known = changes else {
            changes = (row.integer(2), kind, kind, columns)
            return
        }
        changes?.last = kind
        if kind == .update { changes?.columns = Self.union(known.columns, columns) }
    }

    /// All bits of both; nil if one is not known.
    private static func union(_ one: [UInt8]?, _ other: [UInt8]?) -> [UInt8]? {
        guard let one, let other, one.count == other.count else { return nil }
        return zip(one, other).map { $0 | $1 }
    }

    var isNew: Bool { changes?.first == .insert && recordName == nil }

    var waiting: CloudKitMirror.Waiting? {
        func make(
            _ kind: PersistentHistory.ChangeType, _ reason: CloudKitMirror.Waiting.Reason, since: Int64? = nil,
            columns: [UInt8]? = nil
        ) -> CloudKitMirror.Waiting {
            CloudKitMirror.Waiting(
                object: object, kind: kind, reason: reason, since: since, columns: columns, hasMetadata: hasMetadata,
                recordName: recordName)
        }
        if let changes {
            switch (changes.first, changes.last) {
            // Without a token the insert is read once more, and the record may have been exported since.
            case (.insert, .delete): if recordName != nil { return make(.delete, .history, since: changes.since) }
            case (.insert, .insert), (.insert, .update): return make(.insert, .history, since: changes.since)
            case (.update, .delete), (.delete, .delete): return make(.delete, .history, since: changes.since)
            case (.delete, .insert), (.update, .insert), (.delete, .update):
                // The same row number again: the record in CloudKit gets all of its new values.
                return make(.update, .history, since: changes.since)
            case (.update, .update):
                // The mark was set by a delete before the change, and nothing takes it away.
                if needsCloudDelete { return make(.delete, .flag, since: changes.since) }
                return make(.update, .history, since: changes.since, columns: changes.columns)
            }
        }
        if needsCloudDelete { return make(.delete, .flag) }
        return needsUpload ? make(recordName == nil ? .insert : .update, .flag) : nil
    }
}
