import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

@Suite("persistent history, read")
struct HistoryReadingTests {
    @Test("has a known format, or is not found", arguments: [SchemaStatements.History.none, .current, .withoutStrings])
    func formats(history: SchemaStatements.History) throws {
        let store = try OddStore { $0.history = history }
        try store.read { database, description in
            switch history {
            case .none: #expect(description.history == nil)
            case .current: #expect(description.history?.hasStrings == true)
            case .withoutStrings: #expect(description.history?.hasStrings == false)
            }
            let overview = try description.history?.overview(database)
            #expect(overview?.transactions == (history == .none ? nil : 2))
            #expect(overview?.changes == (history == .none ? nil : 2))
            #expect(overview?.authors.map(\.name) == (history == .none ? nil : [StoreFixture.bundle]))
            #expect(try description.history?.problems(database, keys: description.keys) ?? [] == [])
        }
    }

    @Test(
        "with tables that lack a column, or are views, is none",
        arguments: [
            "ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS", "ALTER TABLE ATRANSACTION RENAME COLUMN ZTIMESTAMP TO ZTIME",
            "ALTER TABLE ACHANGE RENAME TO BCHANGE; CREATE VIEW ACHANGE AS SELECT * FROM BCHANGE",
            "DROP TABLE ATRANSACTION; CREATE VIEW ATRANSACTION AS SELECT 1 AS Z_PK, 2 AS ZTIMESTAMP",
        ])
    func none(sql: String) throws {
        try OddStore(sql).read { _, description in #expect(description.history == nil) }
    }

    @Test("says what is inconsistent")
    func problems() throws {
        let store = try OddStore(
            """
            UPDATE ACHANGE SET ZTRANSACTIONID = 77 WHERE Z_PK = 1; UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK = 2;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16001; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16002
            """)
        let problems = try store.read { try $1.history?.problems($0, keys: $1.keys) }
        #expect(
            problems == [
                "1 change belongs to no transaction", "1 change is of an unknown type",
                "Z_MAX of CHANGE is 1 but ACHANGE goes up to 2",
                "Z_MAX of TRANSACTION is 0 but ATRANSACTION goes up to 2",
            ])
    }

    @Test("has strange values, never a trap")
    func strangeValues() throws {
        let store = try OddStore(
            """
            UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999 WHERE Z_PK = 1;
            UPDATE ATRANSACTION SET ZTIMESTAMP = 'yesterday' WHERE Z_PK = 2;
            UPDATE ATRANSACTIONSTRING SET ZNAME = CAST(X'FFC3' AS TEXT) WHERE Z_PK = 1;
            INSERT INTO ATRANSACTION (Z_PK, ZBUNDLEIDTS) VALUES (9223372036854775807, -9223372036854775808);
            INSERT INTO ACHANGE (Z_PK, ZENTITY, ZENTITYPK, ZCHANGETYPE) VALUES (-9223372036854775808, X'00', 'x', 2)
            """)
        try store.read { database, description in
            let overview = try #require(try description.history?.overview(database))
            #expect(overview.transactions == 3)
            #expect(overview.authors.map(\.name).sorted() == ["(unnamed)", "\u{FFFD}\u{FFFD}"])
            #expect(try description.history?.problems(database, keys: description.keys).count == 2)
        }
    }
}
