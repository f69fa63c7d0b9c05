internal import JSON
internal import MeterModel

/// The lock and the discovery in the spelling of app versions that kept them as JSON:
/// `{device, timestamp, expiry}` and `{lastSeen, seenBy}`.
enum MetadataBlob {
    static func lock(_ value: FieldValue) -> DeviceSettings.Blob<ConnectionLock> {
        read(value, keys: ["device", "timestamp", "expiry"]) { object throws(Malformed) in
            let device = try text(object, "device")
            let connectedAt = try moment(object, "timestamp")
            let expiresAt = try moment(object, "expiry")
            let present = [device != nil, connectedAt != nil, expiresAt != nil].count { $0 }
            guard present > 0 else { return nil }
            return ConnectionLock(
                spelling: .blob, deviceID: device, deviceName: nil, connectedAt: connectedAt, expiresAt: expiresAt,
                isTorn: present < 3)
        }
    }

    static func discovery(_ value: FieldValue) -> DeviceSettings.Blob<Discovery> {
        read(value, keys: ["lastSeen", "seenBy"]) { object throws(Malformed) in
            let seenAt = try moment(object, "lastSeen")
            let device = try text(object, "seenBy")
            guard seenAt != nil || device != nil else { return nil }
            return Discovery(seenAt: seenAt, deviceID: device, deviceName: nil)
        }
    }

    private struct Malformed: Error {
        let reason: String
    }

    private static func read<Value>(
        _ value: FieldValue, keys: [String], _ decode: (JSONValue) throws(Malformed) -> Value?
    ) -> DeviceSettings.Blob<Value> {
        guard let bytes = value.bytes else {
            return value.isNull ? .absent : .malformed("a number instead of a JSON object")
        }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            return .malformed("not JSON: \(error)")
        }
        guard case .object(let members) = json else { return .malformed("JSON, but not an object") }
        guard members.isEmpty || members.contains(where: { keys.contains($0.key) }) else {
            return .malformed("an object without \(keys.joined(separator: ", "))")
        }
        do {
            return try decode(json).map(DeviceSettings.Blob.value) ?? .absent
        } catch {
            return .malformed(error.reason)
        }
    }

    private static func text(_ object: JSONValue, _ key: String) throws(Malformed) -> String? {
        switch object[key] {
        case nil, .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        default: throw Malformed(reason: "`\(key)` is not text")
        }
    }

    private static func moment(_ object: JSONValue, _ key: String) throws(Malformed) -> Timestamp? {
        let value = object[key]
        switch value {
        case nil, .null: return nil
        case .string(let text):
            if text.isEmpty { return nil }
            guard let moment = Timestamp(iso8601: text) else {
                throw Malformed(reason: "`\(key)` is not an ISO 8601 date")
            }
            return moment
        default:
            guard let number = value?.number else { throw Malformed(reason: "`\(key)` is not a date") }
            return moment(number)
        }
    }

    /// A bare number is a date in one of three ways that apps write JSON; for a date of this century their ranges do
    /// not overlap: seconds since 2001 (Swift's own), seconds since 1970, milliseconds since 1970.
    private static func moment(_ number: Double) -> Timestamp {
        switch number {
        case ..<1_200_000_000: Timestamp(secondsSince2001: number)
        case ..<100_000_000_000: Timestamp(secondsSince1970: number)
        default: Timestamp(secondsSince1970: number / 1_000)
        }
    }
}
