package import GRDB

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

        /// Whether a change waits.
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
