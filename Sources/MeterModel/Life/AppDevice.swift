/// A device that runs the app, as it signs connection locks and discoveries.
public struct AppDevice: Hashable, Sendable {
    /// The identifier that the app created on this device.
    public let id: String
    /// What the user calls it: the host name on macOS, the device's own name on iOS.
    public let name: String

    /// - Parameter name: is kept without the white space around it.
    /// - Returns: nil for a name that does not tell a user which device it is: an empty one, a platform ("iPad", which
    ///   older versions wrote for every Mac, too) or a model identifier.
    public init?(id: String, name: String) {
        guard !WhiteSpace.isAll(name) else { return nil }
        switch MachineMadeName(name) {
        case .platform, .modelIdentifier: return nil
        case .hostName, .meterType, .uuid, .address, .blank, nil: break
        }
        self.id = id
        self.name = WhiteSpace.trimmed(name)
    }
}
