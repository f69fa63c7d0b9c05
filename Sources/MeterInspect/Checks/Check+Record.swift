internal import MeterModel
internal import MeterStore

extension Check {
    /// A finding about one record, with its meter's address where it has a usable one.
    static func finding(
        _ message: String, about record: DeviceSettings, in store: InspectedStore, cure: String? = nil
    ) -> Finding {
        var mac: String?
        if case .usable(let address, _) = record.address { mac = address.text(in: store.letterCase) }
        return description.finding(
            message, entity: SettingsTable.entityName, rows: [record.row], mac: mac, cure: cure)
    }
}
