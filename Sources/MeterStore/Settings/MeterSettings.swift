public import MeterModel

/// The settings of one meter, from a record of the store.
public struct MeterSettings: Hashable, Sendable {
    /// Which device uses the meter, and until when.
    public struct Connection: Hashable, Sendable {
        public let deviceID: String?
        public let deviceName: String?
        public let connectedAt: Timestamp?
        /// Another device may take the meter after this moment.
        public let expiresAt: Timestamp?
    }

    /// When the meter was last seen, and by which device.
    public struct Sighting: Hashable, Sendable {
        public let seenAt: Timestamp?
        public let deviceID: String?
        public let deviceName: String?
    }

    /// As it is stored; it may not be an address.
    public let macAddress: String?
    public let meterName: String?
    /// As it is stored; the app knows `celsius` and `fahrenheit`.
    public let tc66TemperatureUnit: String?
    public let modelType: String?
    public let createdAt: Timestamp?
    public let updatedAt: Timestamp?
    public let connection: Connection?
    /// Includes a discovery that the throttle kept in memory.
    public let lastSeen: Sighting?

    /// - Parameter held: a discovery that was not written.
    init(_ record: DeviceSettings, held: Discovery?) {
        macAddress = record[.macAddress].text
        meterName = record[.meterName].text
        tc66TemperatureUnit = record[.tc66TemperatureUnit].text
        modelType = record[.modelType].text
        createdAt = record.createdAt
        updatedAt = record.updatedAt
        connection = (record.flatLock ?? record.blobLock).map { lock in
            Connection(
                deviceID: lock.deviceID, deviceName: lock.deviceName, connectedAt: lock.connectedAt,
                expiresAt: lock.expiresAt)
        }
        lastSeen = (held ?? record.lastDiscovery).map { discovery in
            Sighting(seenAt: discovery.seenAt, deviceID: discovery.deviceID, deviceName: discovery.deviceName)
        }
    }
}

extension DeviceSettings {
    /// The discovery in the flat attributes or, if they are empty, in the JSON.
    fileprivate var lastDiscovery: Discovery? {
        let flat = Discovery(
            seenAt: self[.lastSeenAt].timestamp, deviceID: self[.lastSeenByDeviceID].text,
            deviceName: self[.lastSeenByDeviceName].text)
        if flat != Discovery(seenAt: nil, deviceID: nil, deviceName: nil) { return flat }
        if case .value(let discovery) = discoveryBlob { return discovery }
        return nil
    }
}
