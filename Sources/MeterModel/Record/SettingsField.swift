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
}
