internal import CoreDataStore
internal import MeterStore

extension InspectedStore {
    /// The version of the app's model that the store is of; nil without `DeviceSettings`, and for a later version than
    /// meterfix knows.
    package var schemaVersion: Int? { laterVersion == nil ? settings?.schemaVersion : nil }

    /// The name of a version of the app's model, such as `USB_Meter 7`, that is later than all that meterfix knows; nil where
    /// the store bears none.
    var laterVersion: String? {
        let latest = Migration.all.last?.to ?? 0
        return description.metadata.modelIdentifiers.first { identifier in
            identifier.wholeMatch(of: /USB_Meter ([0-9]{1,9})/).flatMap { Int($0.1) }.map { $0 > latest } ?? false
        }
    }
}
