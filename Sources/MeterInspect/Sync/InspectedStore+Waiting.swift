internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What waits for CloudKit, by the names of entities, attributes and meters.
extension InspectedStore {
    func object(_ waiting: CloudKitMirror.Waiting) -> SyncReport.Object {
        SyncReport.Object(waiting, entity: entityName(waiting.object.entityNumber), fields: fields(of: waiting))
    }

    /// The attributes that an update changed; nil for an insert or a delete, and if they are not known.
    func fields(of waiting: CloudKitMirror.Waiting) -> [String]? {
        guard let columns = waiting.columns, let entry = description.keys[number: waiting.object.entityNumber] else {
            return nil
        }
        if let settings, entry == settings.entity { return settings.fields(changedIn: columns) }
        guard let model = description.model, let entity = model[entity: entry.name] else { return nil }
        return model.properties(changedIn: columns, of: entity)
    }

    /// Adds the address and the name of the meter to each object that is a living record of one.
    /// - Throws: SQLite's errors.
    func nameMeters(of objects: inout [SyncReport.Object], _ database: Database) throws {
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
