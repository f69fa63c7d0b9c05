package import CoreDataStore

/// The model of the app USB Meter in its first version. What came after, the migrations say.
package enum USBMeterModel {
    /// The app's bundle identifier, which begins those of its extensions.
    package static let bundle = "ro.xdev.USB-Meter"

    /// `macAddress` is required and unique.
    package static let v1 = ManagedObjectModel(
        entities: [
            Entity(
                SettingsTable.entityName,
                attributes: [
                    Attribute("macAddress", .string, isOptional: false),
                    Attribute("id", .uuid),
                    Attribute("meterName", .string),
                    Attribute("tc66TemperatureUnit", .string),
                    Attribute("modelType", .string),
                    Attribute("createdAt", .date),
                    Attribute("updatedAt", .date),
                    Attribute("cloudKitRecordID", .string),
                    Attribute("connectedByDeviceID", .string),
                    Attribute("connectedByDeviceName", .string),
                    Attribute("connectedAt", .date),
                    Attribute("connectedExpiryAt", .date),
                    Attribute("lastSeenAt", .date),
                    Attribute("lastSeenByDeviceID", .string),
                    Attribute("lastSeenByDeviceName", .string),
                ],
                uniquenessConstraints: [["macAddress"]])
        ],
        versionIdentifiers: [identifier(of: 1)])

    /// The name of a version of the model, in the store's metadata: `USB_Meter`, `USB_Meter 2`.
    package static func identifier(of version: Int) -> String { version == 1 ? "USB_Meter" : "USB_Meter \(version)" }

    /// The version that bears this name; nil where it is none of the app's names.
    package static func version(of identifier: String) -> Int? {
        if identifier == Self.identifier(of: 1) { return 1 }
        let prefix = Self.identifier(of: 1) + " "
        guard identifier.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = identifier.utf8.dropFirst(prefix.utf8.count)
        guard (1...9).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(Substring(digits))
    }
}
