internal import CoreDataStore
internal import MeterModel

/// Rewrites single values: what their replacements follow from.
struct ValueRedaction {
    let pseudonyms: Pseudonyms
    let dates: DateShift
    /// Seconds since 2001.
    let now: Double
    let words: HarmlessWords
    /// Whether bytes say which properties of an object of this entity an update changed.
    var isMask: (_ entityNumber: Int64, _ bytes: [UInt8]) -> Bool = { _, _ in false }

    /// Moves the expiry of a lock. That of an expired lock goes with the start of the lock, so that the lock lasts as
    /// long as before.
    /// - Parameter start: of the lock, seconds since 2001; nil where it has none.
    func expiry(_ expiry: Double, ofLockSince start: Double?) -> Double {
        guard let start, expiry < now else { return dates(expiry) }
        return expiry + dates.offset(at: start)
    }
}

/// The property lists of a store.
extension ValueRedaction {
    /// The metadata dictionary: what Core Data and meterfix keep there stays, and everything else is replaced, its key
    /// included.
    func metadata(_ bytes: [UInt8], in place: String) -> [UInt8] {
        guard let list = try? PropertyList(binary: bytes) else { return pseudonyms.blob(bytes, in: place) }
        // Anything but a dictionary is damage, and must stay so.
        guard let dictionary = list.dictionary else { return PropertyList.array([]).binaryPropertyList() }
        var redacted: [String: PropertyList] = [:]
        for (key, value) in dictionary {
            if let kept = MetadataKey(key)?.redacted(value, self) {
                redacted[key] = kept
            } else {
                pseudonyms.noteUnknown("the key \(key) of the metadata dictionary")
                redacted[pseudonyms.text(key, in: place)] = self.list(value, in: "\(place), \(key)")
            }
        }
        return PropertyList.dictionary(redacted).binaryPropertyList()
    }

    /// A keyed archive of the mirror, such as its history token: class names, the words of the format and numbers stay.
    /// - Parameter key: what the archive is stored under; version hashes are the same for every user.
    func archive(_ bytes: [UInt8], of key: String?, in place: String) -> [UInt8] {
        guard let list = try? PropertyList(binary: bytes) else { return pseudonyms.blob(bytes, in: place) }
        let isOfHashes = key?.hasPrefix("PFCloudKitMetadata") == true && key?.hasSuffix("VersionHashesKey") == true
        return self.list(list, in: place) { part in
            switch part {
            // Numbers of transactions.
            case .integer: true
            case .data(let bytes): isOfHashes && bytes.count == 32
            case .null, .bool, .real, .date, .string, .uid, .array, .dictionary: false
            }
        }.binaryPropertyList()
    }

    /// The cached model, which is the app's and nobody's personal data; without what a change may have left in it.
    func model(_ bytes: [UInt8], in place: String) -> [UInt8] {
        (try? ModelArchive.cleanCache(bytes)) ?? pseudonyms.blob(bytes, in: place)
    }

    /// A property list with every text, number, date and piece of data replaced.
    /// - Parameter isHarmless: whether a part may stay as it is.
    func list(
        _ value: PropertyList, in place: String, isHarmless: (PropertyList) -> Bool = { _ in false }
    ) -> PropertyList {
        guard !isHarmless(value) else { return value }
        return switch value {
        case .null, .bool, .uid: value
        case .integer(let number): .integer(pseudonyms.integer(number))
        case .real(let number): .real(pseudonyms.real(number))
        case .date(let date): .date(dates(date))
        case .data(let bytes): .data(pseudonyms.blob(bytes, in: place))
        case .string(let text): .string(word(text, in: place))
        case .array(let elements): .array(elements.map { list($0, in: place, isHarmless: isHarmless) })
        case .dictionary(let entries):
            .dictionary(
                Dictionary(
                    entries.map { (word($0, in: place), list($1, in: place, isHarmless: isHarmless)) }
                ) { first, _ in first })
        }
    }

    /// Words of the archive's format and of Core Data stay.
    private func word(_ text: String, in place: String) -> String {
        pseudonyms.text(text, in: place) { Self.wordsOfFormat.contains($0) || words.contains($0) }
    }

    /// The keys of a keyed archive, and the classes of what the mirror archives.
    private static let wordsOfFormat: Set = [
        "NSKeyedArchiver", "$archiver", "$version", "$objects", "$top", "root", "$null", "$class", "$classname",
        "$classes", "NS.keys", "NS.objects", "NS.string", "NS.data", "NS.time", "NS.uuidbytes", "NSObject",
        "NSDictionary", "NSMutableDictionary", "NSArray", "NSMutableArray", "NSSet", "NSString", "NSMutableString",
        "NSNumber", "NSData", "NSMutableData", "NSDate", "NSUUID", "NSPersistentHistoryToken",
        "_NSPersistentHistoryToken", "NSPersistentHistoryTokenDictionary",
    ]
}
