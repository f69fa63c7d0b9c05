internal import CoreDataStore
internal import MeterModel

extension BackupEntry {
    /// What of the change `set` and `restore-record` take back by themselves, for a meter that can be named, values
    /// first; none where files were put back, and where what the change did cannot be read.
    /// - Throws: `StoreError` if the user asked to stop.
    func parts(of journal: BackupManifest) throws(StoreError) -> [UndoReport.Part] {
        guard let changes = journal.changes else { return [] }
        var values: [UndoReport.Part] = []
        var records: [UndoReport.Part] = []
        func add(_ part: UndoReport.Part?) { if let part, !values.contains(part) { values.append(part) } }
        do throws(StoreError) {
            try forEachChange(changes, until: { values.count + records.count >= Self.mostParts }) { line, _ in
                switch line {
                case .deletion(let deletion):
                    if let address = deletion.address { records.append(.record(row: deletion.row, address)) }
                case .change(.update(let update)):
                    guard let address = update.address else { return }
                    for change in update.fields { add(Self.part(change.field, change.before, address)) }
                case .conflict(let conflict):
                    // A value of a dump was never in the store.
                    for dropped in conflict.dropped where dropped.row != nil {
                        add(Self.part(conflict.field, dropped.value, conflict.address))
                    }
                case .change, .entry, .record, .reject: break
                }
            }
        } catch {
            guard error.kind != .interrupted else { throw error }
            return []
        }
        return values + records
    }

    /// Nobody types more commands than this instead of one.
    private static let mostParts = 100

    /// - Parameter value: which the meter had before the change.
    private static func part(
        _ field: RecordLayout.Field, _ value: FieldValue, _ address: MACAddress
    ) -> UndoReport.Part? {
        switch field.known {
        case .meterName:
            let name = value.text.map(WhiteSpace.trimmed) ?? ""
            return value.isNull || value.text != nil ? .name(name.isEmpty ? nil : name, address) : nil
        case .tc66TemperatureUnit:
            return value.text.flatMap { TemperatureUnit(rawValue: $0) }.map { .unit($0, address) }
        case .id, .macAddress, .modelType, .createdAt, .updatedAt, .connectedByDeviceID, .connectedByDeviceName,
            .connectedAt, .connectedExpiryAt, .lastSeenAt, .lastSeenByDeviceID, .lastSeenByDeviceName,
            .connectionMetadata, .discoveryMetadata, .cloudKitRecordID, nil:
            return nil
        }
    }
}
