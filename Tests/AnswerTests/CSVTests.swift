import Answer
import Testing

@Suite("a spreadsheet")
struct CSVTests {
    private static func text(_ blocks: [Block]) -> String {
        var text = ""
        Medium.csv.write(blocks) { text += $0 }
        return Medium.csv.beginning(title: "t") + text + Medium.csv.ending
    }

    private static func line(_ cell: String) -> String {
        var table = Block.Table()
        table.add([.text(cell), .text("x")])
        return text([.table(table)])
    }

    @Test("has the tables of an answer, with their heads, and nothing else")
    func tables() {
        var table = Block.Table(["meter", "row"])
        table.add([.code("A4"), "1"])
        let blocks: [Block] = [
            .heading("a store"), .section("part", [.table(table)]), .deferred { [.table(table)] }, .remark("more"),
        ]
        #expect(Self.text(blocks) == "meter,row\r\nA4,1\r\nmeter,row\r\nA4,1\r\n")
    }

    @Test(
        "quotes what would end a field",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), (" a", "\" a\""),
            ("a ", "\"a \""),
            ("a\nb", "a\\u{a}b"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("é🔌", "é🔌"),
        ])
    func quotes(cell: String, field: String) { #expect(Self.line(cell) == field + ",x\r\n") }

    @Test(
        "begins no formula",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("=a,b", "\"'=a,b\""),
            ("\t=1", "\\u{9}=1"), ("\r=1", "\\u{d}=1"), ("\n=1", "\\u{a}=1"), ("a=1", "a=1"),
            ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠A1", "'＠A1"),
        ])
    func formulas(cell: String, field: String) { #expect(Self.line(cell) == field + ",x\r\n") }
}
