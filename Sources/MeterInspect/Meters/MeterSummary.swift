package import MeterModel

/// One meter in a line: what its record says, or what a rebuild would make of its several records.
package struct MeterSummary: Sendable {
    /// Nil for a record without a usable address.
    package let address: MACAddress?
    /// `macAddress` as it is stored, in the record that a rebuild keeps.
    package let storedAddress: FieldValue
    package let name: String?
    /// Of its records, each once, in the order of their rows.
    package let recordNames: [String]
    package let temperatureUnit: String?
    package let modelType: String?
    /// The latest of its records.
    package let updatedAt: Timestamp?
    package let seenAt: Timestamp?
    /// The device that saw it then; its id if it has no name.
    package let seenBy: String?
    /// The one that was taken last.
    package let lock: ConnectionLock?
    /// Whether another device may take the meter.
    package let isLockExpired: Bool
    /// Of its records, in ascending order.
    package let rows: [Int64]
    /// What of it waits for CloudKit, by row number.
    package let waiting: [SyncReport.Object]

    /// - Parameters:
    ///   - records: all of the meter, at least one; a single one if there is no address.
    ///   - address: nil where the record has no usable one.
    init(
        of records: [DeviceSettings], at address: MACAddress?, in letterCase: LetterCase, waiting: [SyncReport.Object],
        now: Timestamp
    ) {
        self.address = address
        self.waiting = waiting
        rows = records.map(\.row).sorted()
        let merge = address.map {
            Merge(of: records, at: $0, in: letterCase, policy: .mostComplete, now: now)
        }
        let kept = merge?.winner ?? records[0]
        func value(_ field: SettingsField) -> FieldValue {
            merge?.changes.first { $0.field.name == field.rawValue }?.after ?? kept[field]
        }
        func text(_ field: SettingsField) -> String? {
            let value = value(field)
            return value.isEmpty ? nil : value.display(as: field.kind)
        }
        storedAddress = kept[.macAddress]
        name = text(.meterName)
        recordNames = records.sorted { $0.row < $1.row }.compactMap {
            $0.isEmpty(.meterName) ? nil : $0[.meterName].display(as: .text)
        }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        temperatureUnit = text(.tc66TemperatureUnit)
        modelType = text(.modelType)
        updatedAt = records.compactMap(\.updatedAt).max()
        let sighting = records.flatMap(\.discoveries).filter { $0.seenAt != nil }.max { $0.seenAt! < $1.seenAt! }
        seenAt = sighting?.seenAt
        seenBy = sighting.flatMap { $0.deviceName ?? $0.deviceID }
        let locks = records.flatMap(\.locks)
        lock = locks.max { ($0.connectedAt ?? .distantPast) < ($1.connectedAt ?? .distantPast) }
        isLockExpired = lock?.isExpired(at: now) ?? false
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(secondsSince2001: -.infinity)
}
