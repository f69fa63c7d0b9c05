internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel

extension Fingerprint {
    /// How the store's tables and schema differ from these.
    func staleness(of store: InspectedStore, _ database: Database) throws -> Staleness {
        var staleness = Staleness()
        let uuid = store.description.metadata.uuid
        if uuid != storeUUID { staleness.identity = Staleness.Identity(then: storeUUID, now: uuid) }
        let now = try Self.tables(of: store, database)
        for name in Set(tables.keys).union(now.keys).sorted() where tables[name] != now[name] {
            staleness.tables.append(Staleness.Table(name: name.text, then: tables[name]?.rows, now: now[name]?.rows))
        }
        let statements = try Self.statements(database)
        staleness.statementsGone = Self.statements(of: self.statements, notIn: statements)
        staleness.statementsNew = Self.statements(of: statements, notIn: self.statements)
        return staleness
    }

    private static func statements(of some: [String], notIn others: [String]) -> [String] {
        let others = Set(others)
        return some.filter { !others.contains($0) }
    }
}

extension Staleness {
    /// Whether no table, no statement and not the store's identity differs.
    var isEmptyButForRows: Bool {
        var staleness = self
        staleness.rows = []
        return staleness.isEmpty
    }
}

extension PlanDocument {
    /// How the records that the plan is about differ from what they were.
    /// - Parameters:
    ///   - now: the store's records, these at least; by row number.
    ///   - layout: of the store's records.
    func rowStaleness(of now: [Int64: DeviceSettings], in layout: RecordLayout) -> [Staleness.Row] {
        let inserted = plan.changes.compactMap { change in
            if case .insert(let insertion) = change { insertion.row } else { nil }
        }
        var rows: [Staleness.Row] = []
        for row in Set(records.keys).union(inserted).sorted() {
            guard let record = records[row] else {
                if now[row] != nil { rows.append(Staleness.Row(row, .new)) }
                continue
            }
            guard let current = now[row] else {
                rows.append(Staleness.Row(row, .gone))
                continue
            }
            for (field, value) in zip(record.layout.fields, record.values) {
                guard let position = layout.position(named: field.name), current.values[position] != value
                else { continue }
                rows.append(Staleness.Row(row, .field(field, then: value, now: current.values[position])))
            }
        }
        return rows
    }
}
