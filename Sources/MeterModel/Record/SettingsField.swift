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

    private struct Definition {
        /// From 0 up; a new field takes the next one. Looking a field up by its text would hash that text for every value
        /// of every record.
        let number: Int
        let kind: FieldKind
        let survivorship: Survivorship
        var role = Role.value
        var settable: Settable?
    }

    private var definition: Definition {
        switch self {
        case .id: Definition(number: 0, kind: .uuid, survivorship: .kept, role: .identifier)
        case .macAddress: Definition(number: 1, kind: .text, survivorship: .canonicalText)
        case .meterName: Definition(number: 2, kind: .text, survivorship: .userData, settable: .name)
        case .tc66TemperatureUnit: Definition(number: 3, kind: .text, survivorship: .userData, settable: .unit)
        case .modelType: Definition(number: 4, kind: .text, survivorship: .userData)
        case .createdAt: Definition(number: 5, kind: .date, survivorship: .earliest)
        case .updatedAt: Definition(number: 6, kind: .date, survivorship: .stamped)
        case .connectedByDeviceID: Definition(number: 7, kind: .text, survivorship: .lock, role: .identifier)
        case .connectedByDeviceName: Definition(number: 8, kind: .text, survivorship: .lock)
        case .connectedAt: Definition(number: 9, kind: .date, survivorship: .lock)
        case .connectedExpiryAt: Definition(number: 10, kind: .date, survivorship: .lock)
        case .lastSeenAt: Definition(number: 11, kind: .date, survivorship: .discovery)
        case .lastSeenByDeviceID: Definition(number: 12, kind: .text, survivorship: .discovery, role: .identifier)
        case .lastSeenByDeviceName: Definition(number: 13, kind: .text, survivorship: .discovery)
        case .connectionMetadata: Definition(number: 14, kind: .text, survivorship: .lock, role: .json)
        case .discoveryMetadata: Definition(number: 15, kind: .text, survivorship: .discovery, role: .json)
        case .cloudKitRecordID: Definition(number: 16, kind: .text, survivorship: .kept, role: .identifier)
        }
    }

    /// Different for each field, and less than the number of fields.
    package var number: Int { definition.number }

    package var kind: FieldKind { definition.kind }

    package var survivorship: Survivorship { definition.survivorship }

    package var role: Role { definition.role }

    /// What its values are to a person who reads them.
    package enum Role: Sendable {
        case value
        /// A program tells devices or records apart by it.
        case identifier
        /// Values for a program.
        case json
    }

    /// What `set` changes of a meter; nil for everything else.
    package var settable: Settable? { definition.settable }

    package enum Settable: Hashable, Sendable {
        case name, unit
    }

    /// What a user types or chooses and sees of a meter, in the order of the layout. (`modelType` comes again with the
    /// next connection.)
    package static let typed = allCases.filter { $0.settable != nil }
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
