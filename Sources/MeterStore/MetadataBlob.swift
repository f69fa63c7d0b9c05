internal import Foundation
package import MeterModel

/// The lock and the discovery as app versions keep them that store them as JSON: `{device, timestamp, expiry}` or
/// `{deviceID, deviceName, timestamp, expiresAt}`, and `{lastSeen, seenBy}`. Foundation reads and writes them, as it does
/// in the app.
package enum MetadataBlob {
    static func lock(_ value: FieldValue) -> DeviceSettings.Blob<ConnectionLock> {
        read(
            value, keys: [["device", "deviceID"], ["timestamp"], ["expiry", "expiresAt"]]
        ) { object throws(BlobError) in
            let keys = keys(of: object)
            let device = try text(object, keys.deviceID)
            let name = try keys.deviceName.flatMap { key throws(BlobError) in try text(object, key) }
            let connectedAt = try moment(object, keys.connectedAt)
            let expiresAt = try moment(object, keys.expiresAt)
            let present = [device != nil, connectedAt != nil, expiresAt != nil].count { $0 }
            guard present > 0 else { return nil }
            return ConnectionLock(
                encoding: .blob, deviceID: device, deviceName: name, connectedAt: connectedAt, expiresAt: expiresAt,
                isTorn: present < 3, keys: keys)
        }
    }

    /// The keys under which an object has its lock. Of two for one thing the one with a value counts; where there is
    /// neither, the others tell which version of the app wrote it.
    private static func keys(of object: [String: Member]) -> ConnectionLock.BlobKeys {
        func isSet(_ key: String) -> Bool { object[key].map { !$0.isNull } ?? false }
        let (short, long) = (ConnectionLock.BlobKeys.short, ConnectionLock.BlobKeys.long)
        let (hasLongID, hasLongExpiry) = (isSet(long.deviceID), isSet(long.expiresAt))
        let isLong = hasLongID || hasLongExpiry
        return ConnectionLock.BlobKeys(
            hasLongID: hasLongID || isLong && !isSet(short.deviceID),
            hasName: long.deviceName.map { object[$0] != nil } ?? false,
            hasLongExpiry: hasLongExpiry || isLong && !isSet(short.expiresAt))
    }

    static func discovery(_ value: FieldValue) -> DeviceSettings.Blob<Discovery> {
        read(value, keys: [["lastSeen"], ["seenBy"]]) { object throws(BlobError) in
            let seenAt = try moment(object, "lastSeen")
            let device = try text(object, "seenBy")
            guard seenAt != nil || device != nil else { return nil }
            return Discovery(seenAt: seenAt, deviceID: device, deviceName: nil)
        }
    }

    private struct BlobError: Error {
        let reason: String
    }

    /// A value of the object.
    private enum Member: Decodable {
        case null
        case text(String)
        case number(Double)
        case other

        var isNull: Bool { if case .null = self { true } else { false } }

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .other
            }
        }
    }

    /// - Parameter keys: what the object is known by; several names for one thing side by side.
    private static func read<Value>(
        _ value: FieldValue, keys: [[String]], _ decode: ([String: Member]) throws(BlobError) -> Value?
    ) -> DeviceSettings.Blob<Value> {
        guard let bytes = value.bytes else {
            return value.isNull ? .absent : .malformed("a number instead of a JSON object")
        }
        let members: [String: Member]
        do {
            members = try JSONDecoder().decode([String: Member].self, from: Data(bytes))
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            return .malformed("JSON, but not an object")
        } catch {
            return .malformed("not JSON")
        }
        guard members.isEmpty || keys.joined().contains(where: { members[$0] != nil }) else {
            let names = keys.map { $0.joined(separator: " or ") }
            return .malformed("an object without \(names.joined(separator: ", "))")
        }
        do {
            return try decode(members).map(DeviceSettings.Blob.value) ?? .absent
        } catch {
            return .malformed(error.reason)
        }
    }

    private static func text(_ members: [String: Member], _ key: String) throws(BlobError) -> String? {
        switch members[key] {
        case nil, .null: return nil
        case .text(let text): return text.isEmpty ? nil : text
        case .number, .other: throw BlobError(reason: "`\(key)` is not text")
        }
    }

    private static func moment(_ members: [String: Member], _ key: String) throws(BlobError) -> Timestamp? {
        switch members[key] {
        case nil, .null: return nil
        case .text(""): return nil
        case .text(let text):
            guard let moment = Timestamp(iso8601: text) else {
                throw BlobError(reason: "`\(key)` is not an ISO 8601 date")
            }
            return moment
        case .number(let number): return moment(number)
        case .other: throw BlobError(reason: "`\(key)` is not a date")
        }
    }

    /// A number is a date in one of three encodings that apps use in JSON; for dates of this century their ranges do
    /// not overlap: seconds since 2001 (Swift's own), seconds since 1970, milliseconds since 1970.
    package static func moment(_ number: Double) -> Timestamp {
        switch number {
        case ..<1_200_000_000: Timestamp(secondsSince2001: number)
        case ..<100_000_000_000: Timestamp(secondsSince1970: number)
        default: Timestamp(secondsSince1970: number / 1_000)
        }
    }
}
