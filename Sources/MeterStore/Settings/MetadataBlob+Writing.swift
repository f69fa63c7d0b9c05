internal import Foundation
internal import MeterModel

extension MetadataBlob {
    /// What an app version that keeps its lock as JSON writes: `{device, timestamp, expiry}`.
    static func lock(of device: AppDevice, since connectedAt: Timestamp, kind: FieldKind) -> FieldValue {
        let expiresAt = Timestamp(secondsSince2001: connectedAt.secondsSince2001 + ConnectionLock.timeToLive)
        return value(
            [
                "device": device.id, "timestamp": connectedAt.description, "expiry": expiresAt.description,
            ], kind)
    }

    /// What it writes of a discovery: `{lastSeen, seenBy}`.
    static func discovery(by device: AppDevice, at seenAt: Timestamp, kind: FieldKind) -> FieldValue {
        value(["lastSeen": seenAt.description, "seenBy": device.id], kind)
    }

    /// JSON as the attribute's type has it: text, or its bytes.
    private static func value(_ object: [String: String], _ kind: FieldKind) -> FieldValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text can always be encoded.
        let bytes = try! encoder.encode(object)
        return kind == .binary ? .blob(Array(bytes)) : .text(String(decoding: bytes, as: UTF8.self))
    }
}
