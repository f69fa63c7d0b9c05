internal import CoreDataStore
internal import GRDB
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// Which records a command changes by hand.
package enum NamedRecords: Hashable, Sendable {
    /// All of a meter.
    case meter(MACAddress)
    /// The one in this row, `Z_PK`; with a usable address, all of its meter.
    case row(Int64)

    /// For the file of a plan.
    var option: PlanOption {
        switch self {
        case .meter(let address): PlanOption(key: "mac", value: address.text(in: .upper))
        case .row(let row): PlanOption(key: "row", value: "\(row)")
        }
    }
}

/// The records that a command names, and plans that update them.
package struct MeterRecords {
    /// Nil for a record without a usable one.
    let address: MACAddress?
    /// In the order of row numbers; at least one.
    let records: [DeviceSettings]
    let editor: RecordEditor
    private let summary: Summary
    /// How many records of the store CloudKit knows.
    private let mirrored: Int

    /// - Throws: `StoreError`, `unsuitable` where the store has no such record.
    init(
        of named: NamedRecords, in store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        switch named {
        case .meter(let address): self.address = address
        case .row(let row):
            guard let record = try settings.records(of: [row], database)[row] else {
                throw Refusal.noRecord(row: row, in: store)
            }
            address = record.usableAddress
        }
        var rows = address.map(store.addresses.rows) ?? []
        if address == nil, case .row(let row) = named { rows = [row] }
        if rows.isEmpty, let address { throw try Refusal.noRecord(of: address, in: store, settings, database) }
        let found = try settings.wholeRecords(of: rows, in: store.description, database)
        records = rows.compactMap { found[$0] }
        editor = RecordEditor(layout: settings.layout, now: store.now)
        summary = Summary(
            records: store.addresses.records, groups: store.addresses.groups)
        mirrored = try settings.mirroredRecords(store.description.mirror, database)
    }

    /// - Parameter updates: records of the meter, each with at least one change.
    func plan(
        updating updates: [(record: DeviceSettings, fields: [FieldChange])], notes: [String] = []
    ) -> Plan {
        var summary = summary
        summary.updated = updates.count
        var plan = Plan(
            changes: updates.map { update in
                .update(
                    RecordUpdate(
                        row: update.record.row, address: address, cloudRecord: update.record.cloudRecord?.name,
                        layout: update.record.layout, fields: update.fields))
            }, conflicts: [], summary: summary,
            cloud: CloudCost(
                updates: updates.count { $0.record.cloudRecord != nil }, deletes: 0, recreateDeletes: mirrored,
                recreateInserts: mirrored == 0 ? 0 : summary.records))
        plan.notes = notes
        return plan
    }
}
