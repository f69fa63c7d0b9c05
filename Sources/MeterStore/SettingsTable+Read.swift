package import CoreDataStore
package import GRDB
package import MeterModel

extension SettingsTable {
    private var source: String {
        let filter = entityNumbers.map { " WHERE Z_ENT IN (\($0.map(String.init).joined(separator: ", ")))" } ?? ""
        return "FROM \(table.name.quotedIdentifier)\(filter)"
    }

    /// One pass over row numbers and addresses.
    package func addressIndex(_ database: Database) throws -> AddressIndex {
        var index = AddressIndex()
        let column = Self.column(SettingsField.macAddress.rawValue).quotedIdentifier
        try database.forEachRow("SELECT Z_PK, \(column) \(source) ORDER BY Z_PK") { row in
            index.add(row: row.integer(0), text: row.storageClass(1) == .text ? row.bytes(1) : nil)
        }
        index.sort()
        return index
    }

    /// The row number a new record gets: never one that was handed out before. Nil where there is none left.
    package func nextRow(_ database: Database) throws -> Int64? {
        var largest = entity.lastRow
        try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table.name.quotedIdentifier)") { row in
            largest = max(largest, row.integer(0))
        }
        return largest < .max ? largest + 1 : nil
    }

    /// What the mirror knows of the records: all of them, or those of `rows`.
    package func cloudRecords(
        of rows: Set<Int64>? = nil, _ mirror: CloudKitMirror?, _ database: Database
    ) throws -> CloudRecords {
        var records = CloudRecords()
        let numbers = Set(entityNumbers ?? [entity.number])
        try mirror?.forEachRecord(database) { metadata in
            guard numbers.contains(metadata.entityNumber) else { return }
            guard rows?.contains(metadata.row) ?? true else { return }
            records.add(metadata.recordName, to: metadata.row)
        }
        return records
    }

    /// How many records the mirror knows.
    package func mirroredRecords(_ mirror: CloudKitMirror?, _ database: Database) throws -> Int {
        let numbers = entityNumbers ?? [entity.number]
        return try mirror?.count(ofEntities: numbers, presentIn: table.name, database) ?? 0
    }

    /// Every record, in the order of row numbers.
    package func forEachRecord(
        cloudRecords: CloudRecords, _ database: Database, _ body: (DeviceSettings) throws -> Void
    ) throws {
        try database.forEachRow("SELECT \(selection) \(source) ORDER BY Z_PK") { row in
            try body(record(row, cloudRecords))
        }
    }

    /// The records of `rows`, in ascending order; a row that is not there is left out.
    package func forEachRecord(
        of rows: [Int64], cloudRecords: CloudRecords, _ database: Database, _ body: (DeviceSettings) throws -> Void
    ) throws {
        let statement = try PreparedStatement(
            database, "SELECT \(selection) FROM \(table.name.quotedIdentifier) WHERE Z_PK = ?")
        for row in rows.sorted() {
            try statement.forEachRow([.integer(row)]) { try body(record($0, cloudRecords)) }
        }
    }

    /// The records of `rows`, by row number; a row that is not there is left out.
    package func records(
        of rows: [Int64], cloudRecords: CloudRecords, _ database: Database
    ) throws -> [Int64: DeviceSettings] {
        var records: [Int64: DeviceSettings] = [:]
        records.reserveCapacity(rows.count)
        try forEachRecord(of: rows, cloudRecords: cloudRecords, database) { records[$0.row] = $0 }
        return records
    }

    private var selection: String { (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ") }

    private func record(_ row: SQLiteRow, _ cloudRecords: CloudRecords) -> DeviceSettings {
        let values = layout.fields.indices.map { FieldValue(row, $0 + 1) }
        func value(_ field: SettingsField) -> FieldValue { layout.position(of: field).map { values[$0] } ?? .null }
        let number = row.integer(0)
        return DeviceSettings(
            row: number, layout: layout, values: values, cloudRecord: cloudRecords[number],
            lockBlob: MetadataBlob.lock(value(.connectionMetadata)),
            discoveryBlob: MetadataBlob.discovery(value(.discoveryMetadata)))
    }
}

/// The CloudKit records of a store's records, by row number.
package struct CloudRecords: Sendable {
    private var records: [Int64: DeviceSettings.CloudRecord] = [:]

    package init() {}

    package subscript(row: Int64) -> DeviceSettings.CloudRecord? { records[row] }

    /// Two rows of one record are damage; the smallest name counts, on every device the same.
    fileprivate mutating func add(_ name: String?, to row: Int64) {
        guard let known = records[row]?.name else {
            records[row] = DeviceSettings.CloudRecord(name: name)
            return
        }
        if let name, name.utf8.lexicographicallyPrecedes(known.utf8) {
            records[row] = DeviceSettings.CloudRecord(name: name)
        }
    }
}
