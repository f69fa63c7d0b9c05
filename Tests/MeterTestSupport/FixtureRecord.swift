internal import Foundation
internal import MeterModel

/// One row of `ZDEVICESETTINGS` in a fixture. Dates are seconds since 2001-01-01T00:00:00Z.
package struct FixtureRecord: Hashable, Sendable {
    /// `Z_PK`.
    package var row: Int64
    /// 16 bytes.
    package var id: [UInt8]?
    package var macAddress: String?
    package var meterName: String?
    package var tc66TemperatureUnit: String?
    package var modelType: String?
    package var createdAt: Double?
    package var updatedAt: Double?
    package var connectedByDeviceID: String?
    package var connectedByDeviceName: String?
    package var connectedAt: Double?
    package var connectedExpiryAt: Double?
    package var lastSeenAt: Double?
    package var lastSeenByDeviceID: String?
    package var lastSeenByDeviceName: String?
    /// JSON. Where a model has this attribute and the record leaves it nil, it is made from the flat fields.
    package var connectionMetadata: String?
    /// JSON, likewise.
    package var discoveryMetadata: String?
    package var cloudKitRecordID: String?
    /// Values of attributes the app's model does not have, by attribute name.
    package var extra: [String: FixtureValue] = [:]
    /// Values that replace whatever would be written, by column name (`ZMACADDRESS`, `Z_ENT`, …).
    package var overrides: [String: FixtureValue] = [:]
    /// The record's name in CloudKit: with it, a mirrored store gets a row of record metadata.
    package var cloudRecordName: String?
    /// Whether that row says that an upload is waiting.
    package var needsUpload = false

    package init(row: Int64, macAddress: String? = nil, meterName: String? = nil) {
        self.row = row
        self.macAddress = macAddress
        self.meterName = meterName
    }

    /// Every value by attribute name, whether a model has the attribute or not.
    func values() -> [String: FixtureValue] {
        func text(_ value: String?) -> FixtureValue { value.map { .text($0) } ?? .null }
        func date(_ value: Double?) -> FixtureValue { value.map { .real($0) } ?? .null }
        let values: [String: FixtureValue] = [
            "id": id.map { .blob($0) } ?? .null,
            "macAddress": text(macAddress),
            "meterName": text(meterName),
            "tc66TemperatureUnit": text(tc66TemperatureUnit),
            "modelType": text(modelType),
            "createdAt": date(createdAt),
            "updatedAt": date(updatedAt),
            "connectedByDeviceID": text(connectedByDeviceID),
            "connectedByDeviceName": text(connectedByDeviceName),
            "connectedAt": date(connectedAt),
            "connectedExpiryAt": date(connectedExpiryAt),
            "lastSeenAt": date(lastSeenAt),
            "lastSeenByDeviceID": text(lastSeenByDeviceID),
            "lastSeenByDeviceName": text(lastSeenByDeviceName),
            "connectionMetadata": text(connectionMetadata ?? connectionBlob),
            "discoveryMetadata": text(discoveryMetadata ?? discoveryBlob),
            "cloudKitRecordID": text(cloudKitRecordID),
        ]
        return values.merging(extra) { _, extra in extra }
    }
}

/// An app's device as it signs locks and discoveries.
package struct FixtureDevice: Hashable, Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    package static let anasPhone = FixtureDevice(id: FixtureUUID(9001).text, name: "Ana's iPhone")
    package static let bogdansMac = FixtureDevice(id: FixtureUUID(9002).text, name: "MacBook-Pro-de-Bogdan.local")
    package static let chloesPad = FixtureDevice(id: FixtureUUID(9003).text, name: "iPad de Chloé")
}

extension FixtureRecord {
    /// The record connected to by `device` since `time`, for `seconds`.
    package func locked(by device: FixtureDevice, at time: Double, for seconds: Double = 120) -> FixtureRecord {
        with {
            ($0.connectedByDeviceID, $0.connectedByDeviceName) = (device.id, device.name)
            ($0.connectedAt, $0.connectedExpiryAt) = (time, time + seconds)
        }
    }

    /// With `updatedAt` as the app writes it together with the lock.
    package var savedWithLock: FixtureRecord { with { $0.updatedAt = $0.connectedAt } }

    /// The record last seen by `device` at `time`.
    package func seen(by device: FixtureDevice, at time: Double) -> FixtureRecord {
        with { ($0.lastSeenByDeviceID, $0.lastSeenByDeviceName, $0.lastSeenAt) = (device.id, device.name, time) }
    }

    /// The record with changes.
    package func with(_ change: (inout FixtureRecord) -> Void) -> FixtureRecord {
        var record = self
        change(&record)
        return record
    }

    private var connectionBlob: String? {
        object([
            ("device", (connectedByDeviceID ?? connectedByDeviceName).map(quoted)),
            ("timestamp", connectedAt.map { quoted(FixtureClock.text($0)) }),
            ("expiry", connectedExpiryAt.map { quoted(FixtureClock.text($0)) }),
        ])
    }

    private var discoveryBlob: String? {
        object([
            ("lastSeen", lastSeenAt.map { quoted(FixtureClock.text($0)) }),
            ("seenBy", (lastSeenByDeviceID ?? lastSeenByDeviceName).map(quoted)),
        ])
    }

    private func object(_ fields: [(String, String?)]) -> String? {
        let present = fields.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
        return present.isEmpty ? nil : "{" + present.joined(separator: ",") + "}"
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// The time in fixtures and samples. All expectations of samples hold at `now`.
package enum FixtureClock {
    /// 2026-11-21T12:00:00Z, in seconds since 2001.
    package static let now: Double = 816_955_200
    package static let nowText = "2026-11-21T12:00:00Z"
    package static let minute: Double = 60
    package static let hour: Double = 3_600
    package static let day: Double = 86_400

    /// ISO-8601 in UTC, without fractions.
    package static func text(_ time: Double) -> String {
        Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601)
    }
}

/// A UUID that is the same on every run: number in, random-looking bytes out.
package struct FixtureUUID: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ number: UInt64) {
        var generator = SeededGenerator(seed: number &* 0x9E37_79B9 &+ 1)
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// Upper case with dashes, as `UUID.uuidString` has it.
    package var text: String { Hexadecimal.uuidText(of: bytes) }
}
