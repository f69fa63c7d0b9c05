internal import MeterModel
internal import MeterStore

extension Check {
    package static let duplicateMAC = meters(
        "duplicate-mac", .error, "several records of one meter",
        """
        Two or more records have the same 48-bit address, however it is written. The app finds one of them by chance, \
        so a name or a unit seems to come and go.

        Schema v2 removed the uniqueness constraint, which CloudKit mirroring does not allow. Since then two devices \
        that see a meter for the first time each create a record, and so does a device that was restored.

        The app looks for the exact text of the address and uses the first record it finds, which has the smallest row \
        number (inferred). The finding lists the names and units in which the records differ. If the record that the \
        app finds lacks a name or a unit that another one has, `meterfix rebuild --in-use` fills it at once, even \
        while other devices are in use. It overwrites and deletes nothing: a record with another name keeps it, and \
        only a rebuild decides between them. Row numbers differ between devices, so another device may find another \
        record first.

        Run `meterfix rebuild --dry-run` to see which record is kept and why. When the app is closed on all devices, \
        run `meterfix rebuild`.
        """
    ) { check, session in
        let store = session.store
        let cure = store.repair("rebuild")
        let (letterCase, firstAid) = (store.letterCase, store.firstAid)
        return store.addresses.metersWithSeveralRecords.map { meter in
            // Nothing but their addresses is known of records that cannot be read.
            let level = store.damageOfRecords == nil ? DisplayStatus(of: meter.records, in: letterCase) : nil
            return Finding(
                id: check.id, severity: check.severity, entity: SettingsTable.entityName, rows: meter.rows,
                about: meter.address, in: letterCase,
                message: words(on: meter.address, meter.records.count, level, letterCase),
                showsEverything: level?.showsEverything, cure: cure,
                firstAid: level?.lacking.isEmpty == false ? firstAid : nil)
        }
    }

    /// - Parameter level: nil where nothing but their addresses is known of the records.
    private static func words(
        on address: MACAddress, _ count: Int, _ level: DisplayStatus?, _ letterCase: LetterCase
    ) -> Sentence {
        let count: Sentence = "\(count) records of the meter \(value: address.text(in: letterCase))"
        return level.map { "\(count); \($0.phrase)" } ?? count
    }
}
