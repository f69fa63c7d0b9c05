/// What helps at once where a meter has several records and devices are in use: the record that the app finds first gets
/// the name and the unit that only the others have. Nothing is overwritten and nothing deleted, and `updatedAt` stays:
/// each of these could beat what somebody types on another device at this moment.
package struct FirstAid: Hashable, Sendable {
    package let address: MACAddress
    /// The record that the app finds first; nil if it finds none, because none has exactly the text it looks for.
    package let found: DeviceSettings?
    /// Values for empty fields of this record, in the order of the layout; empty where it shows what there is.
    package let changes: [FieldChange]

    /// What a user sees of a meter, in the order of the layout. (`modelType` comes again with the next connection.)
    package static let fields: [SettingsField] = [.meterName, .tc66TemperatureUnit]

    /// - Parameters:
    ///   - records: all records of the meter at `address`.
    ///   - letterCase: in which the app writes the address that it looks for.
    package init(for records: [DeviceSettings], at address: MACAddress, in letterCase: LetterCase) {
        let level = MeterLevel(of: records, in: letterCase)
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

    /// The newest of the records that have a value in the field.
    package static func donor(of field: SettingsField, among records: [DeviceSettings]) -> DeviceSettings? {
        records.filter { !$0.isEmpty(field) }.map { WinnerKey($0, policy: .newest) }.min()?.record
    }

    /// Whether the record that the app finds first shows the name and the unit that any of the records has.
    package var isLevelled: Bool { found != nil && changes.isEmpty }
}
