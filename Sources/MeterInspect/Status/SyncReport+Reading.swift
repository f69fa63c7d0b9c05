internal import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// What is known of the meter of a record.
package struct NamedMeter: Hashable, Sendable {
    package let address: MACAddress?
    package let name: String?

    init(address: MACAddress?, name: String?) {
        self.address = address
        self.name = name
    }

    init(_ record: DeviceSettings) { self.init(address: record.usableAddress, name: record[.meterName].text) }
}

/// Finds out which meters records were of that are gone from the store, by row number.
package typealias DeletedMeterLookup = (_ rows: Set<Int64>) throws -> [Int64: NamedMeter]

extension SyncReport {
    /// - Throws: `StoreError` of kind `unsuitable` for a store that is not Core Data's; SQLite's errors; those of `gone`.
    package init(of session: Session, gone: DeletedMeterLookup = { _ in [:] }) throws {
        let (store, description, database) = (session.store, session.description, session.database)
        try store.requireCoreData()
        // First: what is advised depends on it.
        let (alerts, pages) = try session.alertsWithPages()
        guard let mirror = session.mirror, var signs = try session.mirrorSigns() else {
            self.init(
                path: store.path, mirror: nil, modelRefusal: MirrorForecast.Stop(modelOf: description, store.settings),
                lacksMirror: store.lacksMirror, alerts: alerts, findings: try session.findingsOfMirror())
            return
        }
        var objects: [Object] = []
        var changedFields = ChangedFields(store)
        try mirror.forEachWaiting(in: description, database) { waiting in
            if objects.count & 0x3FF == 0 { try Interruption.check(store.path) }
            objects.append(store.object(waiting, &changedFields))
        }
        try session.fillMeterNames(of: &objects, gone: gone)
        signs.pages = pages
        self.init(
            path: store.path,
            mirror: Mirror(
                signs: signs, account: try mirror.account(database),
                lastTransaction: try description.history?.lastTransaction(database),
                hasHistory: description.history != nil, objects: objects,
                known: try mirror.mirroredObjects(in: description, database),
                lastEvents: store.withCures(signs.events), series: try mirror.eventSeries(database),
                fetchesAllZones: ZoneFetchMarker.isThere(in: description.metadata)),
            alerts: alerts, findings: try session.findingsOfMirror())
    }
}

/// What waits for CloudKit, by the names of entities, attributes and meters.
extension InspectedStore {
    func object(_ waiting: CloudKitMirror.Waiting, _ changed: inout ChangedFields) -> SyncReport.Object {
        SyncReport.Object(
            waiting: waiting, entity: entityName(waiting.object.entityNumber), fields: changed.names(of: waiting))
    }
}

extension MeterSession {
    /// What of the store's records waits for CloudKit, by row number; nothing in a store that is not mirrored.
    func waitingRecords(in rows: [Int64]? = nil) throws -> [Int64: SyncReport.Object] {
        let numbers = Set(settings.numbers)
        let store = base.store
        var changed = ChangedFields(store)
        var objects: [Int64: SyncReport.Object] = [:]
        try base.mirror?.forEachWaiting(in: store.description, base.database) { waiting in
            guard numbers.contains(waiting.object.entityNumber), rows?.contains(waiting.object.row) ?? true else {
                return
            }
            objects[waiting.object.row] = store.object(waiting, &changed)
        }
        return objects
    }
}

extension Session {
    /// Counts what waits, and finds the transaction of the oldest of it.
    func countWaiting(
        for mirror: CloudKitMirror, _ body: (CloudKitMirror.Waiting) -> Void = { _ in }
    ) throws -> (count: CloudKitMirror.WaitingCount, oldest: Int64?) {
        var count = CloudKitMirror.WaitingCount()
        var oldest: Int64?
        try mirror.forEachWaiting(in: description, database) { waiting in
            count.add(waiting, in: description)
            if let since = waiting.since { oldest = min(oldest ?? since, since) }
            body(waiting)
        }
        return (count, oldest)
    }

    /// Adds the address and the name of the meter to each object that is a record of one, or was.
    /// - Parameter gone: what else knows the meters of records that are gone.
    /// - Throws: also the errors of `gone`.
    func fillMeterNames(of objects: inout [SyncReport.Object], gone: DeletedMeterLookup = { _ in [:] }) throws {
        guard let settings else { return }
        let numbers = Set(settings.numbers)
        var places: [Int64: Int] = [:]
        for (place, object) in objects.enumerated() where numbers.contains(object.object.entityNumber) {
            places[object.object.row] = place
        }
        for record in try store.records(in: places.keys) {
            guard let place = places.removeValue(forKey: record.row) else { continue }
            if case .usable(let address, _) = record.address { objects[place].mac = address.text(in: store.letterCase) }
            objects[place].name = record[.meterName].text
        }
        guard !places.isEmpty else { return }
        let known = try addressesLeft(by: Set(places.keys))
            .mapValues { NamedMeter(address: $0, name: nil) }
            .merging(gone(Set(places.keys))) { _, meter in meter }
        for (row, meter) in known {
            guard let place = places[row] else { continue }
            objects[place].mac = meter.address?.text(in: store.letterCase)
            objects[place].name = meter.name
        }
    }

    /// The addresses that deleted records left in the history, by row number; the last one of each.
    private func addressesLeft(by rows: Set<Int64>) throws -> [Int64: MACAddress] {
        guard let history, let settings, settings.preservesAfterDeletion(.macAddress) else { return [:] }
        var addresses: [Int64: MACAddress] = [:]
        try history.forEachChange(ofEntities: settings.numbers, database) { change in
            guard let row = change.objectRow, rows.contains(row), addresses[row] == nil else { return }
            addresses[row] = MACAddress(inTombstones: change.tombstoneTexts)
        }
        return addresses
    }
}

extension MACAddress {
    /// The address among what a deleted record left; nil if there is none, or more than one.
    package init?(inTombstones texts: [String]) {
        let addresses = Set(
            texts.compactMap { text -> MACAddress? in
                if case .usable(let address, _) = DeviceSettings.Address(.text(text)) { address } else { nil }
            })
        guard let address = addresses.first, addresses.count == 1 else { return nil }
        self = address
    }
}
