internal import CoreDataStore
internal import MeterModel

/// Texts of Core Data and its mirror that are the same for every user, and that the checks go by. Everything else is
/// replaced, so a word that is missing here costs a word in the copy and nothing more.
struct HarmlessWords {
    private let words: Set<String>

    /// - Parameter store: the names of its entities are the app's.
    init(_ store: StoreDescription) {
        self.init(entities: store.keys.entries.map(\.name) + (store.model?.entities.map(\.name) ?? []))
    }

    init(entities: [String]) { words = Self.always.union(entities).union(entities.map { "CD_\($0)" }) }

    func contains(_ text: String) -> Bool { words.contains(text) }

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
