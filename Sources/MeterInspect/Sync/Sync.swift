package import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// `sync`: what waits for CloudKit, and what its mirror will do when the app opens the store.
package enum Sync {
    /// Reads the store at `path` and leaves no trace.
    /// - Throws: `StoreError` if it cannot be read.
    package static func report(
        _ path: String, now: Timestamp, migrations: [Migration] = Migration.all
    ) throws(StoreError) -> SyncReport {
        try InspectedStore.look(at: path, now: now, migrations: migrations) { store, database in
            try report(of: store, database)
        }
    }

    /// - Throws: `StoreError` of kind `unsuitable` for a store that is not Core Data's; SQLite's errors.
    package static func report(of store: InspectedStore, _ database: Database) throws -> SyncReport {
        guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
        guard let mirror = store.description.mirror else {
            return SyncReport(path: store.path, mirror: nil, missingLog: store.missingLogFinding, findings: [])
        }
        let description = store.description
        var objects: [SyncReport.Object] = []
        var count = CloudKitMirror.WaitingCount()
        var changedFields = ChangedFields(store)
        try mirror.forEachWaiting(in: description, database) { waiting in
            if objects.count & 0x3FF == 0 { try Interruption.check(store.path) }
            count.add(waiting.kind)
            objects.append(store.object(waiting, &changedFields))
        }
        try store.nameMeters(of: &objects, database)
        let flags = try mirror.flags(database)
        let token = try mirror.historyToken(of: description, database)
        var unseen = 0
        if token != .none, !flags.contains(.scansForRows) {
            let waiting = Set(objects.map(\.object))
            try mirror.forEachWithoutMetadata(in: description, database) { if !waiting.contains($0) { unseen += 1 } }
        }
        return SyncReport(
            path: store.path,
            mirror: SyncReport.Mirror(
                token: token, lastTransaction: try description.history?.lastTransaction(database),
                hasHistory: description.history != nil, objects: objects, count: count, unseen: unseen,
                known: try mirror.mirroredObjects(in: description, database),
                arrival: try mirror.arrival(ofLastTransactionBy: HistoryWriter.author, in: description, database),
                lastEvents: try store.lastMirrorEvents(database), flags: flags,
                zones: try mirror.zones(database), fetchesAllZones: ZoneFetchMarker.isThere(in: description.metadata),
                isConstrained: store.settings?.isAddressUnique ?? false),
            missingLog: store.missingLogFinding, findings: try Verification.findingsOfMirror(in: store, database))
    }
}
