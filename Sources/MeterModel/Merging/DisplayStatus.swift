/// Whether the record that the app finds first shows what any record of the meter has: the question that `FirstAid`
/// begins with.
package struct DisplayStatus: Hashable, Sendable {
    /// `Z_PK` of the record that the app finds first; nil if none has exactly the text that the app looks for.
    package let foundRow: Int64?
    /// Which of `SettingsField.typed` are filled, in their order: in that record, and in any record.
    private let shown: [SettingsField]
    private let known: [SettingsField]

    /// Records of the meter with the same name and the same unit.
    package struct Version: Hashable, Sendable {
        /// NULL where there is none.
        package let name: FieldValue
        package let unit: FieldValue
        /// `Z_PK`, in the order in which they were added.
        package fileprivate(set) var rows: [Int64]
        /// When the last of them was changed; nil where no date says it.
        package fileprivate(set) var updatedAt: Timestamp?
    }

    /// What the records have, each version once, and not more than `mostVersions`.
    package private(set) var versions: [Version] = []
    /// Records with other versions again.
    package private(set) var otherRecords = 0

    private static let mostVersions = 5

    /// - Parameters:
    ///   - records: all records of the meter, in the order of row numbers.
    ///   - letterCase: in which the app writes the address that it looks for.
    package init(of records: [DeviceSettings], in letterCase: LetterCase) {
        let found = records.foundByApp(in: letterCase)
        foundRow = found?.row
        shown = SettingsField.typed.filter { found?.isEmpty($0) == false }
        known = SettingsField.typed.filter { field in records.contains { !$0.isEmpty(field) } }
        for record in records { add(record) }
    }

    private mutating func add(_ record: DeviceSettings) {
        func value(_ field: SettingsField) -> FieldValue { record.isEmpty(field) ? .null : record[field] }
        let (name, unit) = (value(.meterName), value(.tc66TemperatureUnit))
        if let place = versions.firstIndex(where: { $0.name == name && $0.unit == unit }) {
            versions[place].rows.append(record.row)
            if let date = record.updatedAt { versions[place].updatedAt = max(date, versions[place].updatedAt ?? date) }
        } else if versions.count < Self.mostVersions {
            versions.append(Version(name: name, unit: unit, rows: [record.row], updatedAt: record.updatedAt))
        } else {
            otherRecords += 1
        }
    }

    /// What that record lacks and another one has, in the order of the layout; nothing where there is no such record.
    package var lacking: [SettingsField] {
        foundRow == nil ? [] : known.filter { !shown.contains($0) }
    }

    /// Whether the customer sees nothing amiss, although the meter has several records.
    package var showsEverything: Bool { foundRow != nil && known == shown }
}

extension [DeviceSettings] {
    /// Of a meter's records the one that the app finds first; nil if none has exactly the text that it looks for.
    package func foundByApp(in letterCase: LetterCase) -> DeviceSettings? {
        // That is the canonical text. The app fetches without an order, and SQLite answers in the order of row numbers
        // (inferred). A record that the app marks as gone it does not show.
        let canonical = filter { $0.address.isCanonical(in: letterCase) }
        let visible = canonical.filter { !$0.isMarked }
        return (visible.isEmpty ? canonical : visible).min { $0.row < $1.row }
    }
}

/// What helps at once where a meter has several records and devices are in use: the record that the app finds first gets
/// the name and the unit that only the others have. Nothing is overwritten and nothing deleted, and `updatedAt` stays:
/// each of these could beat what somebody types on another device at this moment.
package struct FirstAid: Hashable, Sendable {
    package let address: MACAddress
    /// The record that the app finds first; nil if it finds none, because none has exactly the text it looks for.
    package let found: DeviceSettings?
    /// Values for empty fields of this record, in the order of the layout; empty where it shows what there is.
    package let changes: [FieldChange]

    /// - Parameters:
    ///   - records: all records of the meter at `address`.
    ///   - letterCase: in which the app writes the address that it looks for.
    package init(for records: [DeviceSettings], at address: MACAddress, in letterCase: LetterCase) {
        let level = DisplayStatus(of: records, in: letterCase)
        self.address = address
        guard let row = level.foundRow, let found = records.first(where: { $0.row == row }) else {
            (self.found, changes) = (nil, [])
            return
        }
        self.found = found
        changes = level.lacking.compactMap { field in
            guard let position = found.layout.position(of: field), let donor = Self.donor(of: field, among: records)
            else { return nil }
            return FieldChange(
                field: found.layout.fields[position], before: found.values[position], after: donor.values[position],
                donor: donor.row, rule: .newestNonEmpty)
        }
    }

    /// The newest of the records that have a value in the field, one that can be used if there is any: the record whose
    /// value a rebuild would keep.
    package static func donor(of field: SettingsField, among records: [DeviceSettings]) -> DeviceSettings? {
        let usable = records.filter { $0.isUsable(field) }
        let donors = usable.isEmpty ? records.filter { !$0.isEmpty(field) } : usable
        // A mark does not keep a value from being passed on.
        let latest = donors.compactMap(\.updatedAt).max()
        return donors.filter { $0.updatedAt == latest }.map { WinnerKey($0, policy: .newest) }.min()?.record
    }

    /// Whether the record that the app finds first shows the name and the unit that any of the records has.
    package var showsEverything: Bool { found != nil && changes.isEmpty }
}
