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

    /// What the app calls the meter of each of these records; of a record without a usable address, what it is called
    /// itself. Nothing where there is no name.
    /// - Throws: SQLite's errors.
    package func shownNames(of rows: some Sequence<Int64>, _ database: Database) throws -> [Int64: String] {
        guard let settings, settings.layout.has(.meterName) else { return [:] }
        var names: [Int64: String] = [:]
        var meters: [Int64: MACAddress] = [:]
        try settings.forEachRow(of: rows.sorted(), database) { record in
            if case .usable(let address, _) = record.address {
                meters[record.row] = address
            } else {
                names[record.row] = Self.name(of: record)
            }
        }
        let shown = try shownRecords(of: Set(meters.values), database)
        for (row, address) in meters { names[row] = shown[address]?.shownName }
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

extension DeviceSettings {
    /// The name of the meter where the app shows this record; nil where it has none.
    package var shownName: String? { isEmpty(.meterName) ? nil : self[.meterName].text }
}
