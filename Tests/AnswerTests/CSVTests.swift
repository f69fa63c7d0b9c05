import Answer
import Testing

@Suite("a spreadsheet")
struct CSVTests {
    private static func text(_ blocks: [Block], isShown: Bool = false) -> String {
        let medium = Medium.csv(isShown: isShown)
        var text = ""
        medium.write(blocks) { text += $0 }
        return medium.beginning(title: "t") + text + medium.ending
    }

    private static func line(_ cell: String, isShown: Bool = false) -> String {
        text([.table(.init(rows: [[.text(cell), .text("x")]]))], isShown: isShown)
    }

    @Test("has the tables of an answer, with their heads, and nothing else")
    func tables() {
        let table = Block.Table(["meter", "row"], rows: [[.code("A4"), "1"]])
        let blocks: [Block] = [
            .heading("a store"), .section("part", [.table(table)]), .group([.table(table)]), .remark("more"),
        ]
        #expect(Self.text(blocks) == "meter,row\r\nA4,1\r\nmeter,row\r\nA4,1\r\n")
    }

    @Test(
        "quotes what would end a field",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), (" a", "\" a\""),
            ("a ", "\"a \""), ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), ("a\tb", "a\tb"), ("é🔌", "é🔌"),
            ("\u{A0}a", "\"\u{A0}a\""), ("\"\u{301}", "\"\"\"\u{301}\""),
        ])
    func quotes(cell: String, field: String) { #expect(Self.line(cell) == field + ",x\r\n") }

    @Test(
        "begins no formula",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("=a,b", "\"'=a,b\""),
            ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("a=1", "a=1"), ("'=1", "''=1"),
            ("''+1", "'''+1"), ("'a'", "'a'"), ("'", "'"),
            ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠A1", "'＠A1"),
        ])
    func formulas(cell: String, field: String) { #expect(Self.line(cell) == field + ",x\r\n") }

    @Test("shows on a terminal what it would obey, and nowhere else changes anything")
    func shown() {
        #expect(Self.line("a\u{1B}\nb", isShown: true) == "a\\u{1b}\\u{a}b,x\r\n")
        #expect(Self.line("a\u{1B}b") == "a\u{1B}b,x\r\n")
    }
}
