internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

extension Fingerprint {
    /// How the store's tables and schema differ from these.
    func drift(of store: InspectedStore, _ database: Database) throws -> Drift {
        var drift = Drift()
        let uuid = store.description.metadata.uuid
        if uuid != storeUUID { drift.identity = Drift.Identity(then: storeUUID, now: uuid) }
        let now = try Self.tables(of: store, database)
        for name in Set(tables.keys).union(now.keys).sorted() where tables[name] != now[name] {
            drift.tables.append(Drift.Table(name: name.text, then: tables[name]?.rows, now: now[name]?.rows))
        }
        let statements = try Self.statements(database)
        drift.statementsGone = Self.statements(of: self.statements, notIn: statements)
        drift.statementsNew = Self.statements(of: statements, notIn: self.statements)
        return drift
    }

    private static func statements(of some: [String], notIn others: [String]) -> [String] {
        let others = Set(others)
        return some.filter { !others.contains($0) }
    }
}

extension Drift {
    /// Whether no table, no statement and not the store's identity differs.
    var isEmptyButForRows: Bool {
        var drift = self
        drift.rows = []
        return drift.isEmpty
    }
}

extension PlanDocument {
    /// How the records that the plan is about differ from what they were.
    func rowDrift(of store: InspectedStore, _ settings: SettingsTable, _ database: Database) throws -> [Drift.Row] {
        let inserted = plan.changes.compactMap { change in
            if case .insert(let insertion) = change { insertion.row } else { nil }
        }
        let now = try settings.records(of: records.keys + inserted, database)
        var rows: [Drift.Row] = []
        for row in Set(records.keys).union(inserted).sorted() {
            guard let record = records[row] else {
                if now[row] != nil { rows.append(Drift.Row(row, .new)) }
                continue
            }
            guard let current = now[row] else {
                rows.append(Drift.Row(row, .gone))
                continue
            }
            for (field, value) in zip(record.layout.fields, record.values) {
                guard let position = settings.layout.position(named: field.name), current.values[position] != value
                else { continue }
                rows.append(Drift.Row(row, .field(field, then: value, now: current.values[position])))
            }
        }
        return rows
    }
}
