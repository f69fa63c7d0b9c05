package import CoreDataStore
internal import MeterJournal
internal import MeterStore

extension Refusal {
    static func unknownVersion(_ found: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "unknown schema version: \(found)",
            hint: "name the app's model with --model, or show the store to the app's developers")
    }

    static func newerVersion(_ identifier: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the store has a newer version of the app's model, '\(identifier)'", hint: "use a newer meterfix")
    }

    static func unknownModel(in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the store has an unknown model: it carries none, and its version hash is not that of "
                + "its columns in any version of the app",
            hint: "use a newer meterfix; `rebuild` also takes the app's model, with --model PATH")
    }

    static func noModel(in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the store carries no model, and its version hashes are not those of its columns",
            hint: "name the app's model with --model")
    }

    static func unreadableModel(_ reason: String, in store: InspectedStore) -> StoreError {
        store.unsuitable("the cached model cannot be worked with: \(reason)", hint: "name the app's model with --model")
    }

    package static func unknownHash(of entity: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the new version hash of \(entity) cannot be computed: it has derived attributes, or properties meterfix "
                + "does not know",
            hint: "name the app's compiled model (.momd) with --model: its hashes come with it")
    }

    static func metadataLost(_ problem: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the store's metadata is lost: \(problem)",
            hint: "`\(store.command("migrate --restore-metadata"))` restores it from the model the store carries")
    }

    static func metadataUnread(_ problem: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the metadata is not restored, for keys of the app may still be in it: \(problem)",
            hint: "ask for the store again, or for a backup of it; if there is neither, show it to the app's developers"
        )
    }

    static func metadataBeyondRepair(_ problem: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the metadata cannot be restored, for the store's identity is lost too: \(problem)",
            hint: "ask for the store again, or for a backup of it")
    }

    package static func notTheAppsModel(_ path: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the model \(path) has no \(SettingsTable.entityName)",
            hint: "the app's model is CKModel.xcdatamodeld, or CKModel.momd in the app")
    }

    package static func unfitForCloudKit(_ breaches: [CloudKitRule.Breach], in store: InspectedStore) -> StoreError {
        let more = breaches.count > 1 ? " (and \(breaches.count - 1) more)" : ""
        return store.unsuitable(
            "CloudKit mirrors the store and refuses the model (\(breaches[0].rule.rawValue)): \(breaches[0])\(more)",
            hint: "change the app's model: Core Data does not load a mirrored store with this one (error 134060)")
    }

    /// - Parameter hint: nil where only the app can do it.
    package static func notAdditive(
        _ obstacles: [String], in store: InspectedStore, hint: String? = nil
    ) -> StoreError {
        let more = obstacles.count > 1 ? " (and \(obstacles.count - 1) more)" : ""
        return store.unsuitable(
            "the model asks for more than additions: \(obstacles[0])\(more)",
            hint: hint ?? "only the app can do such a migration, with the data it moves; "
                + "`meterfix verify --model` lists every difference")
    }

    /// - Parameter attribute: a required one, for which rows have no value.
    static func hintOnDefault(of attribute: String) -> String {
        "give \(attribute) a default value in the app's model, or make it optional: with this model the app does not open "
            + "the store (error 134110)"
    }
}
