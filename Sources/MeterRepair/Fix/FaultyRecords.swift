internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The records that the checks of some cures find something about.
struct FaultyRecords {
    /// The rows of each cure, in ascending order.
    let rows: [Cure: [Int64]]
    /// The id for each record that gets another one, by row number.
    let identities: [Int64: FieldValue]
    /// These records, and all of the meters that have several; by row number.
    let records: [Int64: DeviceSettings]

    /// - Throws: SQLite's errors; `StoreError` of kind `interrupted`.
    init(of cures: [Cure], in store: InspectedStore, _ settings: SettingsTable, _ database: Database) throws {
        let ids = Set(cures.filter(\.isOfRecords).map(\.rawValue))
        let faulty = try store.rows(ofRecordChecks: ids, database)
        var rows: [Cure: [Int64]] = [:]
        for (id, found) in faulty.single where !found.isEmpty { Cure(rawValue: id).map { rows[$0] = found } }
        let sameID = (faulty.groups[Cure.idDuplicate.rawValue] ?? []).sorted { $0.lexicographicallyPrecedes($1) }
        if !sameID.isEmpty { rows[.idDuplicate] = Array(Set(sameID.joined())).sorted() }
        self.rows = rows
        let found = try settings.wholeRecords(of: Set(rows.values.joined()), in: store.description, database)
        var others: Set<Int64> = []
        for address in Set(found.values.compactMap(\.usableAddress)) {
            let all = store.addresses.rows(of: address)
            if all.count > 1 { others.formUnion(all.filter { found[$0] == nil }) }
        }
        records = found.merging(try settings.wholeRecords(of: others, in: store.description, database)) { $1 }
        let without = Self.inWinnersOrder(rows[.idMissing] ?? [], found)
        // The first of each group keeps its id.
        let sharing = sameID.flatMap { Self.inWinnersOrder($0, found).dropFirst() }
        identities = try Self.identities(for: without + sharing, settings, database)
    }

    private static func inWinnersOrder(_ rows: [Int64], _ records: [Int64: DeviceSettings]) -> [DeviceSettings] {
        rows.compactMap { records[$0] }.map { (key: WinnerKey($0, policy: .mostComplete), record: $0) }
            .sorted { $0.key < $1.key }.map(\.record)
    }

    /// An id for each of these records that no other record has.
    private static func identities(
        for records: [DeviceSettings], _ settings: SettingsTable, _ database: Database
    ) throws -> [Int64: FieldValue] {
        var pending: [(record: DeviceSettings, attempt: Int)] = records.map { ($0, 1) }
        var identities: [Int64: FieldValue] = [:]
        var given: Set<FieldValue> = []
        // One pass over the records; another one only where an earlier cure has made the same id.
        while !pending.isEmpty {
            var wanted: Set<FieldValue> = []
            let candidates = pending.compactMap { record, attempt -> (DeviceSettings, Int, FieldValue)? in
                for attempt in attempt...max(attempt, NewIdentity.most) {
                    let value = NewIdentity.value(for: record, attempt: attempt)
                    guard !given.contains(value), wanted.insert(value).inserted else { continue }
                    return (record, attempt, value)
                }
                return nil
            }
            var taken: Set<FieldValue> = []
            try settings.forEachRow(database) { row in
                let id = row[.id]
                if wanted.contains(id) { taken.insert(id) }
            }
            pending = []
            for (record, attempt, value) in candidates {
                if taken.contains(value) {
                    if attempt < NewIdentity.most { pending.append((record, attempt + 1)) }
                } else {
                    identities[record.row] = value
                    given.insert(value)
                }
            }
        }
        return identities
    }
}
