internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// A store of something else.
struct NoDeviceSettings: StoreCheck {
    static let description = CheckDescription(
        "no-device-settings", .note, "the store has no DeviceSettings",
        explanation: [
            """
            The store has no entity DeviceSettings, or no table with macAddress for it. Only the checks that do not \
            need it have run, and no command can repair anything here.
            """,
            """
            Most likely it is the store of another app, or another store of the same app. USB Meter's store is named \
            CKModel.sqlite.
            """,
        ])

    private static let cure = "ask for the app's own store, CKModel.sqlite: there is nothing to repair in this one"

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.settings == nil else { return [] }
        let name = SettingsTable.entityName
        guard store.description.keys[name] != nil else {
            return [description.finding("the store has no entity \(name)", cure: cure)]
        }
        return [description.finding("the store has the entity \(name) but no table with macAddress for it", cure: cure)]
    }
}
