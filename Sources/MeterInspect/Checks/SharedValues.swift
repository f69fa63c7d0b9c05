internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// The values of a field that several records share, for a check that compares records.
struct SharedValues {
    struct Shared {
        let value: FieldValue
        let rows: [Int64]
        /// The first of these rows whose CloudKit record has the value as its name.
        let ownerInCloud: Int64?
        /// Whether all these records are of one meter: a rebuild leaves only one of them.
        let isOfOneMeter: Bool
    }

    private let field: SettingsField
    private var candidates: DuplicateCandidates
    /// In the order of the first rows.
    private(set) var shared: [Shared] = []

    init(of field: SettingsField, in store: InspectedStore) {
        self.field = field
        let isThere = store.settings?.layout.has(field) ?? false
        candidates = DuplicateCandidates(expecting: isThere ? store.addresses.records : 0)
    }

    mutating func visit(_ row: RecordRow) {
        guard !row.isEmpty(field) else { return }
        row.withBytes(field) { candidates.add($0, of: UInt64(bitPattern: row.row), row: row.row) }
    }

    mutating func sort() { candidates.sort() }

    /// - Parameter store: with all addresses.
    /// - Throws: SQLite's errors.
    mutating func finish(_ store: InspectedStore, _ database: Database) throws {
        let suspects = candidates.suspects()
        guard let settings = store.settings, !suspects.isEmpty else { return }
        var rows: [FieldValue: [Int64]] = [:]
        var owners: [FieldValue: Int64] = [:]
        let names = try settings.cloudRecords(of: suspects, store.description.mirror, database)
        try settings.forEachRow(of: suspects, database) { row in
            let value = row[field]
            rows[value, default: []].append(row.row)
            if owners[value] == nil, let name = value.text, names[row.row]?.name == name { owners[value] = row.row }
        }
        rows = rows.filter { $0.value.count > 1 }
        guard !rows.isEmpty else { return }
        var meters: [Int64: MACAddress] = [:]
        for meter in store.metersNeedingRebuild() { for row in meter.rows { meters[row] = meter.address } }
        shared = rows.map { value, rows in
            let addresses = Set(rows.map { meters[$0] })
            return Shared(
                value: value, rows: rows, ownerInCloud: owners[value],
                isOfOneMeter: addresses.count == 1 && !addresses.contains(nil))
        }.sorted { $0.rows[0] < $1.rows[0] }
    }
}
