package import MeterModel

/// How a record gets its name in CloudKit.
package enum RecordNaming: String, Sendable, CaseIterable {
    /// A random UUID, which the mirror chooses.
    case random
    /// From the meter's address, so that all devices choose the same. `NSPersistentCloudKitContainer` does not offer it.
    case fromAddress = "from-address"

    /// The name that all devices choose for the record of a meter.
    package static func name(of address: MACAddress) -> String { "DeviceSettings/\(address.text(in: .upper))" }
}
