internal import Foundation
package import MeterModel

/// An operation of the app's own store wrapper, and what it writes to a meter's record. `SettingsStore` carries it out
/// on a file, a simulation on records in memory; this type decides for both what is written.
package enum SettingsOperation: Hashable, Sendable {
    /// Saves what the user typed; nil leaves a field as it is. A name is saved without the white space around it, and
    /// nothing but white space removes it.
    case upsert(meterName: String?, temperatureUnit: TemperatureUnit?)
    /// Takes or renews the connection lock. A model type of nil leaves that field as it is.
    case connect(modelType: String?, by: AppDevice)
    /// Clears the connection lock, whoever holds it.
    case disconnect
    case discover(by: AppDevice)

    package enum Outcome: Hashable, Sendable {
        /// Values at positions of the layout, in ascending order; every other field stays as it is.
        case update([Write])
        /// A new record: one value for each field of the layout.
        case insertion([FieldValue])
        case unchanged
        /// Another device holds the lock, and it has not expired.
        case refused(ConnectionLock)
    }

    /// One field's new value.
    package struct Write: Hashable, Sendable {
        package let position: Int
        package let value: FieldValue

        package init(position: Int, value: FieldValue) {
            self.position = position
            self.value = value
        }
    }

    /// What the operation writes.
    /// - Parameters:
    ///   - values: the meter's record, one value for each field of `layout`; nil if the meter has none.
    ///   - address: the text that a record gets as its address that is written.
    ///   - id: the 16 bytes that a new record gets as its identity.
    ///   - now: the device's clock.
    package func outcome(
        over values: [FieldValue]?, in layout: RecordLayout, address: String, id: @autoclosure () -> [UInt8],
        now: Timestamp
    ) -> Outcome {
        if case .connect(_, let device) = self, let values,
            let lock = Self.foreignLock(in: values, layout, for: device, now)
        {
            return .refused(lock)
        }
        var wanted = wantedValues(over: values, layout, now)
        let isNew = values == nil
        if isNew {
            // Without a record there is nothing to clear.
            if case .disconnect = self { return .unchanged }
            wanted += [
                (.id, .blob(id())), (.macAddress, .text(address)), (.createdAt, .real(now.secondsSince2001)),
            ]
        }
        let current = values ?? Array(repeating: .null, count: layout.fields.count)
        var writes = Self.writes(wanted, over: current, layout)
        guard isNew || !writes.isEmpty else { return .unchanged }
        writes += Self.writes([(.updatedAt, .real(now.secondsSince2001))], over: current, layout)
        if !isNew { writes += Self.writes([(.macAddress, .text(address))], over: current, layout) }
        guard isNew else { return .update(writes.sorted { $0.position < $1.position }) }
        var record = current
        for write in writes { record[write.position] = write.value }
        return .insertion(record)
    }

    private func wantedValues(
        over values: [FieldValue]?, _ layout: RecordLayout, _ now: Timestamp
    ) -> [(SettingsField, FieldValue)] {
        switch self {
        case .upsert(let name, let unit):
            let name = name.map(WhiteSpace.trimmed)
            return [
                name.map { (.meterName, $0.isEmpty ? .null : .text($0)) },
                unit.map { (.tc66TemperatureUnit, .text($0.rawValue)) },
            ].compactMap(\.self)
        case .connect(let modelType, let device):
            let expiry = now.secondsSince2001 + ConnectionLock.timeToLive
            var wanted: [(SettingsField, FieldValue)] = [
                (.connectedByDeviceID, .text(device.id)), (.connectedByDeviceName, .text(device.name)),
                (.connectedAt, .real(now.secondsSince2001)), (.connectedExpiryAt, .real(expiry)),
            ]
            if let kind = layout.kind(of: .connectionMetadata) {
                let current = values.map { MetadataBlob.lock(layout.value(of: .connectionMetadata, in: $0)) }
                let keys = current?.object?.keys ?? .short
                wanted.append((.connectionMetadata, MetadataBlob.lock(of: device, since: now, keys, kind: kind)))
            }
            if let modelType { wanted.append((.modelType, .text(modelType))) }
            return wanted
        case .disconnect:
            return SettingsField.lock.map { ($0, .null) }
        case .discover(let device):
            var wanted: [(SettingsField, FieldValue)] = [
                (.lastSeenAt, .real(now.secondsSince2001)), (.lastSeenByDeviceID, .text(device.id)),
                (.lastSeenByDeviceName, .text(device.name)),
            ]
            if let kind = layout.kind(of: .discoveryMetadata) {
                wanted.append((.discoveryMetadata, MetadataBlob.discovery(by: device, at: now, kind: kind)))
            }
            return wanted
        }
    }

    /// The values that the store has an attribute for and that are different there.
    private static func writes(
        _ wanted: [(SettingsField, FieldValue)], over current: [FieldValue], _ layout: RecordLayout
    ) -> [Write] {
        wanted.compactMap { field, value in
            guard let position = layout.position(of: field), current[position] != value else { return nil }
            return Write(position: position, value: value)
        }
    }

    /// The lock of another device that has not expired: "another device may take the meter once now > expiry".
    private static func foreignLock(
        in values: [FieldValue], _ layout: RecordLayout, for device: AppDevice, _ now: Timestamp
    ) -> ConnectionLock? {
        guard hasLock(in: values, layout, besides: device) else { return nil }
        let record = DeviceSettings(row: 0, layout: layout, readingBlobsOf: values, cloudRecord: nil)
        return record.locks.first { lock in
            guard lock.deviceID != device.id else { return false }
            return lock.end.map { now <= $0 } ?? false
        }
    }

    /// Whether there is any value of a lock but the device's own flat one: to read it takes much longer, and a device
    /// renews its own all day.
    private static func hasLock(in values: [FieldValue], _ layout: RecordLayout, besides device: AppDevice) -> Bool {
        func value(_ field: SettingsField) -> FieldValue { layout.value(of: field, in: values) }
        guard value(.connectionMetadata).isNull else { return true }
        return value(.connectedByDeviceID) != .text(device.id)
            && SettingsField.flatLock.contains { !value($0).isNull }
    }
}

extension RecordLayout {
    /// The kind of a known field; nil if the store does not have it.
    fileprivate func kind(of field: SettingsField) -> FieldKind? { position(of: field).map { fields[$0].kind } }
}

extension MetadataBlob {
    /// What an app version that keeps its lock as JSON writes.
    static func lock(
        of device: AppDevice, since connectedAt: Timestamp, _ keys: ConnectionLock.BlobKeys, kind: FieldKind
    ) -> FieldValue {
        let expiresAt = Timestamp(secondsSince2001: connectedAt.secondsSince2001 + ConnectionLock.timeToLive)
        var object = [
            keys.deviceID: device.id, keys.connectedAt: connectedAt.description,
            keys.expiresAt: expiresAt.description,
        ]
        if let name = keys.deviceName { object[name] = device.name }
        return value(object, kind)
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
