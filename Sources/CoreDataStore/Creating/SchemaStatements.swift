/// The DDL of a new store, in the order and letter for letter as Core Data writes it: Core Data compares the text.
package struct SchemaStatements: Sendable {
    package enum History: Hashable, Sendable {
        case none
        /// Since macOS 10.14 and iOS 12: texts in a table of their own.
        case current
        /// macOS 10.13 and iOS 11: texts in the transaction itself.
        case withoutStrings
    }

    package let numbers: PrimaryKeys
    /// By number of the root entity.
    package let tables: [EntityTable]
    package let history: History

    /// - Throws: `StoreCreationError` for a model that no store can be made of.
    package init(_ model: ManagedObjectModel, history: History) throws(StoreCreationError) {
        let layout = ModelLayout(model)
        guard layout.numbers.entries.count == model.entities.count else {
            throw .unsupportedModel("entities inherit from each other in a circle")
        }
        for entity in model.entities { try checkIdentifier(entity.name) }
        let tables = try layout.tables()
        guard Set(tables.map(\.name)).count == tables.count else {
            throw .unsupportedModel("the names of two entities differ only in letter case")
        }
        numbers = layout.numbers
        self.tables = tables
        self.history = history
    }

    /// Everything: entity tables, their indexes, the fixed tables, the history.
    package var all: [String] {
        tables.map(\.createStatement) + tables.flatMap(\.indexStatements) + Self.fixedTables + historyStatements
    }

    package static let fixedTables = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    package var historyStatements: [String] {
        switch history {
        case .none: []
        case .current: Self.currentHistory
        case .withoutStrings: Self.historyWithoutStrings
        }
    }

    /// The entities of the history itself, as `Z_PRIMARYKEY` lists them.
    package var historyEntities: [(number: Int64, name: String)] {
        switch history {
        case .none: []
        case .current: [(16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING")]
        case .withoutStrings: [(16001, "CHANGE"), (16002, "TRANSACTION")]
        }
    }

    private static let changeTable =
        "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
        + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )"
    private static let changeIndex = "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)"
    private static let transactionTexts =
        "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, "
        + "ZQUERYGEN BLOB )"
    private static let transactionIndexes = [
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
    ]

    private static let currentHistory =
        [
            changeTable,
            "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
                + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, " + transactionTexts,
            "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZNAME VARCHAR )",
            changeIndex,
            "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
            "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
            "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
            "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        ] + transactionIndexes + [
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)"
        ]

    private static let historyWithoutStrings =
        [
            changeTable,
            "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, " + transactionTexts,
            changeIndex,
        ] + transactionIndexes
}

extension EntityTable {
    package var createStatement: String {
        Self.createStatement(name, columns: columns.map { ($0.name, $0.declaredType) })
    }

    /// Core Data compares the letters of this statement with its own.
    /// - Parameter columns: what comes after `Z_PK`, `Z_ENT` and `Z_OPT`.
    package static func createStatement(_ table: String, columns: [(name: String, declaredType: String)]) -> String {
        let all =
            ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            + columns.map { "\($0.name) \($0.declaredType)" }
        return "CREATE TABLE \(table) ( \(all.joined(separator: ", ")) )"
    }

    /// The index of one column: of each key, and of `Z_ENT` where entities share the table.
    package func index(of column: String) -> (name: String, statement: String) {
        let index = "\(name)_\(column)_INDEX"
        return (index, Self.indexStatement(index, on: name, column: column))
    }

    package static func indexStatement(_ index: String, on table: String, column: String) -> String {
        "CREATE INDEX \(index) ON \(table) (\(column))"
    }

    package var indexStatements: [String] {
        var statements = columns.filter(\.isKey).map { index(of: $0.name).statement }
        if hasSubentities { statements.append(index(of: "Z_ENT").statement) }
        for index in uniqueIndexes {
            let columns = index.columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
            statements.append("CREATE UNIQUE INDEX \(index.name) ON \(name) (\(columns))")
        }
        return statements
    }
}
