/// One record: the settings of one meter, as one row of the store has them.
package struct DeviceSettings: Hashable, Sendable {
    /// What the CloudKit mirror knows of the record.
    package struct CloudRecord: Hashable, Sendable {
        /// CloudKit record name.
        package var name: String?
        package init(name: String?) { self.name = name }
    }

    /// What a JSON attribute holds.
    package enum Blob<Value: Hashable & Sendable>: Hashable, Sendable {
        case absent
        /// Not the object expected, and why.
        case malformed(String)
        case value(Value)
    }

    /// `Z_PK`: this device's own number; no other device knows it.
    package let row: Int64
    package let layout: RecordLayout
    /// One value for each field of `layout`.
    package let values: RecordValues
    /// Nil where the mirror has no row for this record.
    package let cloudRecord: CloudRecord?
    /// The JSON attributes; nil where both are absent, as in most stores.
    private let blobs: Blobs?

    private final class Blobs: Hashable, Sendable {
        let lock: Blob<ConnectionLock>
        let discovery: Blob<Discovery>

        init(_ lock: Blob<ConnectionLock>, _ discovery: Blob<Discovery>) {
            self.lock = lock
            self.discovery = discovery
        }

        static func == (left: Blobs, right: Blobs) -> Bool {
            left.lock == right.lock && left.discovery == right.discovery
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(lock)
            hasher.combine(discovery)
        }
    }

    package init(
        row: Int64, layout: RecordLayout, values: RecordValues, cloudRecord: CloudRecord? = nil,
        lockBlob: Blob<ConnectionLock> = .absent, discoveryBlob: Blob<Discovery> = .absent
    ) {
        precondition(values.count == layout.fields.count, "one value for each field")
        self.row = row
        self.layout = layout
        self.values = values
        self.cloudRecord = cloudRecord
        blobs = lockBlob == .absent && discoveryBlob == .absent ? nil : Blobs(lockBlob, discoveryBlob)
    }

    package init(
        row: Int64, layout: RecordLayout, values: [FieldValue], cloudRecord: CloudRecord? = nil,
        lockBlob: Blob<ConnectionLock> = .absent, discoveryBlob: Blob<Discovery> = .absent
    ) {
        self.init(
            row: row, layout: layout, values: RecordValues(values), cloudRecord: cloudRecord, lockBlob: lockBlob,
            discoveryBlob: discoveryBlob)
    }

    /// `connectionMetadata`, read.
    package var lockBlob: Blob<ConnectionLock> { blobs?.lock ?? .absent }
    /// `discoveryMetadata`, read.
    package var discoveryBlob: Blob<Discovery> { blobs?.discovery ?? .absent }

    /// `macAddress`, read.
    package var address: Address { Address(self[.macAddress]) }

    /// The stored value of a known field; NULL where the store lacks the attribute.
    package subscript(field: SettingsField) -> FieldValue {
        layout.position(of: field).map { values[$0] } ?? .null
    }

    /// Whether a known field is empty; true where the store lacks the attribute.
    package func isEmpty(_ field: SettingsField) -> Bool { layout.position(of: field).map(values.isEmpty) ?? true }

    /// The moment in a known field.
    private func timestamp(_ field: SettingsField) -> Timestamp? {
        layout.position(of: field).flatMap(values.timestamp)
    }

    package var updatedAt: Timestamp? { timestamp(.updatedAt) }
    package var createdAt: Timestamp? { timestamp(.createdAt) }

    /// How many of the user's fields have a value.
    package var completeness: Int { SettingsField.userData.count { !isEmpty($0) } }
}

extension DeviceSettings {
    /// What stands in `macAddress`.
    package enum Address: Hashable, Sendable {
        /// NULL or empty.
        case missing
        /// Text that is not an address, or not text.
        case invalid
        /// An address that stands for "hidden"; never grouped.
        case placeholder(MACAddress)
        case usable(MACAddress, MACAddress.Spelling)

        init(_ value: FieldValue) {
            if case .text(var text) = value {
                self = text.withUTF8 { Self(text: $0) }
            } else {
                self = value.isEmpty ? .missing : .invalid
            }
        }

        /// What the bytes of a text say, which may not be UTF-8.
        package init(text: UnsafeBufferPointer<UInt8>) {
            if let (address, spelling) = MACAddress.parse(utf8: text) {
                self = address.isPlaceholder ? .placeholder(address) : .usable(address, spelling)
            } else {
                self = WhiteSpace.isAll(text) ? .missing : .invalid
            }
        }
    }

    /// The lock in the flat attributes; nil where all four are empty.
    package var flatLock: ConnectionLock? {
        let filled = SettingsField.flatLock.count { !isEmpty($0) }
        guard filled > 0 else { return nil }
        let present = SettingsField.flatLock.filter(layout.has)
        return ConnectionLock(
            spelling: .flat, deviceID: self[.connectedByDeviceID].text, deviceName: self[.connectedByDeviceName].text,
            connectedAt: self[.connectedAt].timestamp, expiresAt: self[.connectedExpiryAt].timestamp,
            isTorn: filled < present.count)
    }

    /// The lock in `connectionMetadata`; nil where there is none that can be read.
    package var blobLock: ConnectionLock? { if case .value(let lock) = lockBlob { lock } else { nil } }

    /// When the record's lock was taken: the later one where a record has it in both spellings.
    package var lockedAt: Timestamp? { Self.later(timestamp(.connectedAt), blobLock?.connectedAt) }

    /// When the meter was last seen, according to this record: the later one where it has both spellings.
    package var seenAt: Timestamp? {
        var blob: Discovery?
        if case .value(let discovery) = discoveryBlob { blob = discovery }
        return Self.later(timestamp(.lastSeenAt), blob?.seenAt)
    }

    private static func later(_ left: Timestamp?, _ right: Timestamp?) -> Timestamp? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}
