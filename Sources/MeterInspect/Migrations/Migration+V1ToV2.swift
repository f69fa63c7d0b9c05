internal import CoreDataStore

extension Migration {
    /// Model `USB_Meter` to `USB_Meter 2`: CloudKit mirroring takes no uniqueness constraint (error 134060) and asks for
    /// optional attributes.
    package static let v1ToV2 = Migration(
        id: "v1-v2", summary: "macAddress is no longer unique, and optional", from: 1, to: 2,
        revisions: [
            .dropUniquenessConstraint(entity: "DeviceSettings", attributes: ["macAddress"]),
            .makeOptional(entity: "DeviceSettings", attribute: "macAddress"),
        ])
}
