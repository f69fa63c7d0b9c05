import CoreDataStore
import MeterModel
import Testing

@testable import MeterRedaction

@Suite("A statement of the schema")
struct StatementRedactionTests {
    private let values = ValueRedaction(
        pseudonyms: Pseudonyms(.random(), keepsMap: false), dates: .none, now: 0,
        words: HarmlessWords(entities: ["Tag"], names: ["ZTAG", "itemCount"]))

    @Test(
        "of Core Data is as it was",
        arguments: [
            "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNAME VARCHAR )",
            "CREATE UNIQUE INDEX \"Z_Tag's\" ON [ZTAG] (`ZNAME` COLLATE BINARY ASC)",
            "CREATE TRIGGER Z_DA_Tag AFTER UPDATE ON ZTAG BEGIN SELECT f('ZTAG', new.Z_PK, 'itemCount', 'Tag'); END",
        ])
    func kept(sql: String) { #expect(values.statement(sql) == sql) }

    @Test("loses its comments, and its literals are replaced")
    func replaced() {
        let sql = """
            CREATE TABLE T (A DEFAULT 'Ana''s iPhone', B DEFAULT x'414E41', C/* Ana */TEXT -- Ana
            , "D 'Ana'" DEFAULT 'unfinished
            """
        let statement = values.statement(sql)
        #expect(statement.matches(of: /Ana/).count == 1 && !statement.contains("414E41"), "\(statement)")
        #expect(statement.contains("B DEFAULT x'000000', C TEXT \n, \"D 'Ana'\" DEFAULT '"))
        let text = values.pseudonyms.text("Ana's iPhone", in: "")
        #expect(statement.hasPrefix("CREATE TABLE T (A DEFAULT '\(text)', B"))
    }
}
