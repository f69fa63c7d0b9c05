import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport

/// A store table by table, for a comparison of two that different programs made: every table with its columns and rows,
/// every index and trigger, the metadata and the model. The order of columns and rows does not count, nor does the way
/// in which a property list or an archive is laid out in bytes.
struct StoreContents: Sendable {
    /// What may differ between two stores that say the same.
    enum Tolerance: CaseIterable, Hashable, Sendable {
        /// `NSPersistenceFrameworkVersion`: the version of Core Data that wrote the store last.
        case frameworkVersion
        /// `Z_METADATA.Z_UUID`: each new store has one of its own.
        case storeUUID
        /// Keys of the metadata that only one of the two stores has: other versions of Core Data write other ones. A key
        /// that both have must have one value.
        case otherMetadataKeys
        /// `NSStoreModelVersionIdentifiers`, in the metadata and in the model: what the model's author calls a version.
        /// meterfix knows no name of the version that it migrates to, and leaves the one that is there.
        case versionIdentifiers
        /// The text of `CREATE` statements: SQLite puts names in quotes when a table gets another name, as it does in the
        /// middle of a lightweight migration. Columns, types and indexed columns count all the same.
        case statementText
        /// Numbers of the entities of history in `Z_PRIMARYKEY` where none was handed out: seen in real stores both there
        /// and not there before the first transaction.
        case unusedHistoryNumbers
    }

    struct Table: Equatable, Sendable {
        /// The declared type of each column.
        var columns: [String: String]
        /// By the number of the row.
        var rows: [Int64: [String: FixtureValue]]
        /// The statement that made it.
        var statement: String
    }

    struct Index: Equatable, Sendable {
        var table: String
        var columns: [String]
        var isUnique: Bool
        var statement: String
    }

    var tables: [String: Table] = [:]
    var indexes: [String: Index] = [:]
    /// Statements.
    var triggers: [String: String] = [:]
    var uuid: String?
    var metadata: [String: PropertyList]
    /// `inOrder`.
    var model: ManagedObjectModel?

    /// Reads a copy; the folder of `path` stays as it is.
    init(of path: String) throws { self = try StoreText.read(path) { try StoreContents($0) } }

    private init(_ database: Database) throws {
        let description = try StoreDescription(database)
        uuid = description.metadata.uuid
        metadata = description.metadata.dictionary ?? [:]
        model = description.storedModel.model?.inOrder
        let master = try Row.fetchAll(
            database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql NOT NULL")
        for row in master {
            let (name, statement): (String, String) = (row["name"], row["sql"])
            switch row["type"] as String {
            case "table": tables[name] = try Self.table(name, statement, database)
            case "index":
                indexes[name] = Index(
                    table: row["tbl_name"],
                    columns: try String.fetchAll(
                        database, sql: "SELECT COALESCE(name, '') FROM pragma_index_info(?) ORDER BY seqno",
                        arguments: [name]),
                    isUnique: statement.hasPrefix("CREATE UNIQUE"), statement: statement)
            default: triggers[name] = statement
            }
        }
    }

    private static func table(_ name: String, _ statement: String, _ database: Database) throws -> Table {
        var table = Table(columns: [:], rows: [:], statement: statement)
        for row in try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [name]) {
            table.columns[row[0]] = row[1]
        }
        for row in try Row.fetchAll(database, sql: "SELECT rowid, * FROM \"\(name)\"") {
            // The metadata and the model are compared as what they say.
            let values = row.dropFirst().filter { !["Z_UUID", "Z_PLIST", "Z_CONTENT"].contains($0.0) }
                .map { ($0.0, FixtureValue.fromDatabaseValue($0.1) ?? .null) }
            table.rows[row[0]] = Dictionary(values) { first, _ in first }
        }
        return table
    }
}

extension StoreContents {
    /// In what the store differs from `other`, a line each; empty where they say the same.
    func differences(from other: StoreContents, tolerating tolerances: Set<Tolerance>) -> [String] {
        var here = self
        var there = other
        for tolerance in tolerances {
            switch tolerance {
            case .frameworkVersion:
                here.metadata["NSPersistenceFrameworkVersion"] = nil
                there.metadata["NSPersistenceFrameworkVersion"] = nil
            case .storeUUID:
                here.uuid = nil
                there.uuid = nil
            case .otherMetadataKeys:
                here.metadata = here.metadata.filter { there.metadata[$0.key] != nil }
                there.metadata = there.metadata.filter { here.metadata[$0.key] != nil }
            case .versionIdentifiers:
                here.forgetVersionIdentifiers()
                there.forgetVersionIdentifiers()
            case .statementText:
                here.forgetStatements()
                there.forgetStatements()
            case .unusedHistoryNumbers:
                here.forgetUnusedHistoryNumbers()
                there.forgetUnusedHistoryNumbers()
            }
        }
        return here.differences(from: there)
    }

    private mutating func forgetVersionIdentifiers() {
        metadata["NSStoreModelVersionIdentifiers"] = nil
        model?.versionIdentifiers = []
    }

    private mutating func forgetStatements() {
        for name in tables.keys { tables[name]?.statement = "" }
        for name in indexes.keys { indexes[name]?.statement = "" }
    }

    private mutating func forgetUnusedHistoryNumbers() {
        for number in Int64(16001)...16003 where tables["Z_PRIMARYKEY"]?.rows[number]?["Z_MAX"] == 0 {
            tables["Z_PRIMARYKEY"]?.rows[number] = nil
        }
    }

    private func differences(from other: StoreContents) -> [String] {
        var differences: [String] = []
        if uuid != other.uuid { differences.append("UUID: \(uuid ?? "none") instead of \(other.uuid ?? "none")") }
        differences += Self.differences("metadata", metadata, other.metadata)
        if model != other.model { differences.append("the models differ") }
        differences += Self.differences("trigger", triggers, other.triggers)
        differences += Self.differences("index", indexes, other.indexes)
        differences += Self.differences("table", tables.mapValues(\.columns), other.tables.mapValues(\.columns))
        for name in Set(tables.keys).intersection(other.tables.keys).sorted() {
            guard let table = tables[name], let second = other.tables[name] else { continue }
            if table.statement != second.statement {
                differences.append("table \(name): \(table.statement) instead of \(second.statement)")
            }
            differences += Self.differences("\(name), row", table.rows, second.rows)
        }
        return differences
    }

    private static func differences<Key: Comparable, Value: Equatable>(
        _ what: String, _ left: [Key: Value], _ right: [Key: Value]
    ) -> [String] {
        Set(left.keys).union(right.keys).sorted().compactMap { key in
            switch (left[key], right[key]) {
            case (nil, _): "\(what) \(key) is missing"
            case (_, nil): "\(what) \(key) is new"
            case (let left?, let right?) where left != right: "\(what) \(key): \(left) instead of \(right)"
            default: nil
            }
        }
    }
}
