package import CoreDataStore
package import MeterStore

/// The app's model as stores have it, whatever the migrations make of its first version.
extension USBMeterModel {
    package enum Version: Sendable {
        /// `macAddress` is required and unique.
        case v1
        /// `macAddress` is optional and not unique, as CloudKit mirroring requires.
        case v2

        package var identifiers: [String] { [USBMeterModel.identifier(of: self == .v1 ? 1 : 2)] }
    }

    /// How a store keeps a meter's connection lock and last discovery.
    package enum LockEncoding: Hashable, Sendable {
        /// One attribute for each field.
        case flat
        /// One JSON text for each.
        case blob
        /// One JSON text for the lock, UTF-8 bytes of JSON for the discovery.
        case blobWithBinaryDiscovery
        /// Flat attributes and JSON texts side by side.
        case both

        fileprivate var attributes: [Attribute] {
            switch self {
            case .flat: USBMeterModel.flatAttributes
            case .blob: [Attribute("connectionMetadata", .string), Attribute("discoveryMetadata", .string)]
            case .blobWithBinaryDiscovery:
                [Attribute("connectionMetadata", .string), Attribute("discoveryMetadata", .binary)]
            case .both: LockEncoding.flat.attributes + LockEncoding.blob.attributes
            }
        }
    }

    package static let v2 = model(.v2)

    /// The model with another encoding of lock and discovery, or with attributes and entities of other versions of the app.
    package static func model(
        _ version: Version, lockEncoding: LockEncoding = .flat, extraAttributes: [Attribute] = [],
        extraEntities: [Entity] = []
    ) -> ManagedObjectModel {
        let address = Attribute("macAddress", .string, isOptional: version == .v2)
        let settings = Entity(
            SettingsTable.entityName,
            attributes: [address] + commonAttributes + lockEncoding.attributes + extraAttributes,
            uniquenessConstraints: version == .v1 ? [["macAddress"]] : [])
        return ManagedObjectModel(entities: [settings] + extraEntities, versionIdentifiers: version.identifiers)
    }

    private static let commonAttributes = [
        Attribute("id", .uuid),
        Attribute("meterName", .string),
        Attribute("tc66TemperatureUnit", .string),
        Attribute("modelType", .string),
        Attribute("createdAt", .date),
        Attribute("updatedAt", .date),
        Attribute("cloudKitRecordID", .string),
    ]

    private static let flatAttributes = [
        Attribute("connectedByDeviceID", .string),
        Attribute("connectedByDeviceName", .string),
        Attribute("connectedAt", .date),
        Attribute("connectedExpiryAt", .date),
        Attribute("lastSeenAt", .date),
        Attribute("lastSeenByDeviceID", .string),
        Attribute("lastSeenByDeviceName", .string),
    ]
}
