internal import CoreDataStore

/// Words that say nothing of a person. A redacted copy may have them, and in it they hide nothing else: a text counts as
/// found unless each of its bytes belongs to one of these.
struct HarmlessWords {
    /// Of this store: names of tables, columns, indexes and triggers, their statements without comments and literals, names of entities, attributes and
    /// versions of the model, and the model's hashes. Developers gave them; they are the same on every customer's device.
    let ofStore: Set<String>
    /// In lower case.
    let namesOfSchema: Set<String>

    func contains(_ text: String) -> Bool {
        Self.fixed.contains(text) || ofStore.contains(text) || Self.inAnyCase.contains(text.lowercased())
            || Self.isModelIdentifier(text)
    }

    /// Units, platforms, hardware types, what programs write for no value, and the end of a host name, which checks understand in any letter case.
    private static let inAnyCase: Set<String> = [
        "celsius", "fahrenheit", "ipad", "iphone", "ipod", "mac", "macbook", "imac", "um24", "um24c", "um25", "um25c",
        "um34", "um34c", "tc66", "tc66c", "local", "null", "nil", "undefined", "nan",
    ]

    /// What Apple calls a model inside, such as `iPhone14,2`.
    private static func isModelIdentifier(_ text: String) -> Bool {
        let rest = text.drop(while: \.isLetter)
        let numbers = rest.split(separator: ",", omittingEmptySubsequences: false)
        return inAnyCase.contains(text.lowercased().prefix(while: \.isLetter).description) && numbers.count == 2
            && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
    }

    /// In all encodings, for a search. Those of three letters and less are left out: strung together, they would cover
    /// anything.
    var patterns: [[UInt8]] {
        Self.fixed.union(ofStore).filter { $0.utf8.count >= 4 }.flatMap { word in
            TextEncoding.allCases.map { $0.bytes(of: word) }
        }
    }

    init(values: StoreValues) {
        var words = Set(values.names)
        // The rows of a trigger are names too.
        namesOfSchema = values.columns.union(values.names.map { $0.lowercased() }).union(["new", "old"])
        for statement in values.statements { words.formUnion(SchemaText(statement, names: namesOfSchema).code) }
        for value in values.values {
            switch (value.table.uppercased(), value.column.uppercased()) {
            case ("Z_PRIMARYKEY", "Z_NAME"): if let text = value.text { words.insert(text) }
            case ("Z_MODELCACHE", "Z_CONTENT"): words.formUnion(Self.texts(in: value.bytes))
            case ("Z_METADATA", "Z_PLIST"):
                guard let list = (try? PropertyList(binary: value.bytes))?.dictionary else { continue }
                words.formUnion((list["NSStoreModelVersionHashes"]?.dictionary ?? [:]).keys)
                for key in ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"] {
                    if let text = list[key]?.string { words.insert(text) }
                }
            default: continue
            }
        }
        ofStore = words
    }

    /// Every text of the cached model.
    private static func texts(in bytes: [UInt8]) -> Set<String> {
        var texts: Set<String> = []
        for piece in ContainerContents.pieces(of: bytes) ?? [] {
            if case .text(let text) = piece { texts.insert(text) }
            if case .bytes(let inner) = piece { texts.formUnion(Self.texts(in: inner)) }
        }
        return texts
    }

    /// The same in every store. A word is here because Apple's code, SQLite or meterfix writes it, because it is the name of the
    /// app itself, or because a check of meterfix asks for exactly this word and it names a product, not a person's thing.
    private static let fixed: Set<String> = Set(
        """
        meterfix ro.xdev.USB-Meter
        NSCloudKitMirroringDelegate.export NSCloudKitMirroringDelegate.import NSCloudKitMirroringDelegate.reset
        NSCloudKitMirroringDelegate.migration NSCloudKitMirroringDelegate.setup NSCloudKitMirroringDelegate.event
        com.apple.coredata.cloudkit.zone __defaultOwner__
        NSCocoaErrorDomain CKErrorDomain CKInternalErrorDomain NSURLErrorDomain NSPOSIXErrorDomain
        PFCloudKitMetadataFrameworkVersionKey PFCloudKitMetadataNeedsMetadataMigrationKey
        PFCloudKitMetadataClientVersionHashesKey PFCloudKitMetadataModelVersionHashesKey
        PFCloudKitMetadataModelMigratorMigrationBeganCommitKey
        PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey
        NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey
        NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey NSCloudKitMirroringDelegateLastHistoryTokenKey
        NSCloudKitMirroringDelegateBypassHistoryOnExportKey
        NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey
        version $null $archiver $objects $top $version $class $classes $classname root NSKeyedArchiver NSObject NSDictionary
        NSMutableDictionary NS.keys NS.objects NS.string NSString NSMutableString _NSPersistentHistoryToken
        NSPersistentHistoryToken NSPersistentHistoryTokenDictionary
        NSStoreType SQLite NSStoreModelVersionHashes NSStoreModelVersionHashesVersion NSStoreModelVersionIdentifiers
        NSStoreModelVersionHashesDigest NSStoreModelVersionChecksumKey NSPersistenceFrameworkVersion
        NSPersistenceMaximumFrameworkVersion _NSAutoVacuumLevel NSStoreUUID
        cloudStoreRebuildVersion legacyKeyValueImport date sha256
        device deviceID deviceName timestamp expiry expiresAt lastSeen seenBy
        celsius fahrenheit
        UM24 UM24C UM25 UM25C UM34 UM34C TC66 TC66C
        iPad iPhone iPod Mac MacBook iMac
        Meter Device Text
        Private Public Shared
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    ).union([
        "USB Meter", "MacBook Pro", "MacBook Air", "Mac mini", "Mac Pro", "Mac Studio", "iPod touch", "localhost",
        "USB_Meter", "USB_Meter 2",
    ])
}
