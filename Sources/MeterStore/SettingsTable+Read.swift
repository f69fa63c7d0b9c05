package import CoreDataStore
package import GRDB
package import MeterModel
internal import Texts

extension SettingsTable {
    private var source: String {
        let filter = entityNumbers.map { " WHERE Z_ENT IN (\($0.sqlList))" } ?? ""
        return "FROM \(table.name.quotedIdentifier)\(filter)"
    }

    /// All records, in the order of row numbers.
    /// - Throws: SQLite's errors, its `SQLITE_CORRUPT` also where the rows do not ascend.
    package func records(_ database: Database) throws -> [DeviceSettings] {
        let selection = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
        var records: [DeviceSettings] = []
        var texts = KnownTexts()
        try database.forEachRow("SELECT \(selection) \(source) ORDER BY Z_PK") { row in
            // A row that comes twice would count as two records of a meter.
            if let last = records.last?.row, row.integer(0) <= last {
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT,
                    message: "row \(row.integer(0)) of \(table.name) comes after row \(last): a page is in the table "
                        + "twice, or in the place of another")
            }
            records.append(record(row, &texts))
            if records.count & 0x3FF == 0 { WorkProgress.advance(.records, by: 0x400) }
        }
        return records
    }

    /// The records in `rows`, by row number; missing rows are skipped.
    /// - Throws: SQLite's errors.
    package func records(of rows: some Sequence<Int64>, _ database: Database) throws -> [Int64: DeviceSettings] {
        var records: [Int64: DeviceSettings] = [:]
        var texts = KnownTexts()
        try database.forEachRow(numbered: Set(rows).sorted(), in: table.name, columns: columns) {
            records[$0.integer(0)] = record($0, &texts)
        }
        return records
    }

    /// - Parameter row: `Z_PK`, and then a column for each field of the layout.
    private func record(_ row: SQLiteRow, _ texts: inout KnownTexts) -> DeviceSettings {
        DeviceSettings(
            row: row.integer(0), layout: layout, readingBlobsOf: columns.indices.map { texts.value(of: row, $0 + 1) })
    }

    /// Records with their addresses alone, of a table whose other values cannot be read. A row that a damaged table has a
    /// second time is left out.
    /// - Throws: SQLite's errors.
    package func addressesAlone(_ database: Database) throws -> [DeviceSettings] {
        let column = Self.column(SettingsField.macAddress.rawValue).quotedIdentifier
        let layout = RecordLayout(fields: layout.fields.filter { $0.known == .macAddress })
        var records: [DeviceSettings] = []
        try database.forEachRow("SELECT Z_PK, \(column) \(source) ORDER BY Z_PK") { row in
            if let last = records.last?.row, row.integer(0) <= last { return }
            records.append(DeviceSettings(row: row.integer(0), layout: layout, values: [FieldValue(row, 1)]))
        }
        return records
    }

    /// About how many records there are, without counting them: as many as got a row number, or as fit into the files.
    /// - Parameter size: of the store's files, in bytes.
    package func likelyCount(inBytes size: Int) -> Int {
        // A record with an address and a date takes more than sixty-four bytes.
        Int(max(0, min(Int64(size / 64), entity.lastRow)))
    }

    /// How many records there are, and the latest `updatedAt`, without looking at a record.
    /// - Throws: SQLite's errors.
    package func overview(_ database: Database) throws -> (records: Int, newest: Timestamp?) {
        let column = Self.column(SettingsField.updatedAt.rawValue)
        let newest =
            table.has(column)
            ? "MAX(CASE WHEN typeof(\(column.quotedIdentifier)) <> 'text' THEN \(column.quotedIdentifier) END)" : "NULL"
        var overview: (records: Int, newest: Timestamp?) = (0, nil)
        try database.forEachRow("SELECT COUNT(*), \(newest) \(source)") { row in
            let isDate = row.storageClass(1) == .real || row.storageClass(1) == .integer
            overview = (Int(row.integer(0)), isDate ? Timestamp(secondsSince2001: row.real(1)) : nil)
        }
        return overview
    }

    /// The row number for a new record: never one that was given out before. Nil if there is none left.
    /// - Throws: SQLite's errors.
    package func nextRow(_ database: Database) throws -> Int64? {
        let inTable = try database.integer(of: "SELECT MAX(Z_PK) FROM \(table.name.quotedIdentifier)")
        let largest = max(0, entity.lastRow, inTable)
        return largest < .max ? largest + 1 : nil
    }

    /// What the mirror knows about the records in `rows`.
    /// - Throws: SQLite's errors.
    package func cloudRecords(
        of rows: some Sequence<Int64>, _ mirror: CloudKitMirror?, _ database: Database
    ) throws -> CloudRecords {
        var records = CloudRecords()
        guard let mirror else { return records }
        // If the mirror knows nothing yet, a million rows need not be looked up.
        lazy var rows = Set(rows)
        let numbers = Set(self.numbers)
        try mirror.forEachRecord(database) { metadata in
            guard numbers.contains(metadata.entityNumber), rows.contains(metadata.row) else { return }
            records.add(metadata)
        }
        return records
    }

    /// How many records the mirror knows.
    /// - Throws: SQLite's errors.
    package func mirroredRecords(_ mirror: CloudKitMirror?, _ database: Database) throws -> Int {
        try mirror?.count(ofEntities: numbers, presentIn: table.name, database) ?? 0
    }

    /// The rows with this value in `field`, in ascending order.
    /// - Throws: SQLite's errors.
    package func rows(with value: FieldValue, in field: SettingsField, _ database: Database) throws -> [Int64] {
        guard let position = layout.position(of: field) else { return [] }
        return try database.rows(
            """
            SELECT Z_PK FROM \(table.name.quotedIdentifier) WHERE \(columns[position].quotedIdentifier) = ? \
            ORDER BY Z_PK
            """, [value.binding]
        ) { $0.integer(0) }
    }
}

/// Texts that were read: the records of a customer name the same few devices, and share their texts.
private struct KnownTexts {
    /// In the places that their first and last bytes name; a later text takes the place of an earlier one.
    private var texts = [String](repeating: "", count: 1 << bits)
    private var keys = [UInt64](repeating: 0, count: 1 << bits)

    private static let bits = 5

    mutating func value(of row: SQLiteRow, _ column: Int) -> FieldValue {
        let read = row[column]
        // Swift keeps a text of fifteen bytes in its place; there is nothing to share.
        guard case .text(let bytes) = read, bytes.count > 15 else { return FieldValue(read) }
        let raw = UnsafeRawBufferPointer(bytes)
        let (first, last) = (
            raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
            raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
        )
        let key = first &* 31 &+ last &+ UInt64(raw.count)
        let place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - Self.bits))
        if keys[place] == key, SQLiteRow.isEqual(bytes, texts[place]) { return .text(texts[place]) }
        let value = FieldValue(read)
        if case .text(let text) = value { (keys[place], texts[place]) = (key, text) }
        return value
    }
}

/// The CloudKit records of a store's records, by row number.
package struct CloudRecords: Sendable {
    private var names: [Int64: String?] = [:]
    /// Of few records.
    private var aboutToBeDeleted: Set<Int64> = []
    private var owners: [Int64: String] = [:]

    package init() {}

    package subscript(row: Int64) -> DeviceSettings.CloudRecord? {
        guard let name = names[row] else { return nil }
        var record = DeviceSettings.CloudRecord(name: name)
        record.isAboutToBeDeleted = aboutToBeDeleted.contains(row)
        record.sharedBy = owners[row]
        return record
    }

    /// The same records, each with what is known of it.
    package func added(to records: [DeviceSettings]) -> [DeviceSettings] {
        records.map { $0.with(self[$0.row]) }
    }

    /// For a record whose metadata does not say it, although it will be gone.
    package mutating func setAboutToBeDeleted(_ row: Int64) { aboutToBeDeleted.insert(row) }

    /// Two rows for one record are damage; the smallest name counts, the same on every device.
    fileprivate mutating func add(_ metadata: CloudKitMirror.RecordMetadata) {
        let row = metadata.row
        if metadata.isAboutToBeDeleted { aboutToBeDeleted.insert(row) }
        if let owner = metadata.zoneOwner { owners[row] = owner }
        guard case let known?? = names[row] else {
            names[row] = .some(metadata.recordName)
            return
        }
        if let name = metadata.recordName, name.isBefore(bytesOf: known) { names[row] = name }
    }
}

extension DeviceSettings {
    /// A record of these values, its lock and discovery read from them.
    package convenience init(
        row: Int64, layout: RecordLayout, readingBlobsOf values: [FieldValue], cloudRecord: CloudRecord? = nil
    ) {
        func value(_ field: SettingsField) -> FieldValue { layout.value(of: field, in: values) }
        self.init(
            row: row, layout: layout, values: values, cloudRecord: cloudRecord,
            lockBlob: MetadataBlob.lock(value(.connectionMetadata)),
            discoveryBlob: MetadataBlob.discovery(value(.discoveryMetadata)))
    }
}

extension DeviceSettings {
    /// The record after these changes.
    package func with(_ changes: [FieldChange]) -> DeviceSettings {
        var values = Array(self.values)
        for change in changes { layout.position(of: change.field).map { values[$0] = change.after } }
        return DeviceSettings(row: row, layout: layout, readingBlobsOf: values, cloudRecord: cloudRecord)
    }
}
