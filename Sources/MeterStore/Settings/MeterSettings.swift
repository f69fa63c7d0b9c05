public import MeterModel

/// The settings of one meter, from a record of the store.
public struct MeterSettings: Hashable, Sendable {
    /// Which device uses the meter, and until when.
    public struct Connection: Hashable, Sendable {
        public let deviceID: String?
        public let deviceName: String?
        /// When it connected, or last renewed its lock.
        public let connectedAt: Timestamp?
        /// Another device may take the meter after this moment; nil if it may at any time.
        public let expiresAt: Timestamp?

        /// Whether another device may take the meter.
        /// - Parameter now: the device's clock.
        public func isExpired(at now: Timestamp) -> Bool { expiresAt.map { now > $0 } ?? true }
    }

    /// When the meter was last seen, and by which device.
    public struct Sighting: Hashable, Sendable {
        public let seenAt: Timestamp?
        public let deviceID: String?
        public let deviceName: String?
    }

    /// As it is stored; it may not be an address.
    public let macAddress: String?
    /// As it is stored.
    public let meterName: String?
    /// Whether a program made the name, as older versions of the app did: an address, a UUID, a host name, a hardware
    /// type, a platform or its model, or white space. It tells the user nothing about the meter.
    public var isNameMachineMade: Bool { meterName.flatMap(MachineMadeName.init) != nil }
    /// As it is stored; the app knows `celsius` and `fahrenheit`.
    public let tc66TemperatureUnit: String?
    /// What the meter reports of itself: `TC66C`.
    public let modelType: String?
    public let createdAt: Timestamp?
    /// The last write to the record, also that of a lock or a discovery.
    public let updatedAt: Timestamp?
    /// The connection lock; nil if no device holds or left one.
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
        connection = record.lastingLock.map { lock in
            Connection(
                deviceID: lock.deviceID, deviceName: lock.deviceName, connectedAt: lock.connectedAt,
                expiresAt: lock.end)
        }
        lastSeen = (held ?? record.lastDiscovery).map { discovery in
            Sighting(seenAt: discovery.seenAt, deviceID: discovery.deviceID, deviceName: discovery.deviceName)
        }
    }
}

extension DeviceSettings {
    /// Of a flat lock and one in JSON the one that keeps others out for longer.
    fileprivate var lastingLock: ConnectionLock? {
        guard let flatLock, let blobLock else { return flatLock ?? blobLock }
        guard let end = blobLock.end else { return flatLock }
        return flatLock.end.map { $0 >= end } ?? false ? flatLock : blobLock
    }

    /// The discovery in the flat attributes or, if they are empty, in the JSON.
    fileprivate var lastDiscovery: Discovery? {
        discoveries.first { $0 != Discovery(seenAt: nil, deviceID: nil, deviceName: nil) }
    }
}
