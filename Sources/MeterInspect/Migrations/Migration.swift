package import CoreDataStore
internal import MeterStore

/// A step from one version of the app's model to the next, as a value: what becomes of the model. What becomes of the
/// file follows from that. A migration that has shipped never changes again; a test notices.
package struct Migration: Hashable, Sendable {
    package let id: String
    package let summary: String
    package let from: Int
    package let to: Int
    package let revisions: [ModelRevision]

    /// Every migration there is, oldest first; each begins where the one before it ends. (A test adds one.)
    @TaskLocal package static var all: [Migration] = [.v1ToV2]
}

extension [Migration] {
    package var latestVersion: Int { last?.to ?? 1 }

    /// The app's own model in its newest version, for a new store.
    /// - Throws: `ModelArchiveError` where a migration does not fit the version before it.
    package func latestModel() throws(ModelArchiveError) -> ManagedObjectModel {
        let revised = try USBMeterModel.v1.revised(flatMap(\.revisions))
        return ManagedObjectModel(
            entities: revised.entities, versionIdentifiers: [USBMeterModel.identifier(of: latestVersion)])
    }
}

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
