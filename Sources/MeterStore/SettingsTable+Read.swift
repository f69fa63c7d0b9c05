package import CoreDataStore
package import GRDB
package import MeterModel
internal import Texts

extension SettingsTable {
    private var source: String {
        let filter = entityNumbers.map { " WHERE Z_ENT IN (\($0.sqlList))" } ?? ""
        return "FROM \(table.name.quotedIdentifier)\(filter)"
    }

    /// One pass over row numbers and addresses.
    /// - Parameter skipsRepeats: whether a row that SQLite gives a second time, of a damaged table, is left out.
    /// - Throws: SQLite's errors, its `SQLITE_CORRUPT` also where the rows do not ascend.
    package func addressIndex(skipsRepeats: Bool = false, _ database: Database) throws -> AddressIndex {
        var index = AddressIndex(expecting: try likelyCount(database))
        let column = Self.column(SettingsField.macAddress.rawValue).quotedIdentifier
        var last: Int64?
        try database.forEachRow("SELECT Z_PK, \(column) \(source) ORDER BY Z_PK") { row in
            if skipsRepeats, let last, row.integer(0) <= last { return }
            try ascend(to: row.integer(0), from: &last)
            index.add(row: row.integer(0), DeviceSettings.Address(row, 1))
            if index.records & 0x3FF == 0 { WorkProgress.advance(.records, by: 0x400) }
        }
        index.sort()
        return index
    }

    /// About how many records there are, without counting them: as many as got a row number, or as fit into the file.
    /// - Throws: SQLite's errors.
    package func likelyCount(_ database: Database) throws -> Int {
        // A record with an address and a date takes more than sixty-four bytes.
        let room = try database.integer(
            of: "SELECT page_count * page_size / 64 FROM pragma_page_count, pragma_page_size")
        return Int(max(0, min(room, entity.lastRow)))
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

    /// The case of the first hundred addresses.
    /// - Throws: SQLite's errors.
    package func likelyLetterCase(_ database: Database) throws -> LetterCase {
        var cases = LetterCaseCount()
        let column = Self.column(SettingsField.macAddress.rawValue).quotedIdentifier
        try database.forEachRow("SELECT \(column) \(source) ORDER BY Z_PK LIMIT 100") { row in
            if case .usable(_, let notation) = DeviceSettings.Address(row, 0) { cases.count(notation) }
        }
        return cases.letterCase
    }

    /// The numbers of the first records.
    /// - Throws: SQLite's errors.
    package func firstRows(_ count: Int, _ database: Database) throws -> [Int64] {
        try database.rows("SELECT Z_PK \(source) ORDER BY Z_PK LIMIT \(count)") { $0.integer(0) }
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

    /// The records in the order of row numbers.
    /// - Parameters:
    ///   - rows: the wanted ones, in ascending order; nil for every record. Missing rows are skipped.
    ///   - withAllColumns: whether the rows have `allColumns` instead of only those of the layout.
    /// - Throws: SQLite's errors, its `SQLITE_CORRUPT` also where the rows of the whole table do not ascend; what `body`
    ///   throws.
    package func forEachRow(
        of rows: [Int64]? = nil, withAllColumns: Bool = false, cloudRecords: CloudRecords = CloudRecords(),
        _ database: Database, _ body: (RecordRow) throws -> Void
    ) throws {
        let record = RecordRow(layout, cloudRecords)
        func next(_ values: SQLiteRow) -> RecordRow {
            record.move(to: values)
            if record.moves & 0x3FF == 0 { WorkProgress.advance(.records, by: 0x400) }
            return record
        }
        let columns = withAllColumns ? allColumns : self.columns
        if let rows {
            return try database.forEachRow(numbered: rows, in: table.name, columns: columns) {
                try body(next($0))
            }
        }
        let selection = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
        var last: Int64?
        try database.forEachRow("SELECT \(selection) \(source) ORDER BY Z_PK") { row in
            try ascend(to: row.integer(0), from: &last)
            try body(next(row))
        }
    }

    /// A row that comes twice would count as two records of a meter.
    private func ascend(to row: Int64, from last: inout Int64?) throws {
        if let last, row <= last {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "row \(row) of \(table.name) comes after row \(last): a page is in the table twice, or in the "
                    + "place of another")
        }
        last = row
    }

    /// The records in `rows` with all values, by row number; missing rows are skipped.
    /// - Throws: SQLite's errors.
    package func records(
        of rows: some Sequence<Int64>, cloudRecords: CloudRecords = CloudRecords(), _ database: Database
    ) throws -> [Int64: DeviceSettings] {
        var records: [Int64: DeviceSettings] = [:]
        try forEachRow(of: Set(rows).sorted(), cloudRecords: cloudRecords, database) {
            records[$0.row] = $0.record
        }
        return records
    }

    /// The records in `rows` with all values and with what CloudKit knows of them, by row number; missing rows are
    /// skipped.
    /// - Throws: SQLite's errors.
    package func wholeRecords(
        of rows: some Collection<Int64>, in store: StoreDescription, _ database: Database
    ) throws -> [Int64: DeviceSettings] {
        guard !rows.isEmpty else { return [:] }
        return try records(of: rows, cloudRecords: cloudRecords(of: rows, store.mirror, database), database)
    }

    /// The records of groups of rows, each with the number of its group. They are read in the order of row numbers,
    /// which is the order in the file.
    /// - Throws: SQLite's errors, and what `body` throws.
    package func forEachRow(
        ofGroups groups: [[Int64]], cloudRecords: CloudRecords = CloudRecords(), _ database: Database,
        _ body: (Int, RecordRow) throws -> Void
    ) throws {
        var places: [(row: Int64, group: Int)] = []
        for (group, rows) in groups.enumerated() { for row in rows { places.append((row, group)) } }
        places.sort { $0.row < $1.row }
        var next = places.startIndex
        try forEachRow(of: places.map(\.row), cloudRecords: cloudRecords, database) { found in
            while places[next].row != found.row { next += 1 }
            try body(places[next].group, found)
        }
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

extension SettingsTable {
    /// The rows in which the user left something in `field`; none if the store lacks the attribute.
    /// - Throws: SQLite's errors.
    package func rows(withoutEmpty field: SettingsField, _ database: Database) throws -> Set<Int64> {
        guard let position = layout.position(of: field) else { return [] }
        let column = columns[position].quotedIdentifier
        var rows: Set<Int64> = []
        try database.forEachRow("SELECT Z_PK, \(column) \(source)") { row in
            if !FieldValue(row, 1).isEmpty { rows.insert(row.integer(0)) }
        }
        return rows
    }

    /// Which of some values records have in `field`; none if the store lacks the attribute.
    /// - Throws: SQLite's errors.
    package func values(
        of field: SettingsField, among wanted: Set<FieldValue>, _ database: Database
    ) throws -> Set<FieldValue> {
        guard !wanted.isEmpty, let position = layout.position(of: field) else { return [] }
        var found: Set<FieldValue> = []
        try database.forEachRow("SELECT \(columns[position].quotedIdentifier) \(source)") { row in
            let value = FieldValue(row, 0)
            if wanted.contains(value) { found.insert(value) }
        }
        return found
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

extension DeviceSettings {
    /// A record of these values, its lock and discovery read from them.
    package init(row: Int64, layout: RecordLayout, readingBlobsOf values: [FieldValue], cloudRecord: CloudRecord?) {
        func value(_ field: SettingsField) -> FieldValue { layout.position(of: field).map { values[$0] } ?? .null }
        self.init(
            row: row, layout: layout, values: values, cloudRecord: cloudRecord,
            lockBlob: MetadataBlob.lock(value(.connectionMetadata)),
            discoveryBlob: MetadataBlob.discovery(value(.discoveryMetadata)))
    }
}
