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
