/// A process of a log, as far as the log tells it from others.
struct LogProcess: Hashable {
    let name: String?
    /// Another one after each start.
    let number: Int64?
    /// The name of its device.
    let host: String?

    /// Whether it is the app or an extension of it.
    var isOfApp: Bool { name.map(Self.isOfApp) ?? false }

    /// - Parameter name: such as `USB Meter` and `USBMeterWidgetExtension`.
    static func isOfApp(_ name: String) -> Bool {
        name == "USB Meter" || name.utf8.lazy.filter { $0 != 0x20 }.starts(with: "USBMeter".utf8)
    }

    /// Whether both can be the same one: what is not known is no difference.
    func canBe(_ other: LogProcess) -> Bool {
        Self.canBeSame(name, other.name) && Self.canBeSame(number, other.number) && isOnDevice(of: other)
    }

    /// Whether both can be on one device.
    func isOnDevice(of other: LogProcess) -> Bool { Self.canBeSame(host, other.host) }

    private static func canBeSame<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
        one == nil || other == nil || one == other
    }
}
