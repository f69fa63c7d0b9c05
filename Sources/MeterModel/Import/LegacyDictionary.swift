/// The two dictionaries in which the app kept its settings before Core Data, by their keys.
package enum LegacyDictionary: String, Hashable, Sendable, CaseIterable {
    /// Address → name.
    case meterNames = "MeterNames"
    /// Address → unit.
    case temperatureUnits = "TC66TemperatureUnits"

    /// The field for the dictionary's values.
    package var field: SettingsField {
        switch self {
        case .meterNames: .meterName
        case .temperatureUnits: .tc66TemperatureUnit
        }
    }
}
