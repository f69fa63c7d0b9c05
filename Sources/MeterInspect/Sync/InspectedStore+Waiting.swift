internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What waits for CloudKit, by the names of entities, attributes and meters.
extension InspectedStore {
    /// - Parameter changed: names the attributes that an update changed.
    func object(_ waiting: CloudKitMirror.Waiting, _ changed: inout ChangedFields) -> SyncReport.Object {
        SyncReport.Object(
            waiting, entity: entityName(waiting.object.entityNumber), fields: changed.names(of: waiting))
    }

    /// What of the store's records waits for CloudKit, by row number; nothing in a store that is not mirrored.
    /// - Parameter rows: the only ones that are wanted; nil for all.
    /// - Throws: SQLite's errors.
    func waitingRecords(
        of settings: SettingsTable, in rows: [Int64]? = nil, _ database: Database
    ) throws -> [Int64: SyncReport.Object] {
        let numbers = Set(settings.numbers)
        var changed = ChangedFields(self)
        var objects: [Int64: SyncReport.Object] = [:]
        try description.mirror?.forEachWaiting(in: description, database) { waiting in
            guard numbers.contains(waiting.object.entityNumber), rows?.contains(waiting.object.row) ?? true else {
                return
            }
            objects[waiting.object.row] = object(waiting, &changed)
        }
        return objects
    }

    /// Adds the address and the name of the meter to each object that is a living record of one.
    /// - Throws: SQLite's errors.
    func nameMeters(of objects: inout [SyncReport.Object], _ database: Database) throws {
        guard let settings else { return }
        let numbers = Set(settings.numbers)
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
