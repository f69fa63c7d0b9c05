/// The names and units that a person wants a rebuild to keep, in place of those it would keep by itself.
package struct ValueOverrides: Hashable, Sendable {
    private var byMeter: [MACAddress: [SettingsField: FieldValue]] = [:]

    package init() {}

    package var isEmpty: Bool { byMeter.isEmpty }

    /// What is chosen for one field of one meter; nil where nothing is.
    package subscript(address: MACAddress, field: SettingsField) -> FieldValue? {
        get { byMeter[address]?[field] }
        set { byMeter[address, default: [:]][field] = newValue }
    }

    /// What is chosen for one meter.
    package subscript(address: MACAddress) -> [SettingsField: FieldValue] { byMeter[address] ?? [:] }

    /// Each choice, in the order of addresses, a name before a unit.
    package var all: [(address: MACAddress, field: SettingsField, value: FieldValue)] {
        byMeter.sorted { $0.key < $1.key }.flatMap { address, values in
            SettingsField.allCases.compactMap { field in values[field].map { (address, field, $0) } }
        }
    }
}
