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

    /// What one field of one meter is to keep.
    package struct Choice: Hashable, Sendable {
        package let address: MACAddress
        package let field: SettingsField
        package let value: FieldValue
    }

    /// Each choice, in the order of addresses, a name before a unit.
    package var all: [Choice] {
        byMeter.sorted { $0.key < $1.key }.flatMap { address, values in
            SettingsField.allCases.compactMap { field in
                values[field].map { Choice(address: address, field: field, value: $0) }
            }
        }
    }
}
