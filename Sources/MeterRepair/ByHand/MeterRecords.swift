internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// Plans changes of the records of one meter, which the command names.
package protocol MeterPlanner: Planner where Evidence == MeterRecords {
    var address: MACAddress { get }
}

extension MeterPlanner {
    package var options: [PlanOption] { [PlanOption(key: "mac", value: address.text(in: .upper))] }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> MeterRecords {
        try MeterRecords(of: address, in: store, settings, source.database)
    }
}

/// The records of the one meter that a command names, and plans that update them.
package struct MeterRecords {
    let address: MACAddress
    /// In the order of row numbers; at least one.
    let records: [DeviceSettings]
    let editor: RecordEditor
    private let summary: Summary
    /// How many records of the store CloudKit knows.
    private let mirrored: Int

    /// - Throws: `StoreError`, `unsuitable` where the store has no record of the meter.
    init(
        of address: MACAddress, in store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        let rows = store.addresses.rows(of: address)
        guard !rows.isEmpty else {
            throw try Refusal.noRecord(of: address, in: store, settings, database)
        }
        let found = try settings.wholeRecords(of: rows, in: store.description, database)
        self.address = address
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
                        fields: update.fields))
            }, conflicts: [], summary: summary,
            cloud: CloudCost(
                updates: updates.count { $0.record.cloudRecord != nil }, deletes: 0, recreateDeletes: mirrored,
                recreateInserts: mirrored == 0 ? 0 : summary.records))
        plan.notes = notes
        return plan
    }
}
