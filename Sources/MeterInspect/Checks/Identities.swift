internal import CoreDataStore
internal import MeterModel
internal import MeterStore

extension Check {
    static let idMissing = records(
        "id-missing", .error, "a record without an id",
        """
        The app gives each record an id and finds records by it, but this record has no id. A change meant for it may \
        be lost, or end up in another record without an id.

        This comes from records that something other than the app made: an import, a script, a manual edit.

        If `duplicate-mac` reports the same row, rebuild first. `meterfix fix id-missing` then gives the record an id. \
        The id is derived from the name of the record in CloudKit, so copies of the store that are repaired separately \
        get the same id, and like any change it is uploaded. If another device gives the record a different id in the \
        meantime, the later of the two changes is kept on all devices.
        """
    ) { check, record, store in
        guard record.isEmpty(.id), record.layout.has(.id) else { return [] }
        return [check.finding("no id", about: record, in: store, cure: store.repair("fix id-missing"))]
    }

    static let idDuplicate = meters(
        "id-duplicate", .error, "the same id on several records",
        """
        A change meant for one of these records can end up in another. The app gives each record its own id and finds \
        records by it. Here several records have the same id.

        This comes from records that were copied as a whole: by a restore, by a migration that recreated them, or by \
        hand. If they belong to one meter, a rebuild keeps only one of them.

        If `duplicate-mac` reports the same rows, rebuild first. Otherwise `meterfix fix id-duplicate` gives every \
        record a new id, except the one that a rebuild would keep.
        """
    ) { check, session in
        let (rebuild, fix) = (session.store.repair("rebuild"), session.store.repair("fix id-duplicate"))
        return try session.recordsSharing(\.identity).map { records in
            check.finding(
                "the id \(records[0].identity?.display(as: .uuid) ?? "") is on \(records.count) records",
                entity: SettingsTable.entityName, rows: records.map(\.row),
                cure: areOfOneMeter(records) ? rebuild : fix)
        }
    }

    static let recordIDShared = meters(
        "record-id-shared", .warning, "the same cloudKitRecordID on several records",
        """
        In cloudKitRecordID the app keeps the name of a record in CloudKit. No two records can have the same name, so \
        all but one of these are wrong, and what the app looks up by this name may belong to another meter.

        This comes from records that were copied as a whole: by a restore, by a migration that recreated them, or by \
        hand. CloudKit's mirror does not read the attribute: it keeps these names in its own tables, and uploads are \
        not affected.

        If `duplicate-mac` reports the same rows, run a rebuild, which keeps one of them. Otherwise no command changes \
        the attribute, because only the app knows what it uses it for: show the store to the app's developers.
        """
    ) { check, session in
        let rebuild = session.store.repair("rebuild")
        let groups = try session.recordsSharing(.cloudKitRecordID)
        let cloud = try session.meterSession?.withCloudRecords(groups.flatMap(\.self)) ?? []
        let names = Dictionary(uniqueKeysWithValues: cloud.map { ($0.row, $0.cloudRecord?.name) })
        return groups.map { records in
            let name = records[0][.cloudKitRecordID]
            let owner = records.first { names[$0.row] == name.text && name.text != nil }
            return check.finding(
                "the cloudKitRecordID \(name.shown) is on \(records.count) records"
                    + (owner.map { "; in the mirror it is the name of row \($0.row)" } ?? ""),
                entity: SettingsTable.entityName, rows: records.map(\.row),
                cure: areOfOneMeter(records)
                    ? rebuild : "show the store to the app's developers: only the app can change this attribute")
        }
    }

    /// Whether a rebuild leaves only one of these records.
    private static func areOfOneMeter(_ records: [DeviceSettings]) -> Bool {
        let address = records[0].usableAddress
        return address != nil && records.allSatisfy { $0.usableAddress == address }
    }
}
