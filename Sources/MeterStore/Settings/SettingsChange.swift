/// What is different in a store's records since the last time.
public struct SettingsChange: Hashable, Sendable {
    /// Records that are new or have another value, as they are now.
    public let saved: [MeterSettings]
    /// Records that are gone, as they were last.
    public let deleted: [MeterSettings]
    /// Records with a connection lock that expired: another device may take the meter now. Nothing was written.
    public let expired: [MeterSettings]

    var isEmpty: Bool { saved.isEmpty && deleted.isEmpty && expired.isEmpty }
}
