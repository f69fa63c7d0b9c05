internal import CoreDataStore
internal import Foundation
internal import MeterModel
internal import MeterStore

/// Rewrites single values: what their replacements follow from.
struct ValueRedaction {
    let replacements: Replacements
    let words: HarmlessWords
    /// Whether bytes say which properties of an object of this entity an update changed.
    var isMask: (_ entityNumber: Int64, _ bytes: [UInt8]) -> Bool = { _, _ in false }
}

/// The property lists of a store.
extension ValueRedaction {
    /// The metadata dictionary: what Core Data and meterfix keep there stays, and everything else is replaced, its key
    /// included.
    func metadata(_ bytes: [UInt8], in place: String) -> [UInt8] {
        // Anything but a dictionary is damage, and must stay so.
        guard let list = try? PropertyList(binary: bytes) else {
            return PropertyList.isBeginning(of: bytes) ? Array("bplist".utf8) : replacements.blob(bytes, in: place)
        }
        guard let dictionary = list.dictionary else { return PropertyList.array([]).binaryPropertyList() }
        var redacted: [String: PropertyList] = [:]
        for (key, value) in dictionary {
            if let kept = MetadataKey(key)?.redacted(value, self) {
                redacted[key] = kept
            } else {
                replacements.noteUnknown("the key \(key) of the metadata dictionary")
                redacted[replacements.text(key, .text, in: place)] = self.list(value, in: "\(place), \(key)")
            }
        }
        return PropertyList.dictionary(redacted).binaryPropertyList()
    }

    /// A keyed archive of the mirror, such as its history token: class names, the words of the format and numbers stay.
    /// - Parameter key: what the archive is stored under; version hashes are the same for every user.
    func archive(_ bytes: [UInt8], of key: String?, in place: String) -> [UInt8] {
        guard let list = try? PropertyList(binary: bytes) else { return replacements.blob(bytes, in: place) }
        let isOfHashes = key?.hasPrefix("PFCloudKitMetadata") == true && key?.hasSuffix("VersionHashesKey") == true
        return self.list(list, in: place) { part in
            switch part {
            // Numbers of transactions.
            case .integer, .unsigned: true
            case .data(let bytes): isOfHashes && bytes.count == 32
            case .null, .bool, .real, .date, .string, .uid, .array, .dictionary: false
            }
        }.binaryPropertyList()
    }

    /// The cached model, which is the app's and nobody's personal data; without what a change may have left in it. The
    /// hashes know nothing of defaults and user info, so they may be anybody's.
    func model(_ bytes: [UInt8], in place: String) -> [UInt8] {
        let clean = try? ModelArchive.cleanCache(bytes) { part in
            let redacted = list(part, in: place)
            if redacted != part { replacements.noteUnknown("defaults and user info in \(place)") }
            return redacted
        }
        return clean ?? replacements.blob(bytes, in: place)
    }

    /// A property list with every text, number and piece of data replaced.
    /// - Parameter isHarmless: whether a part may stay as it is.
    func list(
        _ value: PropertyList, in place: String, isHarmless: (PropertyList) -> Bool = { _ in false }
    ) -> PropertyList {
        guard !isHarmless(value) else { return value }
        return switch value {
        case .null, .bool, .uid, .date: value
        case .integer(let number): .integer(replacements.integer(number))
        case .unsigned(let number): .integer(replacements.unsigned(number))
        case .real(let number): .real(replacements.real(number))
        case .data(let bytes): .data(replacements.blob(bytes, in: place))
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
        replacements.text(text, .text, in: place) { Self.wordsOfFormat.contains($0) || words.contains($0) }
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

/// Locks and discoveries in JSON: see `MetadataBlob`.
extension ValueRedaction {
    /// The same JSON with every text and number replaced, and the dates as they are; nil for what is not JSON.
    func json(_ bytes: UnsafeBufferPointer<UInt8>, in place: String) -> [UInt8]? {
        guard let node = try? JSONDecoder().decode(BlobNode.self, from: Data(bytes)) else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(redacted(node, in: place))).map { Array($0) }
    }

    private func redacted(_ node: BlobNode, in place: String) -> BlobNode {
        switch node {
        case .null, .flag: return node
        case .number(let number): return .number(replacements.real(number))
        case .text(let text): return .text(replacements.text(text, .device, in: place))
        case .list(let elements): return .list(elements.map { redacted($0, in: place) })
        case .object(let members):
            var object: [String: BlobNode] = [:]
            for (key, value) in members {
                switch key {
                case "device", "deviceID", "deviceName", "seenBy": object[key] = redacted(value, in: "\(place) \(key)")
                case "timestamp", "lastSeen", "expiry", "expiresAt":
                    object[key] = value.isDate ? value : redacted(value, in: place)
                default:
                    replacements.noteUnknown("the key \(key) in \(place)")
                    object[replacements.text(key, .text, in: place)] = redacted(value, in: place)
                }
            }
            return .object(object)
        }
    }
}

/// Any JSON, read by what reads a lock or a discovery in a store (`MetadataBlob`): one takes for JSON what the other does.
private enum BlobNode: Codable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([BlobNode])
    case object([String: BlobNode])

    /// In any of the encodings that `MetadataBlob` reads.
    var isDate: Bool {
        switch self {
        case .text(let text): Timestamp(iso8601: text) != nil
        case .number: true
        case .null, .flag, .list, .object: false
        }
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([BlobNode].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: BlobNode].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let elements): try value.encode(elements)
        case .object(let members): try value.encode(members)
        }
    }
}
