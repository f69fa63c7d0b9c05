import CoreDataStore
import JSON
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("what somebody typed")
struct TypedDumpTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    private static let bench = "a4c1385d029f"

    @Test(
        "is read without what a list has before and behind each of its lines, and without the quotes around a name",
        arguments: [
            "- Kitchen: A4:C1:38:0B:7E:21\n- Lab: a4c1385d029f\n",
            "• A4:C1:38:0B:7E:21 = Kitchen\n• a4c1385d029f = Lab",
            "> Kitchen: A4:C1:38:0B:7E:21\n> Lab: a4c1385d029f\n",
            "> - Kitchen: A4:C1:38:0B:7E:21\n> - Lab: a4c1385d029f\n",
            "- [x] Kitchen: A4:C1:38:0B:7E:21\n- [ ] Lab: a4c1385d029f\n",
            "Kitchen: A4:C1:38:0B:7E:21,\nLab: a4c1385d029f\n", "Kitchen: A4:C1:38:0B:7E:21,\nLab: a4c1385d029f,\n",
            "A4:C1:38:0B:7E:21 = 'Kitchen'\na4c1385d029f = ‘Lab’\n",
        ])
    func marks(_ text: String) throws {
        let dump = try Dump.read(text)
        let values = LegacyValues(dump.entries)
        #expect(values.meters.map { $0.name?.value } == ["Kitchen", "Lab"] && values.rejects.isEmpty)
        #expect(dump.warnings.isEmpty)
    }

    @Test("keeps what may be a part of a name, and says so of numbers")
    func keptMarks() throws {
        let one = try Dump.read("- Kitchen: A4:C1:38:0B:7E:21\nLab: a4c1385d029f\n")
        #expect(LegacyValues(one.entries).meters.map { $0.name?.value } == ["- Kitchen", "Lab"])
        let numbered = try Dump.read("1. OG: A4:C1:38:0B:7E:21\n2. OG: a4c1385d029f\n")
        #expect(LegacyValues(numbered.entries).meters.map { $0.name?.value } == ["1. OG", "2. OG"])
        #expect(numbered.warnings.count == 1)
        let apostrophe = try Dump.read("A4:C1:38:0B:7E:21 = 't Hok's'\n")
        #expect(LegacyValues(apostrophe.entries).meters.map { $0.name?.value } == ["'t Hok's'"])
    }

    @Test("loses no name that stands beside the address in a list")
    func nameInAddress() throws {
        let values = LegacyValues(try Dump.read("98:DA:C0:11:AB:0F,Balkon\nGarage: A4:C1:38:0B:7E:21,\n").entries)
        #expect(values.meters.count == 1 && values.empty == 0 && values.rejects.map(\.reason) == [.badAddress])
    }

    // MARK: - Lists

    @Test(
        "is read as a list, with or without headings, whatever stands between its columns",
        arguments: [
            "A4:C1:38:0B:7E:21;Kitchen\na4c1385d029f;Bench, left;°C\n",
            "A4:C1:38:0B:7E:21\tKitchen\r\na4c1385d029f\tBench, left\tC\r\n",
            "\u{FEFF}MAC,Name,Unit\rA4:C1:38:0B:7E:21,Kitchen,\r\ra4c1385d029f,\"Bench, left\",celsius",
            "nr;Einheit;Bezeichnung;MAC-Adresse\n1;;Kitchen;A4:C1:38:0B:7E:21\n2;c;Bench, left;a4c1385d029f",
            "\n Kitchen ; A4:C1:38:0B:7E:21 \n\n Bench, left;a4c1385d029f;celsius;;",
            "“A4:C1:38:0B:7E:21”;“Kitchen”\n„a4c1385d029f“;“Bench, left”;c",
            "\"A4:C1:38:0B:7E:21\",\"Kitchen\"\n\"a4c1385d029f\",\"Bench, left\",c",
        ])
    func lists(_ text: String) throws {
        let dump = try Dump.read(text)
        #expect(dump.format == .init(.list, .addresses))
        let values = LegacyValues(dump.entries)
        #expect(values.meters.map { $0.address.text(in: .upper) } == [Self.kitchen, "A4:C1:38:5D:02:9F"])
        #expect(values.meters.map { $0.name?.value } == ["Kitchen", "Bench, left"])
        #expect(values.meters.map { $0.unit?.value } == [nil, .celsius])
        #expect(values.rejects.isEmpty)
        let columns = text.hasPrefix("nr;") ? ["columns that were left out: nr"] : []
        #expect(dump.warnings == columns + (text.contains("“") ? ["curly quotes were read as straight ones"] : []))
        #expect(dump.ignoredKeys == (text.hasPrefix("nr") ? 1 : 0))
    }

    @Test("has in a list what JSON with the same meters has", arguments: LawSeeds.first(40))
    func sameAsJSON(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = ["Kitchen", "Lab; left", "a,b", "\"quoted\"", "電源 2", "tab\tname", "line\nbreak", "C", ""]
        let separator = [";", ",", "\t"].randomElement(using: &random)!
        var (members, lines) = ([(String, String)](), [String]())
        var units: [(String, String)] = []
        for place in 0..<Int.random(in: 1...9, using: &random) {
            let address = MACAddress(bits: 0xA4C1_3800_0000 | UInt64(place))
            let key = place > 0 && Bool.random(using: &random) ? "not \(place)" : address.text(in: .upper)
            let name = names.randomElement(using: &random)!
            let unit = ["", "celsius", "F"].randomElement(using: &random)!
            func quoted(_ text: String) -> String {
                let isPlain = !text.contains(where: { ";,\t\"\n".contains($0) })
                return isPlain && Bool.random(using: &random)
                    ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
            }
            if !name.isEmpty { members.append((key, name)) }
            if !unit.isEmpty { units.append((key, unit)) }
            lines.append([quoted(key), quoted(name), quoted(unit)].joined(separator: separator))
        }
        if Bool.random(using: &random) { lines.insert(["mac", "name", "unit"].joined(separator: separator), at: 0) }
        func object(_ members: [(String, String)]) -> JSONValue {
            .object(members.map { .init($0.0, $0.1) })
        }
        let json: JSONValue = ["MeterNames": object(members), "TC66TemperatureUnits": object(units)]
        let end = ["\n", "\r\n"].randomElement(using: &random)!
        let typed = LegacyValues(try Dump.read(lines.joined(separator: end) + end).entries)
        let other = LegacyValues(try Dump.read(json.text(pretty: false)).entries)
        #expect(typed.meters == other.meters && typed.rejects == other.rejects, "seed \(seed): \(lines)")
    }

    @Test(
        "is refused where a line has more than the columns say, with the line and what to do",
        arguments: [
            ("A4:C1:38:0B:7E:21,Kitchen\na4c1385d029f,Bench, left", "a line with left in the place of its unit"),
            ("A4:C1:38:0B:7E:21,Kitchen\na4c1385d029f,Bench,c,left", "a line with more in it"),
            ("mac,name\nA4:C1:38:0B:7E:21,Kitchen, left", "a line with more in it than the headings name"),
            ("name;mac\nKitchen;A4:C1:38:0B:7E:21;left", "a line with more in it than the headings name"),
            ("A4:C1:38:0B:7E:21;\"Kitchen", "a quote that is not closed"),
            ("A4:C1:38:0B:7E:21;\"Kitchen\" 2\n", "text behind a closing quote"),
            ("mac;place\nA4:C1:38:0B:7E:21;Kitchen", "a list whose headings name neither"),
        ])
    func refused(_ text: String, _ message: String) {
        #expect(Dump.complaint(text)?.hasPrefix(message) == true)
    }

    @Test("keeps lines that are of no meter as rejects, and those without a value as empty")
    func otherLines() throws {
        let values = LegacyValues(
            try Dump.read("mac;name;unit\nA4:C1:38:0B:7E:21;Kitchen;kelvin\n;Lab;\nx;y\na4c1385d029f;;\n").entries)
        #expect(values.rejects.map(\.reason) == [.badAddress, .badAddress, .unknownUnit])
        #expect(values.meters.count == 1 && values.empty == 1)
        #expect(Dump.complaint("Dear support, my meters are the following ones") != nil)
    }

    @Test(
        "may have a unit in brackets at the end of a line or of a name, where it is no letter of the name",
        arguments: [
            "A4:C1:38:0B:7E:21: Kitchen (°F)\na4c1385d029f: Bench",
            "A4:C1:38:0B:7E:21 = \"Kitchen\" (fahrenheit)\na4c1385d029f = Bench",
            "Kitchen - A4:C1:38:0B:7E:21 (°F)\nBench - a4c1385d029f",
            "Kitchen (℉) - A4:C1:38:0B:7E:21\nBench - a4c1385d029f",
        ])
    func units(_ text: String) throws {
        let values = LegacyValues(try Dump.read(text).entries)
        #expect(values.meters.map { $0.name?.value } == ["Kitchen", "Bench"])
        #expect(values.meters.map { $0.unit?.value } == [.fahrenheit, nil] && values.rejects.isEmpty)
        #expect(Dump.complaint(text.replacing(/\(.*\)/, with: "(F)")) != nil)
        #expect(Dump.complaint("Kitchen (°F) - A4:C1:38:0B:7E:21 (°C)") != nil)
    }

    // MARK: - JSON

    @Test("may be addresses with their names, or with their units, without the app's key around them")
    func flat() throws {
        let names = try Dump.read(#"{"A4:C1:38:0B:7E:21": "Kitchen", "A4:C1:38:0B:7E:2O": "Lab", "x": null}"#)
        #expect(names.format == .init(.json, .addresses) && names.warnings.count == 1)
        #expect(names.entries.allSatisfy { $0.dictionary == .meterNames })
        #expect(LegacyValues(names.entries).rejects.map(\.key) == ["A4:C1:38:0B:7E:2O"])
        let units = try Dump.read(#"{"A4:C1:38:0B:7E:21": "fahrenheit", "a4c1385d029f": "celsius"}"#)
        #expect(units.entries.allSatisfy { $0.dictionary == .temperatureUnits })
        #expect(Dump.complaint(#"{"A4:C1:38:0B:7E:21": ["Kitchen"]}"#)?.hasPrefix("neither") == true)
        #expect(
            Dump.complaint(#"{"A4:C1:38:0B:7E:21": "Kitchen"}"#, identifier: "a")?.hasPrefix("no key-value") == true)
    }

    @Test("may have the app's keys in other letters, also beside the app's own")
    func keys() throws {
        let dump = try Dump.read(#"{"meternames": {"a4c1385d029f": "Bench"}, "TC66temperatureUnits": {}}"#)
        #expect(dump.entries == [Dump.name("a4c1385d029f", "Bench")])
        #expect(
            dump.warnings == [
                "the key meternames was read as MeterNames",
                "the key TC66temperatureUnits was read as TC66TemperatureUnits",
            ])
        let both = try Dump.read(#"{"METERNAMES": {"a": "b"}, "MeterNames": {"a4c1385d029f": "Bench"}}"#)
        #expect(both.entries == [Dump.name("a", "b"), Dump.name("a4c1385d029f", "Bench")] && both.ignoredKeys == 0)
        #expect(both.warnings == ["the key METERNAMES was read as MeterNames"])
    }

    @Test(
        "is put right where a phone made its quotes curly, or where a comma is too many",
        arguments: [
            #"{“MeterNames”: {“A4:C1:38:0B:7E:21”: “Say "hi”}}"#,
            #"{"MeterNames": {"A4:C1:38:0B:7E:21": "Say \"hi",}, }"#,
            #"{„MeterNames“: {"A4:C1:38:0B:7E:21": “Say \"hi” , } , }"#,
        ])
    func mended(_ text: String) throws {
        let dump = try Dump.read(text)
        #expect(dump.entries == [Dump.name(Self.kitchen, "Say \"hi")])
        #expect(dump.warnings.count == (text.contains("“") ? 1 : 0) + (text.contains(",") ? 1 : 0))
    }

    @Test("stays as it is inside a text, and is refused with its own place where it cannot be put right")
    func untouched() throws {
        let dump = try Dump.read("{\"MeterNames\": {\"A4:C1:38:0B:7E:21\": \"“a”,}\"}}")
        #expect(dump.entries == [Dump.name(Self.kitchen, "“a”,}")] && dump.warnings.isEmpty)
        #expect(Dump.complaint("{\"MeterNames\": {\"a\": 1,,}}")?.contains("the JSON cannot be read") == true)
        #expect(Dump.complaint("{“MeterNames”: “")?.contains("the JSON cannot be read") == true)
    }

    @Test("is read in time that grows with its length, however it is made")
    func hostile() {
        for text in [
            "{" + String(repeating: ",}", count: 50_000), String(repeating: "“", count: 50_000),
            "A4:C1:38:0B:7E:21;" + String(repeating: "\"\"", count: 50_000),
            "A4:C1:38:0B:7E:21" + String(repeating: ";", count: 50_000) + "\n",
            String(repeating: "a4c1385d029f;b\n", count: 5_000),
        ] { Dump.expectAnswer(to: Array(text.utf8), "\(text.prefix(30))") }
    }

    // MARK: - Addresses

    @Test("names the addresses that a text may mean that is not one")
    func guesses() {
        func guesses(_ text: String) -> Set<String> { Set(MACAddress.guesses(from: text).map { $0.text(in: .upper) }) }
        #expect(guesses("A4:C1:38:OB:7E:2l") == [Self.kitchen])
        #expect(guesses("A4:C1:38:0X:7E:21").contains(Self.kitchen) && guesses("A4:C1:38:0X:7E:21").count == 16)
        #expect(guesses("A4:C1:38:0B:7E:211").contains(Self.kitchen))
        #expect(guesses("A4:C1:38:0B:7E:2").contains(Self.kitchen))
        #expect(guesses("Kitchen").isEmpty && guesses("A4:C1:38:XX:7E:21").isEmpty && guesses("").isEmpty)
    }
}
