/// One record: the settings of one meter, as one row of the store has them. It never changes, and all who look at it share
/// it.
package final class DeviceSettings: Hashable, Sendable {
    /// What the CloudKit mirror knows of the record.
    package struct CloudRecord: Hashable, Sendable {
        /// CloudKit record name.
        package var name: String?
        /// Whether CloudKit, or the mirror on this device, is going to delete the record, although it is there.
        package var isAboutToBeDeleted = false
        /// The owner of the zone in which the record is, where that is somebody else who shares it.
        package var sharedBy: String?

        package init(name: String?) { self.name = name }
    }

    /// What a JSON attribute holds.
    /// (A requirement that all of them had to meet would be looked up each time the program starts.)
    package enum Blob<Value: Sendable>: Sendable {
        case absent
        /// Not the expected object, and why.
        case malformed(String)
        case value(Value)

        package var isAbsent: Bool { if case .absent = self { true } else { false } }
        /// The object; nil if there is none that can be read.
        package var object: Value? { if case .value(let value) = self { value } else { nil } }
    }

    /// `Z_PK`: this device's own number; no other device knows it.
    package let row: Int64
    package let layout: RecordLayout
    /// One value for each field of `layout`.
    package let values: [FieldValue]
    /// `macAddress`, read.
    package let address: Address
    /// Nil if the mirror has no row for this record, or was not asked.
    package let cloudRecord: CloudRecord?
    /// Nil where there is nothing of it, as in most records.
    private let held: Held?

    /// What several attributes say together, and what is inside one.
    private final class Held: Equatable, Sendable {
        let flatLock: ConnectionLock?
        let lock: Blob<ConnectionLock>
        let discovery: Blob<Discovery>
        let locks: [ConnectionLock]

        init(_ flatLock: ConnectionLock?, _ lock: Blob<ConnectionLock>, _ discovery: Blob<Discovery>) {
            self.flatLock = flatLock
            self.lock = lock
            self.discovery = discovery
            // Most have the one or the other.
            locks =
                if let flatLock { lock.object.map { [flatLock, $0] } ?? [flatLock] } else {
                    lock.object.map { [$0] } ?? []
                }
        }

        static func == (left: Held, right: Held) -> Bool {
            left.lock == right.lock && left.discovery == right.discovery
        }
    }

    package init(
        row: Int64, layout: RecordLayout, values: [FieldValue], cloudRecord: CloudRecord? = nil,
        lockBlob: Blob<ConnectionLock> = .absent, discoveryBlob: Blob<Discovery> = .absent
    ) {
        precondition(values.count == layout.fields.count, "one value for each field")
        self.row = row
        self.layout = layout
        self.values = values
        address = Address(layout.value(of: .macAddress, in: values))
        self.cloudRecord = cloudRecord
        let flatLock = Self.flatLock(in: values, layout)
        held =
            flatLock == nil && lockBlob.isAbsent && discoveryBlob.isAbsent
            ? nil : Held(flatLock, lockBlob, discoveryBlob)
    }

    /// - Parameter cloudRecord: what the mirror knows of it.
    private init(_ record: DeviceSettings, _ cloudRecord: CloudRecord?) {
        row = record.row
        layout = record.layout
        values = record.values
        address = record.address
        self.cloudRecord = cloudRecord
        held = record.held
    }

    /// The same record, with what the mirror knows of it.
    package func with(_ cloudRecord: CloudRecord?) -> DeviceSettings { DeviceSettings(self, cloudRecord) }

    package static func == (left: DeviceSettings, right: DeviceSettings) -> Bool {
        left === right
            || left.row == right.row && left.layout == right.layout && left.values == right.values
                && left.cloudRecord == right.cloudRecord && left.held == right.held
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(row)
        hasher.combine(values)
    }

    /// The lock in the flat attributes; nil if all four are empty.
    package var flatLock: ConnectionLock? { held?.flatLock }
    /// The record's readable locks: none, one, or both the flat one and the blob's.
    package var locks: [ConnectionLock] { held?.locks ?? [] }
    /// `connectionMetadata`, read.
    package var lockBlob: Blob<ConnectionLock> { held?.lock ?? .absent }
    /// `discoveryMetadata`, read.
    package var discoveryBlob: Blob<Discovery> { held?.discovery ?? .absent }

    /// The stored value of a known field; NULL if the store lacks the attribute.
    package subscript(field: SettingsField) -> FieldValue { layout.value(of: field, in: values) }

    /// Whether a known field is empty; true if the store lacks the attribute.
    package func isEmpty(_ field: SettingsField) -> Bool {
        layout.position(of: field).map { values[$0].isEmpty } ?? true
    }

    /// The date in a known field, where it is plausible.
    package func timestamp(_ field: SettingsField) -> Timestamp? { self[field].timestamp?.ifPlausible }

    package var updatedAt: Timestamp? { timestamp(.updatedAt) }
    package var createdAt: Timestamp? { timestamp(.createdAt) }

    /// Whether a known field has a value that the app can use; false if the store lacks the attribute.
    package func isUsable(_ field: SettingsField) -> Bool {
        layout.position(of: field).map { values[$0].isUsable(as: field) } ?? false
    }

    /// How many of the user's fields have a value that can be used.
    package var completeness: Int { SettingsField.userData.count(where: isUsable) }

    /// Whether the app itself regards the record as gone.
    package var isMarked: Bool { layout.marks.contains { values[$0].isMark(layout.fields[$0].kind) } }
}

extension DeviceSettings.Blob: Equatable where Value: Equatable {}
extension DeviceSettings.Blob: Hashable where Value: Hashable {}

extension DeviceSettings {
    /// The contents of `macAddress`.
    package enum Address: Hashable, Sendable {
        /// NULL or empty.
        case missing
        /// Text that is not an address, or not text.
        case invalid
        /// A placeholder for a hidden address; never grouped.
        case placeholder(MACAddress)
        case usable(MACAddress, MACAddress.Notation)

        /// Whether it is usable and is the canonical text in a store that uses `letterCase`.
        package func isCanonical(in letterCase: LetterCase) -> Bool {
            if case .usable(_, let notation) = self { notation.isCanonical(in: letterCase) } else { false }
        }

        package init(_ value: FieldValue) {
            if case .text(var text) = value {
                self = text.withUTF8 { Self(text: $0) }
            } else {
                self = value.isEmpty ? .missing : .invalid
            }
        }

        /// Parses the bytes of a text, which may not be UTF-8.
        package init(text: UnsafeBufferPointer<UInt8>) {
            if let (address, notation) = MACAddress.parse(utf8: text) {
                self = address.isPlaceholder ? .placeholder(address) : .usable(address, notation)
            } else {
                self = WhiteSpace.isAll(text) ? .missing : .invalid
            }
        }
    }

    /// The address of the meter; nil if the record has none that can be used.
    package var usableAddress: MACAddress? { if case .usable(let address, _) = address { address } else { nil } }

    private static func flatLock(in values: [FieldValue], _ layout: RecordLayout) -> ConnectionLock? {
        let places = layout.flatLock
        let filled = values.withUnsafeBufferPointer { values in places.count { !values[$0].isEmpty } }
        guard filled > 0 else { return nil }
        func value(_ field: SettingsField) -> FieldValue { layout.value(of: field, in: values) }
        return ConnectionLock(
            encoding: .flat, deviceID: value(.connectedByDeviceID).text, deviceName: value(.connectedByDeviceName).text,
            connectedAt: value(.connectedAt).timestamp, expiresAt: value(.connectedExpiryAt).timestamp,
            isTorn: filled < layout.flatLock.count)
    }

    /// The lock in `connectionMetadata`; nil if there is no readable one.
    package var blobLock: ConnectionLock? { lockBlob.object }

    /// When the record's lock was taken: the later plausible date if the record has both a flat lock and a blob.
    package var lockedAt: Timestamp? { Self.later(timestamp(.connectedAt), blobLock?.connectedAt?.ifPlausible) }

    /// When the meter was last seen, according to this record: the later plausible date if it has both flat attributes
    /// and a blob.
    package var seenAt: Timestamp? {
        Self.later(timestamp(.lastSeenAt), blobDiscovery?.seenAt?.ifPlausible)
    }

    /// The discovery in `discoveryMetadata`; nil if there is no readable one.
    package var blobDiscovery: Discovery? { discoveryBlob.object }

    private static func later(_ left: Timestamp?, _ right: Timestamp?) -> Timestamp? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}

extension DeviceSettings {
    /// Whether a field is one that nobody has again once the record is gone: what the user typed, and what meterfix does
    /// not know. The app makes everything else anew when it meets the meter.
    private func isIrreplaceable(_ field: RecordLayout.Field, at position: Int) -> Bool {
        switch field.survivorship {
        case .userData: !values[position].isEmpty
        case .unknown: !values[position].isNull
        case .kept, .canonicalText, .lock, .discovery, .earliest, .stamped, .mark: false
        }
    }

    /// Those fields of the record, each with its value.
    package var irreplaceable: [(field: RecordLayout.Field, value: FieldValue)] {
        layout.fields.enumerated().filter { isIrreplaceable($0.element, at: $0.offset) }
            .map { ($0.element, values[$0.offset]) }
    }
}
