internal import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// What records are called, to be shown beside their addresses and row numbers.
extension InspectedStore {
    /// The name of each record, or, where it has none, of another record of its meter; nothing where no record of the meter
    /// has one. The addresses are known.
    /// - Throws: SQLite's errors.
    package func names(of rows: some Sequence<Int64>, _ database: Database) throws -> [Int64: String] {
        guard let settings, settings.layout.has(.meterName) else { return [:] }
        let wanted = Set(rows)
        guard !wanted.isEmpty else { return [:] }
        var names: [Int64: String] = [:]
        var nameless: [Int64: [Int64]] = [:]
        try settings.forEachRow(of: wanted.sorted(), database) { record in
            if let name = Self.name(of: record) {
                names[record.row] = name
            } else if case .usable(let address, _) = record.address {
                nameless[record.row] = Array(addresses.rows(of: address).prefix(Self.mostRecords))
            }
        }
        let others = Set(nameless.values.joined()).subtracting(wanted)
        var known = names
        try settings.forEachRow(of: others.sorted(), database) { known[$0.row] = Self.name(of: $0) }
        for (row, rows) in nameless { names[row] = rows.lazy.compactMap { known[$0] }.first }
        return names
    }

    /// Of the first findings of each check.
    /// - Parameter most: how many of each check; none with 0.
    /// - Throws: SQLite's errors.
    package func names(of findings: Findings, most: Int, _ database: Database) throws -> [Int64: String] {
        guard most > 0 else { return [:] }
        var rows: Set<Int64> = []
        for check in findings.checks {
            for finding in check.first(most) { rows.formUnion(finding.rows.prefix(Self.mostRecords)) }
        }
        return try names(of: rows, database)
    }

    /// Records of one meter that are asked for its name.
    private static let mostRecords = 20

    private static func name(of record: RecordRow) -> String? {
        guard !record.isEmpty(.meterName), let text = record.text(.meterName) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
