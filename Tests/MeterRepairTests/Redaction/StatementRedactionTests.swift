import CoreDataStore
import MeterModel
import Testing

@testable import MeterRepair

@Suite("A statement of the schema")
struct StatementRedactionTests {
    private let values = ValueRedaction(
        replacements: Replacements(continuing: RedactionMap(), letterCase: .upper),
        words: HarmlessWords(
            entities: ["Tag"], names: ["ZTAG", "ZNAME", "itemCount", "Z_Tag's", "T", "D 'Ana'"],
            types: ["VARCHAR(255)", "TEXT"])
    )

    /// Collected, numbered and replaced.
    private func redacted(_ sql: String) -> String {
        _ = values.statement(sql)
        values.replacements.assignNumbers()
        return values.statement(sql)
    }

    @Test(
        "of Core Data is as it was",
        arguments: [
            "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNAME VARCHAR )",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_2ITEMS ( Z_2ITEMS INTEGER, Z10_TAGS12 INTEGER, Z_FOK_2 INTEGER DEFAULT NULL )",
            "CREATE TRIGGER T AFTER INSERT ON ZTAG BEGIN UPDATE \"ztag\" SET N = IFNULL(\"new\".\"itemCount\", 0) + 1; END",
            "CREATE UNIQUE INDEX \"Z_Tag's\" ON [ZTAG] (`ZNAME` COLLATE BINARY ASC)",
            "CREATE TRIGGER Z_DA_Tag AFTER UPDATE ON ZTAG BEGIN SELECT f('ZTAG', new.Z_PK, 'itemCount', 'Tag'); END",
        ])
    func kept(sql: String) { #expect(redacted(sql) == sql) }

    @Test("loses its comments, and its literals are replaced")
    func replaced() {
        let sql = """
            CREATE TABLE T (A DEFAULT 'Ana''s iPhone', B DEFAULT x'414E41', C/* Ana */TEXT -- Ana
            , "D 'Ana'" DEFAULT 'unfinished
            """
        let statement = redacted(sql)
        #expect(statement.matches(of: /Ana/).count == 1 && !statement.contains("414E41"), "\(statement)")
        #expect(statement.contains("B DEFAULT x'000000', C TEXT \n, \"D 'Ana'\" DEFAULT '"))
        let text = values.replacements.text("Ana's iPhone", .text, in: "")
        #expect(statement.hasPrefix("CREATE TABLE T (A DEFAULT '\(text)', B"))
    }

    @Test(
        "keeps no literal in double quotation marks, no number of several digits and no word that is a default",
        arguments: [
            ("CREATE TABLE T (A DEFAULT \"erika@example.org\", B TEXT)", "erika"),
            ("CREATE TABLE T (A DEFAULT Erika, B DEFAULT current_time)", "Erika"),
            ("CREATE TABLE T (A DEFAULT 4915112345678)", "4915112345678"),
            ("CREATE TABLE T (A DEFAULT -4711 , B VARCHAR(255))", "4711"),
            ("CREATE TABLE T (A DEFAULT(52.5163e0), B DEFAULT 13.3777)", "52.5163"),
            ("CREATE TABLE T (A CHECK (A IN (4711,0xCAFE)))", "4711"),
            ("CREATE INDEX I ON ZTAG (A) WHERE A <> \"Erika Mustermann\"", "Erika"),
            ("CREATE INDEX I ON ZTAG (A) WHERE A > 0xC0FFEE", "C0FFEE"),
            ("CREATE VIEW V AS SELECT A AS [Erika], \"Erika\" AS `Erika` FROM ZTAG", "Erika"),
            (
                "CREATE TRIGGER T AFTER INSERT ON ZTAG BEGIN SELECT \"new\".A=1030.5, 'x', .25e+10, \"Erika\"\"s\"; END",
                "Erika"
            ),
            ("CREATE TRIGGER T AFTER INSERT ON ZTAG BEGIN SELECT new.A=1030.5, 123456789012345678901; END", "1030"),
        ])
    func originals(sql: String, original: String) {
        let statement = redacted(sql)
        #expect(!statement.contains(original), "\(statement)")
        #expect(!statement.contains("13.3777") && !statement.contains("25e") && !statement.contains("1234567890123456"))
        #expect(statement.contains("VARCHAR(255)") == sql.contains("VARCHAR(255)"))
        #expect(statement.contains("current_time") == sql.contains("current_time"))
        // The same text is the same everywhere, and the statement the same for SQLite.
        #expect(statement.prefix { $0 != "D" && $0 != "C" } == sql.prefix { $0 != "D" && $0 != "C" })
        #expect(values.statement(sql) == statement)
    }
}
