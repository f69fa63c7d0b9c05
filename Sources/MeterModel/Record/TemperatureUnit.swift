/// The unit a TC66C shows temperatures in, as the app stores it.
public enum TemperatureUnit: String, Hashable, Sendable, CaseIterable {
    case celsius, fahrenheit

    /// Every accepted text, in lower case. The app itself knows only the first one of each unit.
    private static let spellings: [String: TemperatureUnit] = [
        "celsius": .celsius, "c": .celsius, "°c": .celsius, "º c": .celsius, "ºc": .celsius, "° c": .celsius,
        "℃": .celsius, "fahrenheit": .fahrenheit, "f": .fahrenheit, "°f": .fahrenheit, "ºf": .fahrenheit,
        "° f": .fahrenheit, "º f": .fahrenheit, "℉": .fahrenheit,
    ]

    /// Parses a unit: its name in any letter case, or its letter with or without a degree sign. White space around it
    /// is ignored. Nil for anything else.
    package init?(understanding text: String) {
        if let exact = TemperatureUnit(rawValue: text) {
            self = exact
            return
        }
        guard text.utf8.count <= 64, let unit = Self.spellings[WhiteSpace.trimmed(text).lowercased()] else {
            return nil
        }
        self = unit
    }
}
