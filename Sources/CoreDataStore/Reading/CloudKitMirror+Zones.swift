package import GRDB

/// The record zones that the mirror knows, and what it has still to recover from.
extension CloudKitMirror {
    /// Why the mirror starts over with a zone.
    package enum Recovery: String, CaseIterable, Sendable {
        /// The user deleted the app's data in iCloud: the zone's rows are deleted on the device.
        case userPurge = "ZNEEDSRECOVERYFROMUSERPURGE"
        /// The zone is gone: everything is uploaded again.
        case zoneDelete = "ZNEEDSRECOVERYFROMZONEDELETE"
        /// The encryption key is lost: everything is uploaded again.
        case identityLoss = "ZNEEDSRECOVERYFROMIDENTITYLOSS"
    }

    package struct Zones: Hashable, Sendable {
        package fileprivate(set) var recoveries: [Recovery]
        /// When changes were last fetched, seconds since 2001; nil if they never were.
        package fileprivate(set) var lastFetch: Double?

        package init(recoveries: [Recovery] = []) { self.recoveries = recoveries }
    }

    /// - Returns: recoveries that concern the store: a zone without a record of it takes nothing away, and has nothing to
    ///   be uploaded again.
    /// - Throws: SQLite's errors.
    package func zones(in store: StoreDescription, _ database: Database) throws -> Zones {
        var zones = Zones()
        guard let table = table("RECORDZONEMETADATA") else { return zones }
        let flags = Recovery.allCases.map { "MAX(\(table.expression(SQLName($0.rawValue))) <> 0)" }
        let columns = ["MAX(\(table.expression("ZLASTFETCHDATE")))"] + flags
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.quotedIdentifier)"
        var flagged: [Recovery] = []
        try database.forEachRow(sql) { row in
            zones.lastFetch = row.realOrNil(0)
            flagged = zip(1..., Recovery.allCases).filter { row.integer($0.0) != 0 }.map(\.1)
        }
        zones.recoveries = try flagged.filter { try concernsStore($0, in: store, database) }
        return zones
    }

    /// Whether the mirror knows zones and has fetched nothing from any of them.
    /// - Throws: SQLite's errors.
    package func hasFetchedNothing(_ database: Database) throws -> Bool {
        guard let table = table("RECORDZONEMETADATA"), table.has("ZCURRENTCHANGETOKEN"), table.has("ZLASTFETCHDATE")
        else {
            return false
        }
        return try database.integer(
            of: """
                SELECT COUNT(*) > 0 AND COUNT(ZCURRENTCHANGETOKEN) = 0 AND COUNT(ZLASTFETCHDATE) = 0 \
                FROM \(table.name.quotedIdentifier)
                """) != 0
    }

    /// Whether a zone that is to be recovered has records of the store.
    private func concernsStore(
        _ recovery: Recovery, in store: StoreDescription, _ database: Database
    ) throws -> Bool {
        guard try mirroredObjects(inZonesOf: recovery, in: store, database).isEmpty else { return true }
        switch recovery {
        case .userPurge: return false
        // Where no zone has any, the mirror may have dropped its metadata already.
        case .zoneDelete, .identityLoss: return try mirroredObjects(in: store, database) == 0
        }
    }

    /// The living objects whose records are in zones that are to be recovered, by entity and row number; all that have
    /// record metadata where that does not say which zone they are in.
    /// - Parameter recovery: nil for all that have record metadata, whatever their zone.
    /// - Throws: SQLite's errors.
    package func mirroredObjects(
        inZonesOf recovery: Recovery?, in store: StoreDescription, _ database: Database
    ) throws -> [Object] {
        var condition = ""
        if let recovery, metadata.has("ZRECORDZONE"), let zones = table("RECORDZONEMETADATA"),
            zones.has(SQLName(recovery.rawValue))
        {
            let zones = zones.name.quotedIdentifier
            let flagged = "(SELECT Z_PK FROM \(zones) WHERE \(recovery.rawValue) <> 0)"
            // What is in CloudKit, and nothing says in which zone, may be in that one.
            condition = """
                WHERE metadata.ZRECORDZONE IN \(flagged) OR EXISTS \(flagged) AND \(column("ZCKRECORDNAME")) <> ''
                AND COALESCE(metadata.ZRECORDZONE, -1) NOT IN (SELECT Z_PK FROM \(zones))
                """
        }
        return try mirroredObjects(condition, in: store, database)
    }

    /// The living objects that the mirror has marked for deletion, in CloudKit or on this device, by entity and row number.
    /// - Throws: SQLite's errors.
    package func objectsAboutToBeDeleted(in store: StoreDescription, _ database: Database) throws -> [Object] {
        try mirroredObjects("WHERE \(isAboutToBeDeleted)", in: store, database)
    }

    /// The living objects with such record metadata, by entity and row number.
    private func mirroredObjects(
        _ condition: String, in store: StoreDescription, _ database: Database
    ) throws -> [Object] {
        try store.objectTables.flatMap { entity in
            // The number in a row says nothing where the table has one entity: a tool may have written another.
            let isSame =
                entity.numbers.count == 1
                ? "metadata.ZENTITYID = \(entity.numbers[0])" : "objects.Z_ENT = metadata.ZENTITYID"
            return try database.rows(
                """
                SELECT DISTINCT ZENTITYID, ZENTITYPK FROM \(metadata.name.quotedIdentifier) AS metadata
                JOIN \(entity.table.name.quotedIdentifier) AS objects
                ON objects.Z_PK = metadata.ZENTITYPK AND \(isSame) \(condition) ORDER BY 1, 2
                """
            ) { Object(entityNumber: $0.integer(0), row: $0.integer(1)) }
        }
    }

    /// The living objects that the mirror deletes on this device after an error, by entity and row number.
    /// - Throws: SQLite's errors.
    package func objects(
        deletedWith rows: MirrorReaction.Rows, in store: StoreDescription, _ database: Database
    ) throws -> [Object] {
        switch rows {
        case .mirrored: return try mirroredObjects(inZonesOf: nil, in: store, database)
        case .ofZone:
            let purged = try mirroredObjects(inZonesOf: .userPurge, in: store, database)
            // The error alone does not say which zone it was.
            return try purged.isEmpty ? mirroredObjects(inZonesOf: nil, in: store, database) : purged
        case .all:
            return try store.objectTables.flatMap { entity in
                try database.rows("SELECT Z_ENT, Z_PK FROM \(entity.table.name.quotedIdentifier) ORDER BY 1, 2") {
                    Object(entityNumber: $0.integer(0), row: $0.integer(1))
                }
            }
        }
    }

    /// How many of the objects in the app's tables have record metadata.
    /// - Throws: SQLite's errors.
    package func mirroredObjects(in store: StoreDescription, _ database: Database) throws -> Int {
        try store.entityTables.filter { $0.table.has("Z_PK") }
            .reduce(0) { try $0 + count(ofEntities: $1.numbers, presentIn: $1.table.name, database) }
    }

    /// One transaction of the history, and how many of its changes have arrived in CloudKit.
    package struct Arrival: Hashable, Sendable {
        /// `Z_PK`.
        package let transaction: Int64
        /// Seconds since 2001.
        package let time: Double
        /// Whether the mirror has read it in the history: an app has opened the store since.
        package let isRead: Bool
        package fileprivate(set) var changes = 0
        package fileprivate(set) var arrived = 0
        /// Objects whose change the mirror has read, and neither uploaded nor marked for that: it never will.
        package fileprivate(set) var passedOver: [Object] = []

        package var isComplete: Bool { arrived == changes }
    }

    /// How far the last transaction of an author has come. A change has arrived if its record is no longer marked for
    /// upload and a transaction at or after this one was exported for it; a delete, if the record metadata is gone.
    /// - Returns: nil if there is none.
    /// - Throws: SQLite's errors.
    package func arrival(
        ofLastTransactionBy author: String, in store: StoreDescription, _ database: Database
    ) throws -> Arrival? {
        guard let history = store.history, try history.hasWork(by: author, database),
            let last = try history.transactions(by: author, database).last
        else { return nil }
        var arrival = Arrival(
            transaction: last.number, time: last.time,
            isRead: try historyToken(of: store, database).transaction >= last.number)
        let exported: SQLName = "ZLASTEXPORTEDTRANSACTIONNUMBER"
        let number = metadata.has(exported) ? "m.\(exported)" : "\(Int64.max)"
        let upload = metadata.has("ZNEEDSUPLOAD") ? "m.ZNEEDSUPLOAD" : "0"
        try database.forEachRow(
            """
            SELECT c.ZCHANGETYPE, m.ZENTITYID IS NOT NULL, COALESCE(\(upload), 0), COALESCE(\(number), 0),
            c.ZENTITY, c.ZENTITYPK FROM ACHANGE c
            LEFT JOIN \(metadata.name.quotedIdentifier) AS m ON m.ZENTITYID = c.ZENTITY AND m.ZENTITYPK = c.ZENTITYPK
            WHERE c.ZTRANSACTIONID = ?
            """, [.integer(last.number)]
        ) { row in
            arrival.changes += 1
            let hasMetadata = row.integer(1) != 0
            let isDelete = PersistentHistory.ChangeType(rawValue: row.integer(0)) == .delete
            let (isMarked, isExported) = (row.integer(2) != 0, row.integer(3) >= last.number)
            guard arrival.isRead else { return }
            if isDelete ? !hasMetadata : hasMetadata && !isMarked && isExported { arrival.arrived += 1 }
            if !isDelete, hasMetadata, !isMarked, !isExported {
                arrival.passedOver.append(Object(entityNumber: row.integer(4), row: row.integer(5)))
            }
        }
        // What came after it, from CloudKit perhaps, is another matter.
        arrival.passedOver = try arrival.passedOver.filter {
            try history.lastChange(ofEntities: [$0.entityNumber], row: $0.row, after: last.number, database) == nil
        }
        return arrival
    }
}

extension CloudKitMirror {
    /// What the mirror itself saves. The raw value is the author: it exports nothing that one of these saved.
    package enum Work: String, CaseIterable, Sendable {
        case export = "NSCloudKitMirroringDelegate.export"
        case `import` = "NSCloudKitMirroringDelegate.import"
        case reset = "NSCloudKitMirroringDelegate.reset"
        case migration = "NSCloudKitMirroringDelegate.migration"
        case setup = "NSCloudKitMirroringDelegate.setup"
        case event = "NSCloudKitMirroringDelegate.event"

        /// Those whose name counts as the name of a context too.
        static let contexts = [export, `import`]

        /// Nil for what the mirror did not save.
        package init?(_ save: PersistentHistory.Save) {
            if let work = save.author.flatMap(Work.init(rawValue:)) {
                self = work
            } else if let work = save.context.flatMap(Work.init(rawValue:)), Self.contexts.contains(work) {
                self = work
            } else {
                return nil
            }
        }
    }

    /// Which changes in the history CloudKit does not have yet.
    package struct WaitingChanges: Sendable {
        fileprivate let token: Int64
        fileprivate let keys: PrimaryKeys
        fileprivate var objects: Set<Object> = []
        /// Objects that the mirror has marked, with the last transaction that it exported of each; 0 for none.
        fileprivate var marked: [Object: Int64] = [:]

        package func contains(_ change: PersistentHistory.LoggedChange, of save: PersistentHistory.Save) -> Bool {
            guard let object = change.object, let transaction = save.transaction, save.isThere, change.kind != nil,
                keys.isApp(object.entityNumber), objects.contains(object), Work(save) == nil
            else { return false }
            return transaction > token || marked[object].map { transaction > $0 } ?? false
        }
    }

    /// Finds out which changes of these objects wait.
    /// - Throws: SQLite's errors.
    package func waitingChanges(
        of wanted: Set<Object>, in store: StoreDescription, _ database: Database
    ) throws -> WaitingChanges {
        let token = try historyToken(of: store, database)
        var changes = WaitingChanges(token: token.transaction, keys: store.keys)
        guard !wanted.isEmpty else { return changes }
        try forEachWaiting(in: store, database) { waiting in
            guard wanted.contains(waiting.object) else { return }
            changes.objects.insert(waiting.object)
            // The mirror looks for all of it.
            if waiting.reason == .noMetadata { changes.marked[waiting.object] = 0 }
        }
        try database.forEachRow(
            """
            SELECT ZENTITYID, ZENTITYPK, \(column("ZLASTEXPORTEDTRANSACTIONNUMBER")) FROM \(metadata.name.quotedIdentifier)
            WHERE COALESCE(\(column("ZNEEDSUPLOAD")), 0) <> 0 OR COALESCE(\(column("ZNEEDSCLOUDDELETE")), 0) <> 0
            """
        ) { row in
            let object = Object(entityNumber: row.integer(0), row: row.integer(1))
            if wanted.contains(object) { changes.marked[object] = row.integer(2) }
        }
        return changes
    }
}
