package import CoreDataStore
internal import GRDB
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
            guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
            return try describe(store, database)
        }
    }

    private static func describe(_ store: InspectedStore, _ database: Database) throws -> SyncReport {
        guard let mirror = store.description.mirror else {
            return SyncReport(path: store.path, mirror: nil, findings: [])
        }
        let description = store.description
        var objects: [SyncReport.Object] = []
        var count = CloudKitMirror.WaitingCount()
        var changedFields = ChangedFields(store)
        try mirror.forEachWaiting(in: description, database) { waiting in
            if objects.count & 0x3FF == 0 { try Interruption.check(store.path) }
            count.add(waiting.kind)
            objects.append(
                SyncReport.Object(
                    waiting, entity: store.entityName(waiting.object.entityNumber),
                    fields: changedFields.names(of: waiting)))
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
            findings: try Verification.findingsOfMirror(in: store, database))
    }
}

extension InspectedStore {
    /// What of the store's records waits for CloudKit, by row number; nothing in a store that is not mirrored.
    /// - Parameter rows: the only ones that are wanted; nil for all.
    /// - Throws: SQLite's errors.
    func waitingRecords(
        of settings: SettingsTable, in rows: [Int64]? = nil, _ database: Database
    ) throws -> [Int64: SyncReport.Object] {
        let numbers = Set(settings.entityNumbers ?? [settings.entity.number])
        var changedFields = ChangedFields(self)
        var objects: [Int64: SyncReport.Object] = [:]
        try description.mirror?.forEachWaiting(in: description, database) { waiting in
            guard numbers.contains(waiting.object.entityNumber), rows?.contains(waiting.object.row) ?? true else {
                return
            }
            objects[waiting.object.row] = SyncReport.Object(
                waiting, entity: SettingsTable.entityName, fields: changedFields.names(of: waiting))
        }
        return objects
    }

    /// Adds the address and the name of the meter to each object that is a living record of one.
    fileprivate func nameMeters(of objects: inout [SyncReport.Object], _ database: Database) throws {
        guard let settings else { return }
        let numbers = Set(settings.entityNumbers ?? [settings.entity.number])
        var places: [Int64: Int] = [:]
        for (place, object) in objects.enumerated() where numbers.contains(object.object.entityNumber) {
            places[object.object.row] = place
        }
        try settings.forEachRow(of: places.keys.sorted(), database) { row in
            guard let place = places[row.row] else { return }
            let record = row.record
            if case .usable(let address, _) = record.address { objects[place].mac = address.text(in: letterCase) }
            objects[place].name = record[.meterName].text
        }
    }
}
