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

    /// What a user types or chooses; how many of them are filled decides which record is most complete.
    package static let userData: [SettingsField] = [.meterName, .tc66TemperatureUnit, .modelType]

    /// The lock in both spellings: a unit, always from one record.
    package static let lock: [SettingsField] = [
        .connectedByDeviceID, .connectedByDeviceName, .connectedAt, .connectedExpiryAt, .connectionMetadata,
    ]

    /// The lock's four flat attributes.
    package static let flatLock: [SettingsField] = lock.filter { $0 != .connectionMetadata }

    /// The last discovery in both spellings: a unit too.
    package static let discovery: [SettingsField] = [
        .lastSeenAt, .lastSeenByDeviceID, .lastSeenByDeviceName, .discoveryMetadata,
    ]

    /// Its place among all cases. Looking a field up by its text would hash that text for every value of every record.
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
        default: .text
        }
    }
}
