internal import GRDB
internal import MeterModel
internal import MeterStore

/// The same CloudKit record name on several records, where the app keeps it.
final class RecordIDShared: GroupCheck {
    static let description = CheckDescription(
        "record-id-shared", .warning, "the same cloudKitRecordID on several records",
        explanation: [
            """
            In cloudKitRecordID the app keeps the name of a record in CloudKit. No two records can have the same one, \
            so all but one of these are wrong, and what the app looks up by this name may be of another meter.
            """,
            """
            This comes from records that were copied as a whole: by a restore, by a migration that recreated them, or \
            by hand. CloudKit's mirror does not read the attribute: it keeps these names in tables of its own, and \
            uploads are not affected.
            """,
            """
            If `duplicate-mac` reports the same rows, rebuild: one of them is left. Otherwise no command changes the \
            attribute, because only the app knows what it uses it for: show the store to the app's developers.
            """,
        ])

    @exclusivity(unchecked) private var names: SharedValues
    private let rebuild: String

    init(_ store: InspectedStore) {
        names = SharedValues(of: .cloudKitRecordID, in: store)
        rebuild = store.repair("rebuild")
    }

    func visit(_ row: RecordRow) { names.visit(row) }

    func sort() { names.sort() }

    func finish(_ store: InspectedStore, _ database: Database) throws { try names.finish(store, database) }

    var groups: [[Int64]] { names.shared.map(\.rows) }

    func finding(_ group: Int) -> Finding {
        let name = names.shared[group]
        let owner = name.ownerInCloud.map { "; in the mirror it is the name of row \($0)" } ?? ""
        return Self.description.finding(
            "the cloudKitRecordID \(name.value.shown) is on \(name.rows.count) records\(owner)",
            entity: SettingsTable.entityName, rows: name.rows,
            cure: name.isOfOneMeter
                ? rebuild : "show the store to the app's developers: only the app can change this attribute")
    }
}
