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

extension PlanDocument {
    /// The records that the plan is about, as they were before it; nil for one that it makes. By row number.
    private var recordsBefore: [Int64: DeviceSettings?] {
        var records: [Int64: DeviceSettings?] = [:]
        for line in lines {
            switch line {
            case .record(let record): records[record.row] = record
            case .change(.insert(let insertion)): records[insertion.row] = .some(nil)
            case .entry, .change, .deletion, .conflict, .reject: break
            }
        }
        return records
    }

    /// Their row numbers.
    var rows: Set<Int64> { Set(recordsBefore.keys) }

    /// How the records that the plan is about differ from what they were.
    /// - Parameters:
    ///   - now: the store's records, these at least; by row number.
    ///   - layout: of the store's records.
    func rowStaleness(of now: [Int64: DeviceSettings], in layout: RecordLayout) -> [Staleness.Row] {
        var rows: [Staleness.Row] = []
        for (row, record) in recordsBefore.sorted(by: { $0.key < $1.key }) {
            guard let record else {
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
