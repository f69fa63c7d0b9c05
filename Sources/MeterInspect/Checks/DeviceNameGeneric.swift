internal import MeterModel
internal import MeterStore

/// Devices that go by the name of their model.
final class DeviceNameGeneric: RecordCheck {
    static let description = CheckDescription(
        "device-name-generic", .warning, "a device name that is only a model, such as iPad",
        explanation: [
            """
            The user cannot tell which device holds the meter, or saw it last. A lock or a discovery says which device \
            uses the meter or saw it last. Here the name is that of a platform ("iPad" for every Mac that runs the \
            iPad app), which tells nobody which device it is.
            """,
            """
            Older app versions named devices this way. The right name is the host name on a Mac and the device's own \
            name on an iPhone or iPad.
            """,
            "Update the app on that device. The next time it connects to the meter or sees it, it writes its own name.",
        ])

    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        guard
            row.hasMetadataBlob
                || Self.fields.contains(where: { row.text($0).map(MachineMadeName.isDeviceModel) ?? false })
        else {
            return
        }
        let record = row.record
        var names = Self.fields.compactMap { field in record[field].text.map { (field.rawValue, $0) } }
        if let name = record.blobLock?.deviceName { names.append((SettingsField.connectionMetadata.rawValue, name)) }
        if case .value(let discovery) = record.discoveryBlob, let name = discovery.deviceName {
            names.append((SettingsField.discoveryMetadata.rawValue, name))
        }
        let generic = names.filter { Self.isGeneric($0.1) }
        guard !generic.isEmpty else { return }
        found(
            Self.finding(
                Phrase.list(generic.map { "the device name \"\($0.1)\" in \($0.0)" })
                    + " \(generic.count == 1 ? "is" : "are") only a model",
                about: record, in: store, cure: "update the app on that device"))
    }

    private static let fields: [SettingsField] = [.connectedByDeviceName, .lastSeenByDeviceName]

    private static func isGeneric(_ name: String) -> Bool {
        var name = name
        return name.withUTF8(MachineMadeName.isDeviceModel)
    }
}
