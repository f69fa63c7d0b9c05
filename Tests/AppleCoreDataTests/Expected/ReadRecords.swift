import CoreDataStore
import MeterModel
import MeterStore

/// The records of a store: by row number, the values by the names of their attributes.
struct ReadRecords: Equatable, Sendable {
    var records: [Int64: [String: FieldValue]]

    /// What meterfix reads at `path`.
    /// - Returns: nil where there is no `DeviceSettings`.
    init?(in path: String) throws {
        let records = try StoreConnection.look(at: path) { _, database -> [Int64: [String: FieldValue]]? in
            guard let settings = SettingsTable(try StoreDescription(database)) else { return nil }
            var records: [Int64: [String: FieldValue]] = [:]
            for record in try settings.records(database) {
                for (field, value) in zip(record.layout.fields, record.values) {
                    records[record.row, default: [:]][field.name] = value
                }
            }
            return records
        }
        guard let records else { return nil }
        self.records = records
    }

    init(_ records: [Int64: [String: FieldValue]]) { self.records = records }

    /// In what the records differ from `other`, a line each; empty where they are the same.
    func differences(from other: ReadRecords) -> [String] {
        var differences: [String] = []
        for row in Set(records.keys).union(other.records.keys).sorted() {
            guard let here = records[row], let there = other.records[row] else {
                differences.append("row \(row) is \(records[row] == nil ? "missing" : "new")")
                continue
            }
            for name in Set(here.keys).union(there.keys).sorted() where here[name] != there[name] {
                let values = [here[name], there[name]].map { $0.map { "\($0)" } ?? "no such attribute" }
                differences.append("row \(row), \(name): \(values[0]) instead of \(values[1])")
            }
        }
        return differences
    }
}
