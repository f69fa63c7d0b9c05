/// When and by which device the meter was last seen. A unit, as the lock is.
package struct Discovery: Hashable, Sendable {
    package var seenAt: Timestamp?
    package var deviceID: String?
    package var deviceName: String?

    package init(seenAt: Timestamp?, deviceID: String?, deviceName: String?) {
        self.seenAt = seenAt
        self.deviceID = deviceID
        self.deviceName = deviceName
    }
}

extension DeviceSettings {
    /// The record's readable discoveries: none, one, or both the flat one and the blob's.
    package var discoveries: [Discovery] {
        let flat = Discovery(
            seenAt: self[.lastSeenAt].timestamp, deviceID: self[.lastSeenByDeviceID].text,
            deviceName: self[.lastSeenByDeviceName].text)
        guard case .value(let blob) = discoveryBlob else { return [flat] }
        return [flat, blob]
    }
}
