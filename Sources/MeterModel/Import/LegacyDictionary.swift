/// The two dictionaries in which the app kept its settings before Core Data, by the key they stand under.
package enum LegacyDictionary: String, Hashable, Sendable, CaseIterable {
    /// Address → name.
    case meterNames = "MeterNames"
    /// Address → unit.
    case temperatureUnits = "TC66TemperatureUnits"

    /// Where the dictionary's values go.
    package var field: SettingsField {
        switch self {
        case .meterNames: .meterName
        case .temperatureUnits: .tc66TemperatureUnit
        }
    }
}
