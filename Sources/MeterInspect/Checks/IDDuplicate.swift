internal import GRDB
internal import MeterModel
internal import MeterStore

/// The same id on several records.
final class IDDuplicate: GroupCheck {
    static let description = CheckDescription(
        "id-duplicate", .error, "the same id on several records",
        explanation: [
            """
            A change meant for one of these records can end up in another. The app gives each record an id of its own \
            and finds records by it. Here several have the same.
            """,
            """
            This comes from records that were copied as a whole: by a restore, by a migration that recreated them, or \
            by hand. If they are of one meter, a rebuild leaves only one of them.
            """,
            """
            If `duplicate-mac` reports the same rows, rebuild first. Otherwise `meterfix fix id-duplicate` gives every \
            record a new id but the one that a rebuild would keep.
            """,
        ])

    @exclusivity(unchecked) private var sightings: DuplicateCandidates
    private var duplicates: [(id: FieldValue, rows: [Int64], cure: String)] = []

    init(_ store: InspectedStore) { sightings = DuplicateCandidates(expecting: store.addresses.records) }

    func visit(_ row: RecordRow) {
        guard !row.isEmpty(.id) else { return }
        row.withBytes(.id) { sightings.add($0, of: UInt64(bitPattern: row.row), row: row.row) }
    }

    func sort() { sightings.sort() }

    func finish(_ store: InspectedStore, _ database: Database) throws {
        var firstRows: [FieldValue: Int64] = [:]
        var duplicates: [FieldValue: [Int64]] = [:]
        try store.settings?.forEachRow(of: sightings.suspects(), database) { row in
            let id = row[.id]
            if let first = firstRows[id] {
                duplicates[id, default: [first]].append(row.row)
            } else {
                firstRows[id] = row.row
            }
        }
        guard !duplicates.isEmpty else { return }
        var meters: [Int64: MACAddress] = [:]
        for meter in store.metersNeedingRebuild() { for row in meter.rows { meters[row] = meter.address } }
        let (rebuild, fix) = (store.repair("rebuild"), store.repair("fix id-duplicate"))
        self.duplicates = duplicates.map { id, rows in
            // A rebuild leaves one record of a meter.
            let owners = Set(rows.map { meters[$0] })
            let isOneMeter = owners.count == 1 && !owners.contains(nil)
            return (id, rows, isOneMeter ? rebuild : fix)
        }.sorted { $0.rows[0] < $1.rows[0] }
    }

    var groups: [[Int64]] { duplicates.map(\.rows) }

    func finding(_ group: Int) -> Finding {
        let (id, rows, cure) = duplicates[group]
        return Self.description.finding(
            "the id \(id.display(as: .uuid)) is on \(rows.count) records", entity: SettingsTable.entityName, rows: rows,
            cure: cure)
    }
}
