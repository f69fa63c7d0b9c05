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

    @exclusivity(unchecked) private var ids: SharedValues
    private let (rebuild, fix): (String, String)

    init(_ store: InspectedStore) {
        ids = SharedValues(of: .id, in: store)
        (rebuild, fix) = (store.repair("rebuild"), store.repair("fix id-duplicate"))
    }

    func visit(_ row: RecordRow) { ids.visit(row) }

    func sort() { ids.sort() }

    func finish(_ store: InspectedStore, _ database: Database) throws { try ids.finish(store, database) }

    var groups: [[Int64]] { ids.shared.map(\.rows) }

    func finding(_ group: Int) -> Finding {
        let id = ids.shared[group]
        return Self.description.finding(
            "the id \(id.value.display(as: .uuid)) is on \(id.rows.count) records", entity: SettingsTable.entityName,
            rows: id.rows, cure: id.isOfOneMeter ? rebuild : fix)
    }
}
