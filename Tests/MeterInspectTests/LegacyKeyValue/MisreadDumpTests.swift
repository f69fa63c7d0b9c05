import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

/// Dumps of which a part was lost without a word, or came to another field or another meter.
@Suite("a dump that may be read in two ways")
struct MisreadDumpTests {
    private static let (kitchen, bench) = ("A4:C1:38:0B:7E:21", "A4:C1:38:5D:02:9F")

    private static func entries(_ text: String) throws -> [DumpEntry] { try Dump.read(text).entries }

    @Test("has units where a unit stands in the place of each name, and says so", arguments: [" = ", ",", ";", "\t"])
    func units(sign: String) throws {
        let dump = try Dump.read("\(Self.kitchen)\(sign)fahrenheit\n\(Self.bench)\(sign)C\n")
        #expect(dump.entries == [Dump.unit(Self.kitchen, "fahrenheit"), Dump.unit(Self.bench, "C")])
        #expect(dump.warnings.contains { $0.contains("all were read as units") })
        // A letter may be a name, and one name makes names of all.
        for names in [["C", "F"], ["fahrenheit", "Bench"]] {
            let dump = try Dump.read("\(Self.kitchen)\(sign)\(names[0])\n\(Self.bench)\(sign)\(names[1])\n")
            #expect(dump.entries.map(\.value) == names.map { .text($0) })
            #expect(dump.entries.allSatisfy { $0.dictionary == .meterNames })
            #expect(dump.warnings.contains { $0.contains("may be a unit") } == (names[0] == "C"))
        }
    }

    @Test("takes a unit behind a name for one, also behind a blank")
    func unitAsWord() throws {
        let dump = try Dump.read("\(Self.kitchen) Kitchen fahrenheit\n\(Self.bench) Lab °C\n")
        #expect(
            dump.entries == [
                Dump.name(Self.kitchen, "Kitchen"), Dump.name(Self.bench, "Lab"),
                Dump.unit(Self.kitchen, "fahrenheit"), Dump.unit(Self.bench, "°C"),
            ])
        #expect(try Self.entries("\(Self.kitchen) Lab C\n") == [Dump.name(Self.kitchen, "Lab C")])
    }

    @Test("names each dictionary of meters that is left out")
    func otherDictionaries() throws {
        let dump = try Dump.read(
            #"{"MeterNames": {"\#(Self.kitchen)": "K"}, "Units": {"\#(Self.kitchen)": "fahrenheit"}, "version": 2}"#)
        #expect(dump.entries == [Dump.name(Self.kitchen, "K")])
        #expect(dump.warnings == ["other dictionaries of meters were left out: Units"])
    }

    @Test(
        "is refused where no meter has a name or a unit, with what is looked for",
        arguments: [
            #"[{"mac": "KITCHEN", "title": "Kitchen"}]"#, #"{"KITCHEN": {"value": "Kitchen"}}"#,
            #"[{"device": {"mac": "KITCHEN"}, "settings": {"name": "Kitchen"}}]"#,
        ])
    func withoutValues(text: String) throws {
        let error = try #require(
            Dump.refusal(.bytes(Array(text.replacing("KITCHEN", with: Self.kitchen).utf8), name: "d")))
        #expect(error.message.hasPrefix("meters without a name and without a unit"))
        #expect(error.hint?.contains("meterName or label") == true)
    }

    @Test("has what the user gave where one key is empty, and is refused where two differ")
    func names() throws {
        let empty = #"[{"mac": "\#(Self.kitchen)", "name": "", "label": "Kitchen"}]"#
        #expect(try Self.entries(empty) == [Dump.name(Self.kitchen, "Kitchen")])
        #expect(try Self.entries(#"[{"mac": "\#(Self.kitchen)", "name": ""}]"#) == [Dump.name(Self.kitchen, "")])
        let same = #"[{"mac": "\#(Self.kitchen)", "name": "K", "meterName": "K"}]"#
        #expect(try Self.entries(same) == [Dump.name(Self.kitchen, "K")])
        // A running number is no name.
        let numbered = #"[{"mac": "\#(Self.kitchen)", "name": "K", "meter": 1}]"#
        #expect(try Self.entries(numbered) == [Dump.name(Self.kitchen, "K")])
        #expect(try Self.entries("Meter,MAC,Name\n1,\(Self.kitchen),K\n") == [Dump.name(Self.kitchen, "K")])
        let two = #"[{"mac": "\#(Self.kitchen)", "name": "TC66C", "meterName": "Kitchen"}]"#
        #expect(Dump.complaint(two) == "element 1 has TC66C under name and Kitchen under meterName")
    }

    @Test("with columns of one kind has one value in each line, or is refused")
    func columns() throws {
        let list = { (heading: String, line: String) in "\(heading)\n\(line)\n" }
        #expect(
            try Self.entries(list("Address;Name;MAC", "Main street 5;Kitchen;\(Self.kitchen)"))
                == [Dump.name(Self.kitchen, "Kitchen")])
        #expect(
            try Self.entries(list("MAC,Name,Label", "\(Self.kitchen),,Kitchen")) == [Dump.name(Self.kitchen, "Kitchen")]
        )
        #expect(
            Dump.complaint(list("Address;Name;Bluetooth address", "\(Self.bench);Kitchen;\(Self.kitchen)"))?
                .contains("several addresses") == true)
        #expect(
            Dump.complaint(list("MAC,Name,Unit,MAC,Name", "\(Self.kitchen),Kitchen,celsius,\(Self.bench),Bench")) != nil
        )
        #expect(Dump.complaint(list("MAC,Name,Name", "\(Self.kitchen),Kitchen,Bench"))?.contains("both names") == true)
    }

    @Test("names the columns, and the places, that are left out")
    func leftOut() throws {
        let list = try Dump.read("mac,unit,location\n\(Self.kitchen),celsius,Kitchen\n")
        #expect(list.warnings == ["columns that were left out: location"])
        let two = #"{"a": {"MeterNames": {"\#(Self.kitchen)": "K"}}, "b": {"MeterNames": {"\#(Self.bench)": "B"}}}"#
        let chosen = try Dump.read(two, identifier: "a")
        #expect(chosen.entries == [Dump.name(Self.kitchen, "K")])
        #expect(chosen.warnings == ["other places in it were left out: b"])
    }

    @Test("may have a dictionary of addresses and names in each line")
    func bareLines() throws {
        let lines = try Dump.read("{\"\(Self.kitchen)\": \"Kitchen\"}\n{\"\(Self.bench)\": \"Bench\"}\n")
        #expect(lines.entries == [Dump.name(Self.kitchen, "Kitchen"), Dump.name(Self.bench, "Bench")])
        #expect(lines.warnings.contains { $0.hasPrefix("addresses without MeterNames around them") })
    }

    @Test("is refused with the value that is none: of a unit, and of an address")
    func strangeValues() throws {
        let error = try #require(Dump.refusal(Array("\(Self.kitchen);Kitchen;Kelvin\n".utf8)))
        #expect(error.message.contains("Kelvin in the place of its unit") && error.hint?.contains("celsius") == true)
        let number = #"[{"mac": 112233445566, "name": "K"}, {"mac": "\#(Self.bench)", "name": "B"}]"#
        #expect(Dump.complaint(number)?.contains("and no text under mac") == true)
    }

    @Test("has what stands below an empty dictionary at its root")
    func emptyRoot() throws {
        let full = #""old": {"MeterNames": {"\#(Self.kitchen)": "Kitchen"}}"#
        #expect(try Self.entries("{\"MeterNames\": {}, \(full)}") == [Dump.name(Self.kitchen, "Kitchen")])
        let both = try Dump.read(#"{"MeterNames": {"\#(Self.bench)": "Bench"}, \#(full)}"#)
        #expect(both.entries == [Dump.name(Self.bench, "Bench")])
        #expect(both.warnings == ["other dictionaries in it were left out: old"])
    }

    @Test("has no list of a mail that its sender only quotes and writes about")
    func quoted() throws {
        let list = "Kitchen - \(Self.kitchen)\r\nBench - \(Self.bench)"
        let quoted = "On 4 May 2026, Support wrote:\r\n> " + list.replacing("\r\n", with: "\r\n> ")
        func mail(_ text: String) -> String { "\(MailSource.head)Content-Type: text/plain\r\n\r\n\(text)\r\n" }
        #expect(Dump.complaint(mail("No, that list is wrong!\r\n\r\n\(quoted)"))?.contains("without a list") == true)
        let alone = try Dump.read(mail(quoted))
        #expect(alone.entries.count == 2 && alone.warnings.contains { $0.contains("quoted") })
        let own = try Dump.read(mail("\(list.replacing("Bench", with: "Desk"))\r\n\r\n\(quoted)"))
        #expect(own.entries.compactMap(\.value.text) == ["Kitchen", "Desk"])
    }
}
