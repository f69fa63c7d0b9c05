package import CoreDataStore
internal import MeterModel
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

    /// What the model has whatever the encoding of lock and discovery, besides the address.
    private static let commonAttributes = attributes { $0 != .macAddress && !unitFields.contains($0) }
    private static let flatAttributes = attributes(where: unitFields.contains)

    private static let unitFields = Set(SettingsField.lock + SettingsField.discovery)

    /// Of the first version, which has the flat encoding.
    private static func attributes(where isWanted: (SettingsField) -> Bool) -> [Attribute] {
        v1[entity: SettingsTable.entityName]!.attributes.filter { attribute in
            SettingsField(rawValue: attribute.name).map(isWanted) ?? false
        }
    }
}
