import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("what people send")
struct SentDumpTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    private static let bench = "A4:C1:38:5D:02:9F"

    struct Sent: CustomTestStringConvertible, Sendable {
        let kind: String
        let text: String
        var names = ["Küche", "5\" drive"]
        var units: [TemperatureUnit?] = [nil, nil]

        var testDescription: String { kind }

        init(
            _ kind: String, _ text: String, names: [String] = ["Küche", "5\" drive"],
            units: [TemperatureUnit?] = [nil, nil]
        ) {
            self.kind = kind
            self.text = text.replacing("KITCHEN", with: SentDumpTests.kitchen)
                .replacing("BENCH", with: SentDumpTests.bench)
            self.names = names
            self.units = units
        }
    }

    static let imported = [
        Sent("Swift's print", #"["KITCHEN": "K\u{fc}che", "BENCH": "5\" drive"]"#),
        Sent("of optionals", #"Optional(["KITCHEN": Optional("Küche"), "BENCH": Optional("5\" drive")])"#),
        Sent("of any keys", #"[AnyHashable("MeterNames"): ["KITCHEN": "Küche", "BENCH": "5\" drive"]]"#),
        Sent(
            "labels",
            "MeterNames: [\"KITCHEN\": \"Küche\", \"BENCH\": \"5\\\" drive\"]\n"
                + "TC66TemperatureUnits = [\"BENCH\": \"celsius\"]\n", units: [nil, .celsius]),
        Sent("a label before JSON", #"MeterNames: {"KITCHEN": "Küche", "BENCH": "5\" drive"}"#),
        Sent("part of a property list", #"MeterNames =     { "KITCHEN" = "K\U00fcche"; "BENCH" = "5\" drive"; };"#),
        Sent("pairs of a property list", #""KITCHEN" = "K\U00fcche"; "BENCH" = "5\" drive";"#),
        Sent("`sep=`", "sep=;\r\nMAC;Name\r\nKITCHEN;Küche\r\nBENCH;\"5\"\" drive\"\r\n"),
        Sent("another `sep=`", "sep=|\nKITCHEN|Küche\nBENCH|\"5\"\" drive\"\n"),
        Sent("lines with an arrow", "KITCHEN -> Küche\nBENCH -> 5\" drive\n"),
        Sent("lines with another arrow", "KITCHEN → Küche\r\n\r\nBENCH → 5\" drive\r\n"),
        Sent("lines with a colon", "KITCHEN: Küche\nBENCH: 5\" drive\n"),
        Sent("lines with a dash", "KITCHEN – Küche\nBENCH – 5\" drive\n"),
        Sent("lines with an equals sign", " KITCHEN = Küche\n BENCH = 5\" drive"),
        Sent("lines with quotes", "\"KITCHEN\": \"Küche\",\n\"BENCH\": \"5\"\" drive\"\n"),
        Sent("lines with the name first", "Küche - KITCHEN\n5\" drive - BENCH\n"),
        Sent("lines with the name and a colon", "Küche: KITCHEN\n\n5\" drive: BENCH"),
        Sent("lines with a blank", "KITCHEN Küche\nBENCH 5\" drive\n"),
        Sent(
            "objects", #"[{"mac": "KITCHEN", "name": "Küche"}, {"mac": "BENCH", "name": "5\" drive", "unit": "c"}]"#,
            units: [nil, .celsius]),
        Sent(
            "JSON lines",
            "{\"macAddress\": \"KITCHEN\", \"meterName\": \"Küche\"}\n\n"
                + "{\"address\": \"BENCH\", \"label\": \"5\\\" drive\", \"temperatureUnit\": \"F\"}\n",
            units: [nil, .fahrenheit]),
        Sent(
            "objects by address",
            #"{"KITCHEN": {"name": "Küche", "unit": null}, "BENCH": {"meterName": "5\" drive"}}"#),
        Sent(
            "wrapped objects",
            #"{"at": 1, "meters": [{"bluetoothAddress": "KITCHEN", "name": "Küche"}, "#
                + #"{"mac": null, "address": "BENCH", "name": "5\" drive"}]}"#),
        Sent(
            "objects by the numbers of rows",
            #"{"0": {"address": "KITCHEN", "name": "Küche"}, "1": {"address": "BENCH", "name": "5\" drive"}}"#),
        Sent("wrapped names", #"{"names": {"KITCHEN": "Küche", "BENCH": "5\" drive"}}"#),
        Sent(
            "far below, and in a list",
            #"{"a": {"users": [{"id": 1}, {"kvs": {"MeterNames": {"KITCHEN": "Küche", "BENCH": "5\" drive"}}}]}}"#),
    ]

    @Test("is read exactly, whatever it was printed with", arguments: imported)
    func reads(_ sent: Sent) throws {
        let values = LegacyValues(try Dump.read(sent.text))
        #expect(values.meters.map { $0.address.text(in: .upper) } == [Self.kitchen, Self.bench])
        #expect(values.meters.map { $0.name?.value } == sent.names)
        #expect(values.meters.map { $0.unit?.value } == sent.units)
        #expect(values.rejects.isEmpty)
    }

    @Test(
        "or refused, with what to send instead",
        arguments: [
            ("{\n  \"MeterNames\" => {\n  }\n}", "plutil -p", "plutil -convert xml1"),
            ("[\n  0 => \"A4\"\n]", "plutil -p", "plutil -convert xml1"),
            ("▿ 2 elements\n", "debugger", "plutil -convert xml1"),
            ("[\"A4:C1:38:0B:7E:21\": Küche]", "a text without quotes is in it", "defaults export"),
            ("[(key: \"A4:C1:38:0B:7E:21\", value: \"K\")]", "as Swift prints it", "defaults export"),
            ("[\"a\": \"b\"]\n[\"c\": \"d\"]", "something follows", "defaults export"),
            ("[\"a\": \"two\nlines\"]", "what Swift would escape", "defaults export"),
            ("{'A4:C1:38:0B:7E:21': 'Kitchen'}", "Python", "json.dumps"),
            ("{ MeterNames = { a = \"\\351\"; }; }", "octal escape", "defaults export"),
            ("| Meter | Name |\n|---|---|\n| `A4:C1:38:0B:7E:21` | K |", "bars", "A4:C1:38:0B:7E:21;Kitchen"),
            ("Hello,\n\nA4:C1:38:0B:7E:21 | Kitchen\n", "bars", "A4:C1:38:0B:7E:21;Kitchen"),
            ("<table><tr><td>A4:C1:38:0B:7E:21</td></tr></table>", "HTML", "A4:C1:38:0B:7E:21;Kitchen"),
            ("A4:C1:38:0B:7E:21 = Kitchen, celsius", "more in it", "A4:C1:38:0B:7E:21;Kitchen"),
            ("A4:C1:38:0B:7E:21 = Kitchen\nThanks!", "without an address", "A4:C1:38:0B:7E:21;Kitchen"),
            ("A4:C1:38:0B:7E:21 = \"a\\\"b\"", "more in it", "A4:C1:38:0B:7E:21;Kitchen"),
            ("[{\"k\": \"A4:C1:38:0B:7E:21\", \"v\": \"K\"}]", "with the keys k, v", "mac, macAddress"),
            ("[{\"mac\": \"A4:C1:38:0B:7E:21\"}, {\"name\": \"K\"}]", "element 2 has no address", "macAddress"),
            ("[{\"mac\": 112233445566, \"name\": \"K\"}]", "mac is a number", "macAddress"),
            ("PK\u{3}\u{4} [Content_Types].xml xl/workbook.xml", "Excel", "CSV UTF-8"),
            ("[{\"mac\": \"A4:C1:38:0B:7E:21\"}, 7]", "element 2 is not an object", "macAddress"),
            (
                "[{\"mac\": \"A4:C1:38:0B:7E:21\", \"address\": \"A4:C1:38:0B:7E:22\"}]", "several addresses",
                "macAddress"
            ),
            (
                "{\"a\": {\"MeterNames\": {}}, \"b\": [{\"MeterNames\": {}}]}",
                "places in it have the dictionaries: a, b/1", "--kv-store a"
            ),
        ])
    func refused(_ text: String, _ message: String, _ hint: String) throws {
        let error = try #require(Dump.refusal(Array(text.utf8)))
        #expect(error.kind == .damaged)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.hint?.contains(hint) == true, "\(error.hint ?? "")")
    }

    @Test("in a code page is refused, with the way to UTF-8", arguments: ["MAC;Name\n", "", "{\"MeterNames\": {\""])
    func codePages(_ head: String) throws {
        for umlaut: UInt8 in [0xFC, 0x9F] {
            let bytes = Array("\(head)\(Self.kitchen);K".utf8) + [umlaut] + Array("che\n".utf8)
            let error = try #require(Dump.refusal(bytes))
            #expect(error.message.hasPrefix("a byte that is not UTF-8") && error.kind == .damaged)
            #expect(error.hint?.contains("CSV UTF-8") == true && error.hint?.contains("iconv") == true)
        }
    }

    @Test("may be UTF-16 without a mark", arguments: [true, false])
    func utf16(isBigEndian: Bool) throws {
        for text in ["{\"MeterNames\": {\"\(Self.kitchen)\": \"Лаб 🔋\"}}", "MAC\tName\n\(Self.kitchen)\tЛаб 🔋\n"] {
            let bytes = text.utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBigEndian ? [high, low] : [low, high]
            }
            #expect(try Dump.read(bytes).entries == [Dump.name(Self.kitchen, "Лаб 🔋")])
        }
    }

    @Test("says where it was found, what was left out, and what was lost before")
    func notes() throws {
        let nested = try Dump.read(#"{"old": {"kvs": {"MeterNames": {"\#(Self.kitchen)": "K"}}}}"#)
        #expect(nested.format == .init(.json, .nested(["old", "kvs"])))
        #expect(nested.warnings == ["the dictionaries were found under old, kvs"])
        let objects = try Dump.read(#"[{"mac": "\#(Self.kitchen)", "name": "K", "seen": 1, "rssi": 2}]"#)
        #expect(objects.warnings == ["keys that were left out: rssi, seen"] && objects.ignoredKeys == 2)
        let both = try Dump.read(#"{"MeterNames": {}, "a": {"b": {"MeterNames": {}}}}"#)
        #expect(both.warnings == ["other dictionaries in it were left out: a/b"])
        let lost = try Dump.read("\(Self.kitchen);K\u{FFFD}che\n")
        #expect(lost.warnings.count == 1 && lost.warnings[0].hasPrefix("1 name with"))
    }

    @Test("may be a property list among the data of another")
    func data() throws {
        let inner = Array(DumpText.xml(.dictionary(["MeterNames": .dictionary([Self.kitchen: .string("K")])])).utf8)
        let base64 = Data(inner).base64EncodedString()
        let outer = "<plist><dict><key>backup</key><data>\(base64)</data></dict></plist>"
        #expect(try Dump.read(outer).entries == [Dump.name(Self.kitchen, "K")])
        #expect(try Dump.read(outer).format == .init(.xmlPropertyList, .nested(["backup"])))
    }

    @Test("of several places is the one that --kv-store names by its path or its last key")
    func chosen() throws {
        let text = #"{"users": {"ana": {"MeterNames": {"a": "1"}}, "ben": {"MeterNames": {"b": "2"}}}}"#
        #expect(Dump.complaint(text) == "several places in it have the dictionaries: users/ana, users/ben")
        for word in ["ben", "users/ben"] {
            #expect(try Dump.read(text, identifier: word).entries == [Dump.name("b", "2")])
        }
        #expect(Dump.complaint(text, identifier: "eva")?.contains("only users/ana, users/ben") == true)
    }

    @Test("may have the names in one line of JSON and the units in another, or in two elements of a list")
    func lines() throws {
        let (names, units) = (#"{"MeterNames": {"a": "1"}}"#, #"{"TC66TemperatureUnits": {"a": "celsius"}}"#)
        for text in ["\(names)\n\(units)\n", "[\(names), \(units)]"] {
            let dump = try Dump.read(text)
            #expect(dump.entries.map(\.dictionary) == [.meterNames, .temperatureUnits])
            #expect(dump.warnings.contains { $0.contains("in two places: 1, 2") })
        }
        #expect(Dump.complaint("[\(names), \(names)]")?.contains("several places") == true)
        #expect(Dump.complaint(#"{"ana": \#(names), "ben": \#(units)}"#)?.contains("several places") == true)
    }

    @Test("takes no text that is an object of JSON for a name, and looks into it where nothing else is there")
    func objectsInTexts() throws {
        let meter = #"{\"mac\": \"A4:C1:38:0B:7E:21\", \"name\": \"Kitchen\", \"unit\": \"celsius\"}"#
        let inner = #"{\"name\": \"Kitchen\", \"unit\": \"celsius\"}"#
        let names = try LegacyValues(Dump.read("{\"MeterNames\": {\"A4:C1:38:0B:7E:21\": \"\(inner)\"}}"))
        #expect(names.meters.isEmpty && names.rejects.map(\.reason) == [.notText])
        for text in ["[\"\(meter)\"]", "{\"A4:C1:38:0B:7E:21\": \"\(inner)\"}"] {
            let values = try LegacyValues(Dump.read(text))
            #expect(values.meters.map { $0.name?.value } == ["Kitchen"] && values.rejects.isEmpty, "\(text)")
            #expect(values.meters.map { $0.unit?.value } == [.celsius])
        }
    }
}
