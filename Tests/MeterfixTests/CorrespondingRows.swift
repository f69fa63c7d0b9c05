import Foundation
import GRDB
import MeterTestSupport

/// Every table of a store, cell by cell.
struct StoreCells {
    struct Cell {
        /// As `typeof` says it.
        let type: String
        let value: DatabaseValue
        let bytes: [UInt8]
    }

    /// In the order of row numbers, where a table has them, each beginning with the row number.
    let tables: [String: [[String: Cell]]]
    /// Those without row numbers are in the order of their texts.
    let unordered: Set<String>
    /// The declared type of each column.
    let types: [String: [String: String]]
    let schema: [String]
}

extension StoreCells {
    init(of path: String) throws {
        self = try StoreText.read(path) { database in
            var tables: [String: [[String: Cell]]] = [:]
            var types: [String: [String: String]] = [:]
            var unordered: Set<String> = []
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                let quoted: String = "\"\(table.replacing("\"", with: "\"\""))\""
                let columns = try Row.fetchAll(
                    database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table])
                types[table] = Dictionary(
                    uniqueKeysWithValues: columns.map { ($0[0] as String, ($0[1] as String?) ?? "") })
                guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted))") == true else {
                    tables[table] = []
                    unordered.insert(table)
                    continue
                }
                let names = columns.map { $0[0] as String }
                let list = names.map { (name: String) -> String in
                    let quoted: String = "\"\(name.replacing("\"", with: "\"\""))\""
                    return "typeof(\(quoted)), \(quoted), CAST(\(quoted) AS BLOB)"
                }.joined(separator: ", ")
                let order = (try? Row.fetchOne(database, sql: "SELECT rowid FROM \(quoted) LIMIT 1")) != nil
                if !order { unordered.insert(table) }
                let rows = try Row.fetchAll(
                    database, sql: "SELECT \(list) FROM \(quoted)" + (order ? " ORDER BY rowid" : ""))
                tables[table] = rows.map { row in
                    Dictionary(
                        uniqueKeysWithValues: names.enumerated().map { index, name in
                            let value: DatabaseValue = row[3 * index + 1]
                            let bytes = [UInt8]((row[3 * index + 2] as Data?) ?? Data())
                            return (name, Cell(type: row[3 * index], value: value, bytes: bytes))
                        })
                }
            }
            return StoreCells(
                tables: tables, unordered: unordered, types: types,
                schema: try String.fetchAll(
                    database, sql: "SELECT type || name || tbl_name || ifnull(sql, '') FROM sqlite_master ORDER BY 1"))
        }
    }
}

extension Correspondence {
    /// Compares the rows of two stores: as many, with the same numbers, dates that moved by one span, and texts and ids
    /// that correspond.
    mutating func compareRows(_ originalPath: String, _ copyPath: String) throws {
        let original = try StoreCells(of: originalPath)
        let copy = try StoreCells(of: copyPath)
        // SQLite's statistics are of the values, and it makes them itself.
        // What somebody wrote into a statement goes; the names that Core Data quotes in its triggers stay.
        let schemas = [original, copy].map { cells in
            Set(
                cells.schema.filter { !$0.contains("sqlite_stat") }.map { statement in
                    let text = SchemaText(statement)
                    let names = text.literals.filter { $0.allSatisfy { $0.isLetter || $0 == "_" } }
                    return (text.code + names).joined(separator: " ").split(whereSeparator: \.isWhitespace)
                        .joined(separator: " ").replacing(" ,", with: ",").replacing(/\b[0-9]+\./, with: "0.")
                })
        }
        let differing = schemas[0].symmetricDifference(schemas[1])
        if !differing.isEmpty { contradict("the schema", "\(differing.sorted().prefix(4))") }
        for (table, rows) in original.tables.sorted(by: { $0.key < $1.key }) where table != "Z_METADATA" {
            if table.hasPrefix("sqlite_stat") { continue }
            guard let others = copy.tables[table] else { continue }
            guard rows.count == others.count else {
                contradict(table, "\(rows.count) rows, of the copy \(others.count)")
                continue
            }
            guard rows.count <= 1 || !original.unordered.contains(table) else { continue }
            for (index, pair) in zip(rows, others).enumerated() {
                for column in pair.0.keys.sorted() {
                    guard let before = pair.0[column], let after = pair.1[column] else { continue }
                    let type = original.types[table]?[column] ?? ""
                    // Core Data has an index for what refers to another row.
                    if original.schema.contains(where: { $0.hasPrefix("index\(table)_\(column)_INDEX") }),
                        before.value != after.value
                    {
                        contradict("\(table).\(column) of row \(index + 1)", "refers to another row")
                    }
                    compare(
                        before, after, table: table, column: column, type: type,
                        at: "\(table).\(column) of row \(index + 1)")
                }
            }
        }
    }

    private mutating func compare(
        _ original: StoreCells.Cell, _ copy: StoreCells.Cell, table: String, column: String, type: String,
        at place: String
    ) {
        let isDate = type == "TIMESTAMP" || column == "ZTIMESTAMP"
        // A date that is whole is stored as an integer.
        let isNumber = { (cell: StoreCells.Cell) in ["integer", "real"].contains(cell.type) }
        if isDate, isNumber(original), isNumber(copy), let before = Double.fromDatabaseValue(original.value),
            let after = Double.fromDatabaseValue(copy.value)
        {
            return compareDates(before, after, at: place)
        }
        guard original.type == copy.type else { return contradict(place, "\(original.type) became \(copy.type)") }
        switch original.type {
        case "text":
            guard let before = String.fromDatabaseValue(original.value),
                let after = String.fromDatabaseValue(copy.value)
            else { return }
            if let kind = Self.metadata[column] { return compareMetadata(before, after, kind: kind, at: place) }
            pair(Self.columns[column] ?? "\(table).\(column)", before, after, at: place)
        case "blob":
            if Self.metadata[column] != nil {
                let texts = [original, copy].map { String(decoding: $0.bytes, as: UTF8.self) }
                return compareMetadata(texts[0], texts[1], kind: Self.metadata[column] ?? "", at: place)
            }
            // Any sixteen bytes can be an id, which another table refers to.
            if column == "ZID" || original.bytes.count == 16 {
                guard copy.bytes.count == original.bytes.count else {
                    return contradict(place, "\(original.bytes.count) bytes became \(copy.bytes.count)")
                }
                let ids = [original, copy].map { NSUUIDText.of($0.bytes) }
                return pair("id", ids[0], ids[1], at: place)
            }
            if ["Z_CONTENT", "ZCOLUMNS"].contains(column), original.bytes != copy.bytes {
                // Another compression of the same model is as good.
                // Bits that say nothing to anybody are all set.
                let isUnknown = copy.bytes.count == original.bytes.count && copy.bytes.allSatisfy { $0 == 0xFF }
                if column == "ZCOLUMNS", !isUnknown { contradict(place, "other bits") }
            }
        default:
            guard original.value != copy.value || isOfApp(table, column) else { return }
            // What another attribute counts or measures can tell a person as well.
            if isOfApp(table, column) {
                return pair("\(table).\(column)", "\(original.value)", "\(copy.value)", at: place)
            }
            contradict(place, "\(original.value) became \(copy.value)")
        }
    }

    /// Whether a column is none of Core Data's own, and none that says which row belongs to which.
    private func isOfApp(_ table: String, _ column: String) -> Bool {
        !["A", "Z_"].contains { table.hasPrefix($0) } && !table.contains("NSCK") && !column.hasPrefix("Z_")
    }

    private static let metadata = [
        "ZCONNECTIONMETADATA": "connectionMetadata", "ZDISCOVERYMETADATA": "discoveryMetadata",
    ]

    /// The kinds of text that a document of meterfix has as well.
    private static let columns = [
        "ZMACADDRESS": "address", "ZMETERNAME": "name", "ZTC66TEMPERATUREUNIT": "unit", "ZMODELTYPE": "model type",
        "ZCONNECTEDBYDEVICENAME": "device", "ZLASTSEENBYDEVICENAME": "device", "ZCONNECTEDBYDEVICEID": "device",
        "ZLASTSEENBYDEVICEID": "device", "ZCLOUDKITRECORDID": "record", "ZCKRECORDNAME": "record", "Z_UUID": "store",
    ]
}

private enum NSUUIDText {
    static func of(_ bytes: [UInt8]) -> String {
        let hex = bytes.map { String(format: "%02X", $0) }
        guard hex.count == 16 else { return hex.joined() }
        return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }.joined(
            separator: "-")
    }
}
