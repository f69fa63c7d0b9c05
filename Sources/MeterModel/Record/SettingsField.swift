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

    package var kind: FieldKind {
        switch self {
        case .id: .uuid
        case .createdAt, .updatedAt, .connectedAt, .connectedExpiryAt, .lastSeenAt: .date
        default: .text
        }
    }
}
