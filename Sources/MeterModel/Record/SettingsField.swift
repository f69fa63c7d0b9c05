/// The attributes of `DeviceSettings` that meterfix knows, in the order reports show them.
package enum SettingsField: String, CaseIterable, Sendable {
    case id
    case macAddress
    case meterName
    case tc66TemperatureUnit
    case modelType
    case createdAt
    case updatedAt
    case connectedByDeviceID
    case connectedByDeviceName
    case connectedAt
    case connectedExpiryAt
    case lastSeenAt
    case lastSeenByDeviceID
    case lastSeenByDeviceName
    case connectionMetadata
    case discoveryMetadata
    case cloudKitRecordID

    /// Its index among all cases. Looking a field up by its text would hash that text for every value of every record.
    var ordinal: Int {
        switch self {
        case .id: 0
        case .macAddress: 1
        case .meterName: 2
        case .tc66TemperatureUnit: 3
        case .modelType: 4
        case .createdAt: 5
        case .updatedAt: 6
        case .connectedByDeviceID: 7
        case .connectedByDeviceName: 8
        case .connectedAt: 9
        case .connectedExpiryAt: 10
        case .lastSeenAt: 11
        case .lastSeenByDeviceID: 12
        case .lastSeenByDeviceName: 13
        case .connectionMetadata: 14
        case .discoveryMetadata: 15
        case .cloudKitRecordID: 16
        }
    }

    package var kind: FieldKind {
        switch self {
        case .id: .uuid
        case .createdAt, .updatedAt, .connectedAt, .connectedExpiryAt, .lastSeenAt: .date
        case .macAddress, .meterName, .tc66TemperatureUnit, .modelType, .connectedByDeviceID, .connectedByDeviceName,
            .lastSeenByDeviceID, .lastSeenByDeviceName, .connectionMetadata, .discoveryMetadata, .cloudKitRecordID:
            .text
        }
    }

    /// What `set` changes of a meter; nil for everything else.
    package var settable: Settable? {
        switch self {
        case .meterName: .name
        case .tc66TemperatureUnit: .unit
        case .id, .macAddress, .modelType, .createdAt, .updatedAt, .connectedByDeviceID, .connectedByDeviceName,
            .connectedAt, .connectedExpiryAt, .lastSeenAt, .lastSeenByDeviceID, .lastSeenByDeviceName,
            .connectionMetadata, .discoveryMetadata, .cloudKitRecordID:
            nil
        }
    }

    package enum Settable: Hashable, Sendable {
        case name, unit
    }
}

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
