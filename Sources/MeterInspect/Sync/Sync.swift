internal import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// What is known of the meter of a record.
package typealias NamedMeter = (address: MACAddress?, name: String?)

/// Finds out which meters records were of that are gone from the store, by row number.
package typealias DeletedMeterLookup = (_ rows: Set<Int64>) throws -> [Int64: NamedMeter]

extension SyncReport {
    /// - Throws: `StoreError` of kind `unsuitable` for a store that is not Core Data's; SQLite's errors; those of `gone`.
    package init(of session: Session, gone: DeletedMeterLookup = { _ in [:] }) throws {
        let (store, description, database) = (session.store, session.description, session.database)
        try store.requireCoreData()
        // First: what is advised depends on it.
        let alerts = try session.alerts()
        guard let mirror = session.mirror else {
            self.init(
                path: store.path, mirror: nil, isConstrained: store.settings?.isAddressUnique ?? false, alerts: alerts,
                findings: try session.findingsOfMirror())
            return
        }
        var objects: [Object] = []
        var count = CloudKitMirror.WaitingCount()
        var changedFields = ChangedFields(store)
        try mirror.forEachWaiting(in: description, database) { waiting in
            if objects.count & 0x3FF == 0 { try Interruption.check(store.path) }
            count.add(waiting, in: description)
            objects.append(store.object(waiting, &changedFields))
        }
        try session.fillMeterNames(of: &objects, gone: gone)
        let signs = try MirrorIndicators(of: description, mirror, waiting: count, database)
        var unseen = 0
        if signs.token != .none, !signs.flags.contains(.scansForRows) {
            let waiting = Set(objects.map(\.object))
            try mirror.forEachWithoutMetadata(in: description, database) { if !waiting.contains($0) { unseen += 1 } }
        }
        self.init(
            path: store.path,
            mirror: Mirror(
                signs: signs, account: try mirror.account(database),
                lastTransaction: try description.history?.lastTransaction(database),
                hasHistory: description.history != nil, objects: objects, unseen: unseen,
                known: try mirror.mirroredObjects(in: description, database),
                arrival: try mirror.arrival(ofLastTransactionBy: HistoryWriter.author, in: description, database),
                lastEvents: store.withCures(signs.events), series: try mirror.eventSeries(database),
                fetchesAllZones: ZoneFetchMarker.isThere(in: description.metadata)),
            alerts: alerts, findings: try session.findingsOfMirror())
    }
}
