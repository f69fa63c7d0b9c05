import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import Testing

@Suite("texts of dumps")
struct SyntaxTests {
    private func name(_ text: String) throws -> DumpValue? { try Dump.read(text).entries.first?.value }

    private func xml(_ inner: String) -> String { "<plist><dict><key>MeterNames</key>\(inner)</dict></plist>" }

    @Test(
        "that are old-style property lists",
        arguments: [
            (#"{ MeterNames = { "AA:BB" = "Name"; }; }"#, "Name"),
            (#"{MeterNames={AA:BB=Name;};}"#, "Name"),
            (#"{ // a comment"# + "\n" + #"/* and */ MeterNames = { a = 'it"s'; } /* no ; needed */ }"#, #"it"s"#),
            (
                #"{ "MeterNames" = { a = "tab\t quote\" back\\ oct\101 \U00e9 \U0001x"; }; }"#,
                "tab\t quote\" back\\ octA é \u{1}x"
            ),
            (#"{ "MeterNames" = { a = "caf\\U00e9 \\Ud83d\\Udd0c \Ud83d\Udd0c"; }; }"#, "café 🔌 🔌"),
            (#"{ "MeterNames" = { a = "C:\\User"; }; }"#, #"C:\User"#),
            ("{ MeterNames = { a = \"two\nlines\\\nhere\"; }; }", "two\nlines\nhere"),
            (#"{ MeterNames = { a = 12; }; }"#, "12"),
            (#"{ MeterNames = { a; }; }"#, "a"),
        ])
    func oldStyle(text: String, expected: String) throws {
        #expect(try name(text) == .text(expected))
        #expect(try Dump.read(text).format == .init(.textPropertyList, .root))
    }

    @Test("that are old-style, with values that are not text")
    func oldStyleValues() throws {
        #expect(try name("{ MeterNames = { a = <0fbd 777F>; }; }") == .data([0x0F, 0xBD, 0x77, 0x7F]))
        #expect(try name("{ MeterNames = { a = (b, \"c\",); }; }") == .list([.text("b"), .text("c")]))
        #expect(try name("{ MeterNames = { a = { b = c; }; }; }") == .dictionary([.init("b", .text("c"))]))
        #expect(
            try name("{ MeterNames = { a = {length = 40, bytes = 0x62706c69 73 ... 00000000 }; }; }")
                == .data(Array("bplis".utf8)))
        #expect(try name("{ MeterNames = { a = {length = 0, bytes = 0x}; }; }") == .data([]))
        #expect(try name("{ MeterNames = { a = {length = 5; }; }; }") == .dictionary([.init("length", .text("5"))]))
    }

    @Test(
        "that are broken old-style property lists are errors with a place",
        arguments: [
            ("{ MeterNames = { a = b }; ", "a dictionary that does not end, line 1, column 1"),
            ("{ MeterNames = {\n  a = ;\n}; }", "an unexpected character where a value should be, line 2, column 7"),
            ("{ MeterNames = { é = 1; }; }", "an unexpected character where a key should be, line 1, column 18"),
            ("{ MeterNames = {\n \"é\" = \"a\" \"b\"; }; }", "no ; after a value, line 2, column 12"),
            ("{ MeterNames = { a = \"b; }; }", "text without a closing quote, line 1, column 22"),
            ("{ MeterNames = { a = \"\\Ud83d\"; }; }", "text with an unpaired surrogate, line 1, column 22"),
            ("{ MeterNames = { a = \"\\q\"; }; }", "an unknown escape, line 1, column 23"),
            ("{ MeterNames = { a = \"\\351\"; }; }", "an octal escape above \\177, line 1, column 23"),
            ("{ MeterNames = { a = <123>; }; }", "data with an odd number of hex digits, line 1, column 22"),
            ("{ MeterNames = { a = <12g>; }; }", "data with a character that is not a hex digit, line 1, column 25"),
            ("{ MeterNames = { a = 1; a = 2; }; }", "a duplicate key in a dictionary, line 1, column 25"),
            ("{ MeterNames = { a = (b c); }; }", "no , after a value, line 1, column 25"),
            ("{ MeterNames = {}; } x", "something follows the property list, line 1, column 22"),
            ("{ /* ", "a comment that does not end, line 1, column 3"),
        ])
    func brokenOldStyle(text: String, expected: String) {
        #expect(Dump.complaint(text) == expected)
    }

    @Test(
        "that are XML",
        arguments: [
            ("<string>a &lt;&amp;&gt; &quot;&apos; &#233;&#x1F50C;</string>", DumpValue.text("a <&> \"' é🔌")),
            ("<string><![CDATA[<b> & ]]]]><![CDATA[>]]><!-- no --> x</string>", .text("<b> & ]]> x")),
            ("<string/>", .text("")),
            ("<string a='>'> s </string >", .text(" s ")),
            ("<integer> -0x10 </integer>", .integer(-16)),
            ("<integer>9223372036854775807</integer>", .integer(.max)),
            ("<integer>-9223372036854775808</integer>", .integer(.min)),
            ("<integer>9223372036854775808</integer>", .unsigned(1 << 63)),
            ("<integer>+18446744073709551615</integer>", .unsigned(.max)),
            ("<integer>0xFFFFFFFFFFFFFFFF</integer>", .unsigned(.max)),
            ("<real>1.5e3</real>", .real(1500)),
            ("<true/>", .bool(true)), ("<false></false>", .bool(false)),
            ("<date>2001-01-01T00:00:10Z</date>", .date(Timestamp(secondsSince2001: 10))),
            ("<data>\n\tAP8=\n</data>", .data([0, 255])),
            ("<array><string>a</string><array/></array>", .list([.text("a"), .list([])])),
        ])
    func xmlValues(inner: String, expected: DumpValue) throws {
        let head = "\n<?xml version='1.0'?><!-- -->\n<!DOCTYPE plist PUBLIC \"a>\" 'b'>"
        #expect(try name(head + xml("<dict><key>a</key>\(inner)</dict>")) == expected)
    }

    @Test(
        "that are broken XML are errors with a place",
        arguments: [
            ("<dict><key>a</key></dict>", "a <key> without a value, line 1, column 41"),
            ("<dict><string>a</string></dict>", "<string> where a <key> should be, line 1, column 41"),
            ("<dict><key>a</key><string>b</dict>", "</string> is missing, line 1, column 62"),
            ("<dict><key>a</key><b/></dict>", "<b> is not an element of a property list, line 1, column 53"),
            ("<dict><key>a</key><string>&b;</string></dict>", "an unknown entity, line 1, column 61"),
            ("<dict><key>a</key><string>&#xD800;</string></dict>", "an unknown entity, line 1, column 61"),
            (
                "<dict><key>a</key><integer>18446744073709551616</integer></dict>",
                "an <integer> that is not a 64-bit integer, line 1, column 53"
            ),
            (
                "<dict><key>a</key><integer>-9223372036854775809</integer></dict>",
                "an <integer> that is not a 64-bit integer, line 1, column 53"
            ),
            (
                "<dict><key>a</key><integer>--5</integer></dict>",
                "an <integer> that is not a 64-bit integer, line 1, column 53"
            ),
            ("<dict><key>a</key><real>x</real></dict>", "a <real> that is not a number, line 1, column 53"),
            ("<dict><key>a</key><date>x</date></dict>", "a <date> that is not a date, line 1, column 53"),
            ("<dict><key>a</key>x<true/></dict>", "text where an element should be, line 1, column 53"),
            (
                "<dict><key>a</key><true/><key>a</key><true/></dict>",
                "a duplicate key in a dictionary, line 1, column 60"
            ),
        ])
    func brokenXML(inner: String, expected: String) {
        #expect(Dump.complaint(xml(inner)) == expected)
    }

    @Test("that are web pages are not property lists")
    func html() {
        #expect(
            Dump.complaint("<!DOCTYPE html>\n<html><body>Sign in</body></html>")
                == "a page or a table in HTML")
    }

    @Test("that are broken JSON are errors with a place")
    func brokenJSON() {
        let complaint = Dump.complaint("{\n  \"MeterNames\": {\"é\": x}\n}")
        #expect(complaint?.hasPrefix("the JSON cannot be read: ") == true)
        #expect(complaint?.hasSuffix(", line 2, column 23") == true, "\(complaint ?? "")")
        let marked = Dump.complaint("\u{FEFF}{\"é\": x}")
        #expect(marked?.hasSuffix(", line 1, column 7") == true, "\(marked ?? "")")
        #expect(
            Dump.complaint(#"{"MeterNames": {"a": "1", "a": "2"}}"#)
                == "the JSON cannot be read: an object has a duplicate key")
        #expect(Dump.complaint("{\"MeterNames\": {}} x")?.hasSuffix(", line 1, column 20") == true)
    }

    @Test("are recognized by what they begin with")
    func syntax() {
        #expect(Dump.complaint("{MeterNames: {}}")?.hasPrefix("the JSON cannot be read") == true)
        #expect(Dump.complaint("{\"a\\\"b\" = c;}")?.hasPrefix("neither") == true)
        #expect(Dump.complaint(" \n(a, b)") == "a list of other things than meters")
        #expect(Dump.complaint("Hello support")?.hasPrefix("not a dump but a text file:") == true)
        #expect(Dump.complaint("{")?.hasPrefix("the JSON cannot be read") == true)
        #expect(Dump.complaint("{\"a")?.hasPrefix("the JSON cannot be read") == true)
        #expect(Dump.complaint("{a = b")?.hasPrefix("no ; after a value") == true)
    }

    @Test("written by Foundation are read", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func foundation(format: PropertyListSerialization.PropertyListFormat) throws {
        let names = ["A4:C1:38:0B:7E:21": "<Küche> & 🔌\n\u{2028}", "b": "", "": "c"]
        let data = try PropertyListSerialization.data(
            fromPropertyList: ["MeterNames": names, "n": 5, "d": Data([1, 2])], format: format, options: 0)
        let dump = try Dump.read([UInt8](data))
        #expect(dump.entries == names.map { Dump.name($0, $1) }.inFixedOrder())
        #expect(dump.ignoredKeys == 2)
    }
}
