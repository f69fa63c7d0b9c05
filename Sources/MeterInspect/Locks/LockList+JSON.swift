package import JSON
internal import MeterModel

extension LockList {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: "locks", store: store) + [
                .init(
                    "summary",
                    [
                        "locks": JSONValue(locks.count), "expired": JSONValue(locks.count(where: \.isExpired)),
                        "torn": JSONValue(locks.count(where: \.isTorn)),
                        "clockInFuture": JSONValue(locks.count(where: \.isClockAhead)),
                    ]),
                .init("locks", .array(locks.map { $0.json(in: letterCase) })),
            ])
    }
}

extension RecordedLock {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        var lock: ConnectionLock?
        var malformation: String?
        switch content {
        case .lock(let content): lock = content
        case .malformed(let reason): malformation = reason
        }
        return [
            "mac": JSONValue(address?.text(in: letterCase)),
            "storedAddress": storedAddress.isNull ? .null : .string(storedAddress.display(as: .text)),
            "row": JSONValue(row), "spelling": .string(lock?.encoding == .flat ? "flat" : "blob"),
            "deviceID": JSONValue(lock?.deviceID), "deviceName": JSONValue(lock?.deviceName),
            "since": JSONValue(lock?.connectedAt?.description), "until": JSONValue(lock?.expiresAt?.description),
            "expired": .bool(isExpired), "torn": .bool(isTorn), "clockInFuture": .bool(isClockAhead),
            "malformed": JSONValue(malformation),
        ]
    }
}
