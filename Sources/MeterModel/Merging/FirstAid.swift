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
        let lacking = level.lacking
        guard !lacking.isEmpty else {
            changes = []
            return
        }
        let ranked = records.map { WinnerKey($0, policy: .newest) }.sorted().map(\.record)
        changes = lacking.compactMap { field in
            guard let position = found.layout.position(of: field),
                let donor = ranked.first(where: { !$0.values.isEmpty(position) })
            else { return nil }
            return FieldChange(
                field: found.layout.fields[position], before: found.values[position], after: donor.values[position],
                donor: donor.row, rule: .newestNonEmpty)
        }
    }

    /// Whether the record that the app finds first shows the name and the unit that any of the records has.
    package var isLevelled: Bool { found != nil && changes.isEmpty }
}
