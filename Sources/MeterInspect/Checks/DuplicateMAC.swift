internal import GRDB
internal import MeterModel
internal import MeterStore

/// Several records of one meter.
struct DuplicateMAC: StoreCheck {
    static let description = CheckDescription(
        "duplicate-mac", .error, "several records of one meter",
        explanation: [
            """
            Two or more records have the same 48-bit address, however it is written. The app finds one of them by \
            chance, so a name or a unit seems to come and go.
            """,
            """
            Schema v2 dropped the uniqueness constraint that CloudKit mirroring cannot have. Since then two devices \
            that see a meter for the first time each create a record, and so does a device that was restored.
            """,
            "Run `meterfix rebuild --dry-run` to see which record is kept and why, then `meterfix rebuild`.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let cure = store.repair("rebuild")
        return store.metersNeedingRebuild().lazy.filter { $0.rows.count > 1 }.map { meter in
            let mac = meter.address.text(in: store.letterCase)
            return description.finding(
                "\(meter.rows.count) records of the meter \(mac)", entity: SettingsTable.entityName, rows: meter.rows,
                mac: mac, cure: cure)
        }
    }
}
