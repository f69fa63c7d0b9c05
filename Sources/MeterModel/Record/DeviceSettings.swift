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
    package let values: [FieldValue]
    /// Nil where the mirror has no row for this record.
    package let cloudRecord: CloudRecord?
    /// `macAddress`, read.
    package let address: Address
    /// `connectionMetadata`, read.
    package let lockBlob: Blob<ConnectionLock>
    /// `discoveryMetadata`, read.
    package let discoveryBlob: Blob<Discovery>

    package init(
        row: Int64, layout: RecordLayout, values: [FieldValue], cloudRecord: CloudRecord? = nil,
        lockBlob: Blob<ConnectionLock> = .absent, discoveryBlob: Blob<Discovery> = .absent
    ) {
        precondition(values.count == layout.fields.count, "one value for each field")
        self.row = row
        self.layout = layout
        self.values = values
        address = Address(layout.position(of: .macAddress).map { values[$0] } ?? .null)
        self.cloudRecord = cloudRecord
        self.lockBlob = lockBlob
        self.discoveryBlob = discoveryBlob
    }

    /// The stored value of a known field; NULL where the store lacks the attribute.
    package subscript(field: SettingsField) -> FieldValue {
        layout.position(of: field).map { values[$0] } ?? .null
    }

    package var updatedAt: Timestamp? { self[.updatedAt].timestamp }
    package var createdAt: Timestamp? { self[.createdAt].timestamp }

    /// How many of the user's fields have a value.
    package var completeness: Int { SettingsField.userData.count { !self[$0].isEmpty } }
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
            if value.isEmpty {
                self = .missing
            } else if let text = value.text, let (address, spelling) = MACAddress.parse(text) {
                self = address.isPlaceholder ? .placeholder(address) : .usable(address, spelling)
            } else {
                self = .invalid
            }
        }
    }

    /// The lock in the flat attributes; nil where all four are empty.
    package var flatLock: ConnectionLock? {
        let present = SettingsField.flatLock.filter(layout.has)
        let filled = present.count { !self[$0].isEmpty }
        guard filled > 0 else { return nil }
        return ConnectionLock(
            spelling: .flat, deviceID: self[.connectedByDeviceID].text, deviceName: self[.connectedByDeviceName].text,
            connectedAt: self[.connectedAt].timestamp, expiresAt: self[.connectedExpiryAt].timestamp,
            isTorn: filled < present.count)
    }

    /// The lock in `connectionMetadata`; nil where there is none that can be read.
    package var blobLock: ConnectionLock? { if case .value(let lock) = lockBlob { lock } else { nil } }

    /// When the record's lock was taken: the later one where a record has it in both spellings.
    package var lockedAt: Timestamp? { [flatLock?.connectedAt, blobLock?.connectedAt].compactMap(\.self).max() }

    /// When the meter was last seen, according to this record: the later one where it has both spellings.
    package var seenAt: Timestamp? {
        var blob: Discovery?
        if case .value(let discovery) = discoveryBlob { blob = discovery }
        return [self[.lastSeenAt].timestamp, blob?.seenAt].compactMap(\.self).max()
    }
}
