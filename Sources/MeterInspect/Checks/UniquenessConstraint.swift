internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// Schema v1's constraint on the address.
struct UniquenessConstraint: StoreCheck {
    static let description = CheckDescription(
        "uniqueness-constraint", .error,
        "this store does not sync, because CloudKit does not allow the unique macAddress of schema v1",
        explanation: [
            """
            As long as the constraint is there, nothing of this store reaches the user's other devices, and nothing \
            arrives from them. Model v1 (USB_Meter) made macAddress unique, and CloudKit mirroring refuses a model with \
            such a constraint (error 134060). Nor did it ever prevent duplicates whose addresses are written differently.
            """,
            "The store was last written by an app version before model v2 (USB_Meter 2), or its migration did not finish.",
            """
            Open the store once in the current app, or run `meterfix migrate --dry-run` and then `meterfix migrate`. \
            Rebuild afterwards if there are duplicates.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let settings = store.settings, settings.isAddressUnique else { return [] }
        let indexes = settings.uniqueIndexes.map(\.name.text).sorted()
        var places: [String] = []
        if !indexes.isEmpty {
            places.append("the unique \(indexes.count == 1 ? "index" : "indexes") \(Phrase.list(indexes))")
        }
        if isInModel(store) { places.append("the constraint of the cached model") }
        let refusal = store.refusalToMigrate(database)
        let advice = refusal?.hint ?? "show the store to the app's developers"
        return [
            description.finding(
                "macAddress must be unique, by \(Phrase.list(places))", entity: SettingsTable.entityName,
                cure: refusal == nil ? store.command("migrate") : advice)
        ]
    }

    private static func isInModel(_ store: InspectedStore) -> Bool {
        let entity = store.description.model?[entity: SettingsTable.entityName]
        return entity?.hasConstraint(over: [SettingsField.macAddress.rawValue]) ?? false
    }
}
