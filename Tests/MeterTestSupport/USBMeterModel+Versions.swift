package import CoreDataStore
package import MeterStore

/// The app's model as stores have it, whatever the migrations make of its first version.
extension USBMeterModel {
    package enum Version: Sendable {
        /// `macAddress` is required and unique.
        case v1
        /// `macAddress` is optional and free: what CloudKit mirroring asks for.
        case v2

        package var identifiers: [String] { [USBMeterModel.identifier(of: self == .v1 ? 1 : 2)] }
    }

    /// How a store spells a meter's connection lock and last discovery.
    package enum Spelling: Hashable, Sendable {
        /// An attribute a field.
        case flat
        /// One JSON text each.
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
            case .both: Spelling.flat.attributes + Spelling.blob.attributes
            }
        }
    }

    package static let v2 = model(.v2)

    /// The model in another spelling, or with attributes and entities of other versions of the app.
    package static func model(
        _ version: Version, spelling: Spelling = .flat, extraAttributes: [Attribute] = [],
        extraEntities: [Entity] = []
    ) -> ManagedObjectModel {
        let address = Attribute("macAddress", .string, isOptional: version == .v2)
        let settings = Entity(
            SettingsTable.entityName,
            attributes: [address] + commonAttributes + spelling.attributes + extraAttributes,
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
