internal import GRDB
internal import MeterModel
internal import MeterStore

/// Several records of one meter.
enum DuplicateMAC: Check {
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
            with the smallest row number (inferred). The finding lists the names and units in which the records \
            differ. If the record that the app finds lacks a name or a unit that another one has, `meterfix rebuild \
            --in-use` fills it at once, while other devices are in use. It overwrites and deletes nothing: a record \
            with another name keeps it, and only the rebuild decides. Row numbers are a device's own: another device \
            may find another record first.
            """,
            """
            Run `meterfix rebuild --dry-run` to see which record is kept and why. When all devices are at rest, run \
            `meterfix rebuild`.
            """,
        ])

    /// Nil where each meter has one record.
    /// - Parameter store: with the addresses of all its records; it is read again when the findings are shown.
    static func findings(in store: InspectedStore, _ reading: RepeatedReading) -> Findings.OfCheck? {
        Findings.OfCheck(
            description.id, description.severity, count: store.addresses.groups,
            from: RepeatedMeters(store: store, reading: reading))
    }

    /// What the app shows of some of the meters that have several records; nil where the records cannot be read, which is
    /// a finding itself.
    fileprivate static func levels(
        of meters: [AddressIndex.Meter], in store: InspectedStore, _ database: Database
    ) throws -> [MeterLevel]? {
        do {
            return try store.levels(of: meters, withVersions: true, database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return nil
        }
    }
}

/// The meters with several records, and what the app shows of each, a few thousand at a time.
private struct RepeatedMeters: FindingSource {
    let store: InspectedStore
    let reading: RepeatedReading

    private static let most = 8_192

    func forEach(while body: (Finding) -> Bool) {
        let (cure, firstAid) = (store.repair("rebuild"), store.firstAid)
        var meters: [AddressIndex.Meter] = []
        func showMeters() -> Bool {
            defer { meters = [] }
            return reading.read { database in
                let levels = try DuplicateMAC.levels(of: meters, in: store, database)
                return meters.indices.allSatisfy {
                    body(finding(meters[$0], levels?[$0], cure: cure, firstAid: firstAid))
                }
            }
        }
        for meter in store.addresses.metersWithSeveralRecords {
            meters.append(meter)
            if meters.count == Self.most, !showMeters() { return }
        }
        _ = showMeters()
    }

    private func finding(
        _ meter: AddressIndex.Meter, _ level: MeterLevel?, cure: String, firstAid: String?
    ) -> Finding {
        let mac = meter.address.text(in: store.letterCase)
        let count = "\(meter.rows.count) records of the meter \(mac)"
        var finding = DuplicateMAC.description.finding(
            level.map { "\(count); \($0.phrase)" } ?? count, entity: SettingsTable.entityName, rows: meter.rows,
            mac: mac, cure: cure)
        finding.levelled = level?.isLevelled
        finding.firstAid = level?.lacking.isEmpty == false ? firstAid : nil
        return finding
    }
}
