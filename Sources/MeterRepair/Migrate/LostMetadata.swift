internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// Core Data's own keys of the metadata dictionary, where they were lost. `Z_UUID` has a column of its own and stays.
enum LostMetadata {
    /// The changes that bring back what is missing, apart from what tells of the model.
    /// - Parameter autoVacuum: what `PRAGMA auto_vacuum` answers.
    static func changes(
        in store: InspectedStore, identifiers: [String], autoVacuum: Int64
    ) -> [MetadataChange] {
        let values: [(key: String, value: MetadataChange.Value)] = [
            ("NSStoreModelVersionHashesVersion", .number(3)),
            ("NSStoreModelVersionIdentifiers", .texts(identifiers)),
            ("NSStoreType", .text("SQLite")),
            ("_NSAutoVacuumLevel", .text("\(autoVacuum)")),
            // Which version wrote the store last is lost; Core Data puts its own in its place.
            ("NSPersistenceFrameworkVersion", .number(StoreOptions(storeUUID: "").frameworkVersion)),
        ]
        let known = store.description.metadata.dictionary ?? [:]
        return values.filter { known[$0.key] == nil }
            .map { MetadataChange(key: $0.key, before: nil, after: $0.value) }
    }
}
