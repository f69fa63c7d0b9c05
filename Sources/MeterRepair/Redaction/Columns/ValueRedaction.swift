internal import CoreDataStore
internal import Foundation
internal import MeterModel
internal import MeterStore

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

/// Locks and discoveries in JSON: see `MetadataBlob`.
extension ValueRedaction {
    /// The same JSON with every text, date and number replaced; nil for what is not JSON.
    func json(_ bytes: UnsafeBufferPointer<UInt8>, in place: String) -> [UInt8]? {
        guard let node = try? JSONDecoder().decode(BlobNode.self, from: Data(bytes)) else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(redacted(node, in: place))).map { Array($0) }
    }

    private func redacted(_ node: BlobNode, in place: String) -> BlobNode {
        switch node {
        case .null, .flag: return node
        case .number(let number): return .number(pseudonyms.real(number))
        case .text(let text): return .text(pseudonyms.text(text, in: place))
        case .list(let elements): return .list(elements.map { redacted($0, in: place) })
        case .object(let members):
            let start = members["timestamp"]?.moment
            var object: [String: BlobNode] = [:]
            for (key, value) in members {
                switch key {
                case "device", "deviceID", "deviceName", "seenBy": object[key] = redacted(value, in: "\(place) \(key)")
                case "timestamp", "lastSeen": object[key] = moved(value, in: place) { dates($0) }
                case "expiry", "expiresAt": object[key] = moved(value, in: place) { expiry($0, ofLockSince: start) }
                default:
                    pseudonyms.noteUnknown("the key \(key) in \(place)")
                    object[pseudonyms.text(key, in: place)] = redacted(value, in: place)
                }
            }
            return .object(object)
        }
    }

    /// A date in any of its encodings; whatever else there is, is replaced.
    private func moved(_ node: BlobNode, in place: String, _ move: (Double) -> Double) -> BlobNode {
        guard let date = node.moment else { return redacted(node, in: place) }
        let moved = move(date)
        guard moved != date else { return node }
        pseudonyms.countDate()
        switch node {
        case .text(let text): return .text(Self.text(of: moved, like: text))
        // The encoding that is read for any date of this century.
        case .number, .null, .flag, .list, .object: return .number(moved)
        }
    }

    /// ISO 8601 with as many digits of a second as `text` has: a date is moved by whole seconds.
    private static func text(of date: Double, like text: String) -> String {
        let fraction = text.split(separator: ".").dropFirst().first.map { $0.prefix { $0.isNumber } } ?? ""
        guard let whole = Timestamp.iso8601(wholeSecondsSince2001: Int64(date.rounded(.down))) else { return text }
        return fraction.isEmpty ? whole : "\(whole.dropLast()).\(fraction)Z"
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

    /// Seconds since 2001; nil for what is no date. Numbers as in `MetadataBlob`.
    var moment: Double? {
        switch self {
        case .text(let text): Timestamp(iso8601: text)?.secondsSince2001
        case .number(let number): MetadataBlob.moment(number).secondsSince2001
        case .null, .flag, .list, .object: nil
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
