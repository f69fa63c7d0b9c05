internal import JSON
internal import MeterModel

extension MetadataBlob {
    /// What an app version that keeps its lock as JSON writes: `{device, timestamp, expiry}`.
    static func lock(of device: AppDevice, since connectedAt: Timestamp, kind: FieldKind) -> FieldValue {
        let expiresAt = Timestamp(secondsSince2001: connectedAt.secondsSince2001 + ConnectionLock.timeToLive)
        return value(
            [
                "device": .string(device.id), "timestamp": .string(connectedAt.description),
                "expiry": .string(expiresAt.description),
            ], kind)
    }

    /// What it writes of a discovery: `{lastSeen, seenBy}`.
    static func discovery(by device: AppDevice, at seenAt: Timestamp, kind: FieldKind) -> FieldValue {
        value(["lastSeen": .string(seenAt.description), "seenBy": .string(device.id)], kind)
    }

    /// JSON as the attribute's type has it: text, or its bytes.
    private static func value(_ object: JSONValue, _ kind: FieldKind) -> FieldValue {
        let text = object.text(pretty: false)
        return kind == .binary ? .blob(Array(text.utf8)) : .text(text)
    }
}
