/// A value of a record, of a type that Core Data does not store for its attribute.
package struct StrangeValue: Hashable, Sendable {
    package let field: SettingsField
    package let value: FieldValue
    /// What it was meant to be, where that is certain; nil where only a person can tell.
    package let meant: FieldValue?
}

extension DeviceSettings {
    /// Its values of another type than Core Data stores, in the order of the layout. Those of fields with a check of their own
    /// are not among them: the address, the unit and JSON.
    package var strangeValues: [StrangeValue] {
        let (kinds, places) = (layout.kinds, layout.checkedByTypeAlone)
        // Nearly all records have none; where they lie, no value is copied to be looked at.
        let isStrange = values.withUnsafeBufferPointer { values in
            places.contains { !values[$0].isStored(as: kinds[$0]) }
        }
        guard isStrange else { return [] }
        var strange: [StrangeValue] = []
        for place in places where !values[place].isStored(as: kinds[place]) {
            // A record without an id is another finding.
            guard let field = layout.fields[place].known, field != .id || !values[place].isEmpty else { continue }
            strange.append(
                StrangeValue(
                    field: field, value: values[place], meant: values[place].meant(as: kinds[place])))
        }
        return strange
    }
}

extension DeviceSettings {
    /// `id` in the type in which Core Data stores it, where that is certain; nil where there is none.
    package var identity: FieldValue? { isEmpty(.id) ? nil : self[.id].meant(as: .uuid) ?? self[.id] }
}

extension SettingsField {
    /// Whether no check of its own looks at the type of its values.
    var isCheckedByTypeAlone: Bool {
        switch self {
        case .macAddress, .tc66TemperatureUnit, .connectionMetadata, .discoveryMetadata: false
        case .id, .meterName, .modelType, .createdAt, .updatedAt, .connectedByDeviceID, .connectedByDeviceName,
            .connectedAt, .connectedExpiryAt, .lastSeenAt, .lastSeenByDeviceID, .lastSeenByDeviceName,
            .cloudKitRecordID:
            true
        }
    }
}

extension FieldValue {
    /// Whether Core Data stores such a value for an attribute of this kind (seen: a date is a number, a UUID its 16 bytes).
    func isStored(as kind: FieldKind) -> Bool {
        switch self {
        case .null: true
        case .text: kind == .text
        // The app gets no string of bytes that are not UTF-8 (inferred).
        case .malformedText: false
        case .integer: kind != .text && kind != .uuid && kind != .binary
        case .real: kind == .date || kind == .real
        case .blob(let bytes): kind == .binary || kind == .uuid && bytes.count == 16
        }
    }

    /// What a value of another type was meant to be: CSV knows neither bytes nor NULL.
    func meant(as kind: FieldKind) -> FieldValue? {
        guard case .text(let text) = self else { return nil }
        switch kind {
        case .uuid:
            let text = WhiteSpace.trimmed(text)
            guard Hexadecimal.isUUID(text.utf8) else { return nil }
            return Hexadecimal.bytes(of: text.replacing("-", with: "")).map(FieldValue.blob)
        case .date, .integer, .boolean, .real: return isEmpty ? .null : nil
        case .text, .binary: return nil
        }
    }
}
