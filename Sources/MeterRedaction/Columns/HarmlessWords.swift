internal import CoreDataStore
internal import MeterModel

/// Texts of Core Data and its mirror that are the same for every user, and that the checks go by. Everything else is
/// replaced, so a word that is missing here costs a word in the copy and nothing more.
struct HarmlessWords {
    private let words: Set<String>
    /// The names of tables, columns and properties, which are in the statements of the schema anyway.
    private let names: Set<String>

    /// - Parameter store: the names of its entities and properties are the app's.
    init(_ store: StoreDescription) {
        let entities = store.model?.entities ?? []
        let columns = store.schema.tables.values.flatMap { [$0.name.text] + $0.columns.map(\.name.text) }
        self.init(
            entities: store.keys.entries.map(\.name) + entities.map(\.name),
            names: columns + entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
    }

    init(entities: [String], names: [String]) {
        words = Self.always.union(entities).union(entities.map { "CD_\($0)" })
        self.names = Set(names)
    }

    func contains(_ text: String) -> Bool { words.contains(text) }

    /// Whether a literal in a statement of the schema may stay: Core Data's triggers have names in them.
    func isOfSchema(_ text: String) -> Bool { names.contains(text) || words.contains(text) }

    private static let always = Set(
        CloudKitMirror.Work.allCases.map(\.rawValue) + CloudKitMirror.Flag.allCases.map(\.rawValue)
            + KnownMirrorError.all.flatMap(\.errors).map(\.domain) + [
                HistoryWriter.author,
                // The app itself: its bundle, its process and its container in CloudKit.
                "ro.xdev.USB-Meter", "USB Meter", "USB-Meter", "iCloud.ro.xdev.USB-Meter",
                "NSCloudKitMirroringDelegateLastHistoryTokenKey",
                "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey",
                "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey",
                "PFCloudKitMetadataClientVersionHashesKey", "PFCloudKitMetadataModelVersionHashesKey",
                "PFCloudKitMetadataFrameworkVersionKey", "PFCloudKitMetadataNeedsMetadataMigrationKey",
                "com.apple.coredata.cloudkit.zone", "_defaultZone", "__defaultOwner__",
                // The name of the mirror's database.
                "Private", "Shared", "Public",
            ])
}
