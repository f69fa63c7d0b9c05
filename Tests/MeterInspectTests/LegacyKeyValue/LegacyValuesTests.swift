import Foundation
import JSON
import MeterInspect
import MeterTestSupport
import Testing

@testable import MeterModel

@Suite("what of a dump can be imported")
struct LegacyValuesTests {
    private static let mac = "A4:C1:38:0B:7E:21"

    private func reasons(_ entries: [DumpEntry]) -> [RejectReason] { LegacyValues(entries).rejects.map(\.reason) }

    @Test("is judged by the words that scripts rely on")
    func words() {
        #expect(
            RejectReason.allCases.map(\.rawValue)
                == [
                    "bad-address", "placeholder-address", "unknown-unit", "no-value", "not-text",
                    "disagreeing-spellings",
                ])
    }

    @Test("is not an entry without a meter's address")
    func addresses() {
        for key in ["UM34C", "", "A4:C1:38:0B:7E", "A4:C1:38:0B:7E:2G", "A4C1380B7E21\u{0}"] {
            #expect(reasons([Dump.name(key, "x")]) == [.badAddress])
        }
        for key in ["00:00:00:00:00:00", "ffffffffffff", "02-00-00-00-00-00"] {
            #expect(reasons([Dump.name(key, "x")]) == [.placeholderAddress])
        }
    }

    @Test("is no word that programs write for no value")
    func noValue() {
        for word in ["NULL", "(null)", "<null>", "#N/A", "\\N", " null "] {
            #expect(reasons([Dump.name(Self.mac, .text(word))]) == [.noValue], "\(word)")
            let unit = DumpEntry(dictionary: .temperatureUnits, key: Self.mac, value: .text(word))
            #expect(reasons([unit]) == [.noValue], "\(word)")
        }
        #expect(reasons([Dump.name(Self.mac, "Null-Leiter")]).isEmpty)
    }

    @Test("is not a name that is not text")
    func notText() {
        let values: [DumpValue] = [
            .bool(true), .integer(5), .real(.nan), .date(Timestamp(secondsSince2001: 0)), .data([1]), .list([]),
            .dictionary([]), .reference(1),
        ]
        for value in values {
            #expect(reasons([Dump.name(Self.mac, value)]) == [.notText])
            #expect(reasons([DumpEntry(dictionary: .temperatureUnits, key: Self.mac, value: value)]) == [.notText])
        }
    }

    @Test("is a unit, however it is written")
    func units() {
        for text in ["celsius", "Celsius", "CELSIUS", " c ", "C", "°C", "° c", "℃", "\u{BA}C"] {
            let unit = LegacyValues([Dump.unit(Self.mac, text)]).meters.first?.unit
            #expect(unit?.value == .celsius, "\(text)")
            #expect(unit?.isRespelled == (text != "celsius"), "\(text)")
        }
        for text in ["fahrenheit", "FahrenHeit", "f", "°f", "℉"] {
            #expect(LegacyValues([Dump.unit(Self.mac, text)]).meters.first?.unit?.value == .fahrenheit, "\(text)")
        }
        for text in ["kelvin", "K", "celsiusc", "0", "°", "c c", String(repeating: "c", count: 1000)] {
            #expect(reasons([Dump.unit(Self.mac, text)]) == [.unknownUnit], "\(text.prefix(20))")
        }
    }

    @Test("is a name without white space around it, with its control characters")
    func names() {
        let values = LegacyValues([Dump.name(Self.mac, "\u{3000} Lab\u{7}\n1\t ")])
        #expect(values.meters.first?.name == LegacyValue("Lab\u{7}\n1", key: Self.mac, isRespelled: true))
        #expect(values.used == 1)
    }

    @Test("is not an empty value, which is not a reject either")
    func empty() {
        let values = LegacyValues([
            Dump.name(Self.mac, ""), Dump.name("a4c1380b7e21", " \u{A0}"), Dump.unit(Self.mac, "\n"),
            Dump.name("not an address", ""), Dump.name("A4-C1-38-0B-7E-21", .null),
        ])
        #expect(values.meters.isEmpty && values.rejects.isEmpty && values.used == 0)
        #expect(values.empty == 5)
    }

    @Test("is nothing of a meter whose address is there twice with different values")
    func disagreeing() {
        let entries = [
            Dump.name(Self.mac, "A"), Dump.name("a4c1380b7e21", "B"), Dump.unit(Self.mac, "C"),
            Dump.name("98:DA:C0:11:AB:0E", "Other"),
        ]
        let values = LegacyValues(entries)
        #expect(values.meters.map(\.name?.value) == ["Other"])
        #expect(values.rejects.count == 3)
        #expect(values.rejects.allSatisfy { $0.reason == .disagreeingSpellings })
        #expect(reasons([Dump.unit(Self.mac, "C"), Dump.unit("a4c1380b7e21", "F")]).count == 2)
        #expect(reasons([Dump.name(Self.mac, "Lab 1"), Dump.name("a4c1380b7e21", "Lab  1")]).count == 2)
    }

    @Test("is one name where both spellings of the address have one that reads the same")
    func readingTheSame() {
        let entries = [Dump.name("a4c1380b7e21", "caf\u{E9}"), Dump.name(Self.mac, "CAFE\u{301} ")]
        let values = LegacyValues(entries)
        #expect(values.rejects.isEmpty && values.meters.map(\.name?.value) == ["CAFE\u{301}"] && values.used == 2)
        #expect(values.meters[0].name?.isRespelled == true)
        #expect(LegacyValues(entries, keepsBlanks: true).rejects.count == 2)
    }

    @Test("is one value if the address is there twice with equal values")
    func agreeing() {
        let values = LegacyValues([
            Dump.name(Self.mac, "A"), Dump.name("a4c1380b7e21", " A"), Dump.unit("A4-C1-38-0B-7E-21", "c"),
            Dump.unit(Self.mac, "celsius"), Dump.name("A4-C1-38-0B-7E-21", ""),
        ])
        #expect(
            values.meters == [
                LegacyMeter(
                    address: MACAddress(bits: 0xA4C1_380B_7E21),
                    name: LegacyValue("A", key: Self.mac, otherKeys: ["a4c1380b7e21"], isRespelled: true),
                    unit: LegacyValue(
                        .celsius, key: "A4-C1-38-0B-7E-21", otherKeys: [Self.mac], isRespelled: true))
            ])
        #expect(values.used == 4 && values.empty == 1 && values.rejects.isEmpty)
    }

    @Test("accounts for every entry, in any order", arguments: [UInt64](1...200))
    func law(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let keys = [
            "A4C1380B7E21", "a4c1380b7e21", "A4:C1:38:0B:7E:21", "98DAC011AB0E", "98:da:c0:11:ab:0e", "000000000000",
            "x", "0015A6003CE8",
        ]
        let texts: [DumpValue] = [.text("A"), .text("A "), .text("B"), .text(""), .integer(1), .null, .text("c")]
        let units: [DumpValue] = [.text("c"), .text("celsius"), .text("F"), .text("K"), .text(" "), .real(2)]
        var entries: [DumpEntry] = []
        for key in keys {
            if Bool.random(using: &generator), let value = texts.randomElement(using: &generator) {
                entries.append(DumpEntry(dictionary: .meterNames, key: key, value: value))
            }
            if Bool.random(using: &generator), let value = units.randomElement(using: &generator) {
                entries.append(DumpEntry(dictionary: .temperatureUnits, key: key, value: value))
            }
        }
        let values = LegacyValues(entries)
        #expect(values.used + values.empty + values.rejects.count == entries.count, "seed \(seed)")
        #expect(LegacyValues(entries.shuffled(using: &generator)) == values, "seed \(seed)")
        let addresses = values.meters.map(\.address)
        #expect(addresses == Set(addresses).sorted(), "seed \(seed)")
        #expect(values.meters.allSatisfy { $0.name != nil || $0.unit != nil }, "seed \(seed)")
        // What was rejected is rejected again, for a part of the reasons it was rejected for.
        let again = LegacyValues(values.rejects.map(\.entry))
        #expect(again.rejects == values.rejects, "seed \(seed)")
    }

    @Test("leaves rejects that can be corrected and read again")
    func rejects() throws {
        let dump = try Dump.read(try Self.sample)
        let values = LegacyValues(dump.entries)
        #expect(Set(values.rejects.map(\.reason)) == Set(RejectReason.allCases))
        let text = values.rejects.dump.text(pretty: true)
        let again = try Dump.read(text)
        #expect(again.entries == values.rejects.map(\.entry))
        #expect(again.format == .init(.json, .root) && again.ignoredKeys == 0)
        #expect(
            values.rejects.first { $0.reason == .notText }?.json(hint: nil).text(pretty: false)
                == #"{"key":"5C:F8:21:9E:40:07","dictionary":"MeterNames","value":["Atelier","Studio"],"reason":"not-text"}"#
        )
    }

    @Test("never turns a value into text on the way through the rejects")
    func foreignValues() throws {
        let values: [DumpValue] = [
            .date(Timestamp(secondsSince2001: 1)), .data([0, 255]), .real(.infinity), .real(.nan), .reference(7),
            .list([.data([1])]), .bool(false), .integer(.min), .real(0.1),
        ]
        let entries = values.enumerated().map { Dump.name("A4:C1:38:0B:7E:0\($0.offset)", $0.element) }
        let rejects = LegacyValues(entries).rejects
        #expect(rejects.count == values.count)
        let again = LegacyValues(try Dump.read(rejects.dump.text(pretty: false)).entries)
        #expect(again.rejects.map(\.reason) == rejects.map(\.reason))
    }

    private static var sample: String {
        get throws {
            try TemporaryFolder.use { folder in
                try SampleShelf.dumps.first { $0.name == "kv-rejects" }?.make(folder)
                return String(decoding: try FileBytes.read(folder + "/kv-rejects.json"), as: UTF8.self)
            }
        }
    }
}
