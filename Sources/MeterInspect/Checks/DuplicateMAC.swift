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
            """
            The app looks for the exact text of the address and takes the record that comes first, which is the one \
            with the smallest row number (inferred). Such a meter is levelled if that record lacks no name or unit \
            that another record has: the user sees nothing amiss, and only the rebuild is still to come. If it lacks \
            one, `meterfix rebuild --in-use` fills it at once, while other devices are in use. It overwrites and \
            deletes nothing. Row numbers are a device's own: another device may find another record first.
            """,
            """
            Run `meterfix rebuild --dry-run` to see which record is kept and why. When all devices are at rest, run \
            `meterfix rebuild`.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let meters = store.addresses.metersWithSeveralRecords
        guard !meters.isEmpty else { return [] }
        let (cure, firstAid) = (store.repair("rebuild"), store.firstAid)
        let levels = try levels(of: meters, in: store, database)
        return meters.indices.map { index in
            let (meter, level) = (meters[index], levels?[index])
            let mac = meter.address.text(in: store.letterCase)
            let count = "\(meter.rows.count) records of the meter \(mac)"
            var finding = description.finding(
                level.map { "\(count); \($0.phrase)" } ?? count, entity: SettingsTable.entityName, rows: meter.rows,
                mac: mac, cure: cure)
            finding.levelled = level?.isLevelled
            finding.firstAid = level?.lacking.isEmpty == false ? firstAid : nil
            return finding
        }
    }

    /// Nil where the records cannot be read, which is a finding itself.
    private static func levels(
        of meters: [AddressIndex.Meter], in store: InspectedStore, _ database: Database
    ) throws -> [MeterLevel]? {
        do {
            return try store.levels(of: meters, database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return nil
        }
    }
}
