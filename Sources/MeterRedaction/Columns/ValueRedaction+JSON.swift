internal import Foundation
internal import MeterModel
internal import MeterStore

/// Locks and discoveries in JSON: see `MetadataBlob`.
extension ValueRedaction {
    /// The same JSON with every text, date and number replaced; nil for what is not JSON.
    func json(_ bytes: UnsafeBufferPointer<UInt8>, in place: String) -> [UInt8]? {
        guard let node = try? JSONDecoder().decode(JSONNode.self, from: Data(bytes)) else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(redacted(node, in: place))).map { Array($0) }
    }

    private func redacted(_ node: JSONNode, in place: String) -> JSONNode {
        switch node {
        case .null, .flag: return node
        case .number(let number): return .number(pseudonyms.real(number))
        case .text(let text): return .text(pseudonyms.text(text, in: place))
        case .list(let elements): return .list(elements.map { redacted($0, in: place) })
        case .object(let members):
            let start = members["timestamp"]?.moment
            var object: [String: JSONNode] = [:]
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
    private func moved(_ node: JSONNode, in place: String, _ move: (Double) -> Double) -> JSONNode {
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

/// Any JSON.
private enum JSONNode: Codable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONNode])
    case object([String: JSONNode])

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
        } else if let list = try? value.decode([JSONNode].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONNode].self))
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
