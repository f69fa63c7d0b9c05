internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension Check {
    static let idMissing = ofRecords(
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
    ) { check, row, found in
        guard row.isEmpty(.id), check.layout.has(.id) else { return }
        found(check.finding("no id", about: row.record, cure: check.store.repair("fix id-missing")))
    }

    static let idDuplicate = ofGroups(
        "id-duplicate", .error, "the same id on several records",
        """
        A change meant for one of these records can end up in another. The app gives each record its own id and finds \
        records by it. Here several records have the same id.

        This comes from records that were copied as a whole: by a restore, by a migration that recreated them, or by \
        hand. If they belong to one meter, a rebuild keeps only one of them.

        If `duplicate-mac` reports the same rows, rebuild first. Otherwise `meterfix fix id-duplicate` gives every \
        record a new id, except the one that a rebuild would keep.
        """
    ) { check, store in
        let (rebuild, fix) = (store.repair("rebuild"), store.repair("fix id-duplicate"))
        return SharedValues(of: .id, in: store) { id in
            check.finding(
                "the id \(id.value.display(as: .uuid)) is on \(id.rows.count) records",
                entity: SettingsTable.entityName,
                rows: id.rows, cure: id.isOfOneMeter ? rebuild : fix)
        }
    }

    static let recordIDShared = ofGroups(
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
    ) { check, store in
        let rebuild = store.repair("rebuild")
        return SharedValues(of: .cloudKitRecordID, in: store) { name in
            let owner = name.ownerInCloud.map { "; in the mirror it is the name of row \($0)" } ?? ""
            return check.finding(
                "the cloudKitRecordID \(name.value.shown) is on \(name.rows.count) records\(owner)",
                entity: SettingsTable.entityName, rows: name.rows,
                cure: name.isOfOneMeter
                    ? rebuild : "show the store to the app's developers: only the app can change this attribute")
        }
    }
}

/// The values of a field that several records share.
private final class SharedValues: GroupCheck {
    struct Shared {
        let value: FieldValue
        let rows: [Int64]
        /// The first of these rows whose CloudKit record has the value as its name.
        let ownerInCloud: Int64?
        /// Whether all these records are of one meter: a rebuild leaves only one of them.
        let isOfOneMeter: Bool
    }

    private let field: SettingsField
    @exclusivity(unchecked) private var candidates: DuplicateCandidates<EachForItself>
    /// In the order of the first rows.
    private var shared: [Shared] = []
    private let makeFinding: (Shared) -> Finding

    init(of field: SettingsField, in store: InspectedStore, _ makeFinding: @escaping (Shared) -> Finding) {
        self.field = field
        self.makeFinding = makeFinding
        let isThere = store.settings?.layout.has(field) ?? false
        candidates = DuplicateCandidates(expecting: isThere ? store.addresses.records : 0)
    }

    func visit(_ row: RecordRow) {
        guard !row.isEmpty(field) else { return }
        row.withBytes(field) { candidates.add($0, of: EachForItself(), row: row.row) }
    }

    func sort() { candidates.sort() }

    var groups: [[Int64]] { shared.map(\.rows) }

    func finding(_ group: Int) -> Finding { makeFinding(shared[group]) }

    func finish(_ session: Session) throws {
        let suspects = candidates.suspects()
        guard let settings = session.settings, !suspects.isEmpty else { return }
        var rows: [FieldValue: [Int64]] = [:]
        var owners: [FieldValue: Int64] = [:]
        let names = try settings.cloudRecords(of: suspects, session.mirror, session.database)
        try settings.forEachRow(of: suspects, session.database) { row in
            let value = row[field]
            rows[value, default: []].append(row.row)
            if owners[value] == nil, let name = value.text, names[row.row]?.name == name { owners[value] = row.row }
        }
        rows = rows.filter { $0.value.count > 1 }
        guard !rows.isEmpty else { return }
        var meters: [Int64: MACAddress] = [:]
        for meter in session.store.metersNeedingRebuild() { for row in meter.rows { meters[row] = meter.address } }
        shared = rows.map { value, rows in
            let addresses = Set(rows.map { meters[$0] })
            return Shared(
                value: value, rows: rows, ownerInCloud: owners[value],
                isOfOneMeter: addresses.count == 1 && !addresses.contains(nil))
        }.sorted { $0.rows[0] < $1.rows[0] }
    }
}
