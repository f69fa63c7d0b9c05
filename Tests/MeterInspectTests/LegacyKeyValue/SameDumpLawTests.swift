import CoreDataStore
import Foundation
import JSON
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

/// One random dictionary, written in every way that people send.
@Suite("Law: the same names and units")
struct SameDumpLawTests {
    private struct Household {
        var names: [String: String] = [:]
        var units: [String: String] = [:]

        private static let pieces = [
            "Küche", "\"", "'", "\\", "5 V", " ", ",", ";", "=", "->", ":", "|", "🔋", "電源", "\n", "\t", "{", "]", "<",
            "&", "e\u{301}", "\\n", "=>", "U00fc", "“", "\u{7}",
        ]

        init(_ random: inout SeededGenerator, isOneLine: Bool) {
            for place in 0..<Int.random(in: 1...8, using: &random) {
                let address = MACAddress(bits: 0xA4C1_3800_0000 | UInt64(place)).text(in: .upper)
                let pieces = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    Self.pieces.randomElement(using: &random)!
                }
                let name = WhiteSpace.trimmed("n" + pieces.joined() + "m")
                names[address] = isOneLine ? String(name.unicodeScalars.filter { $0.value >= 0x20 }) : name
                if Bool.random(using: &random) {
                    units[address] = TemperatureUnit.allCases.randomElement(using: &random)!.rawValue
                }
            }
        }

        var list: PropertyList {
            .dictionary([
                "MeterNames": .dictionary(names.mapValues(PropertyList.string)),
                "TC66TemperatureUnits": .dictionary(units.mapValues(PropertyList.string)),
            ])
        }

        private static func object(_ members: [String: String]) -> JSONValue {
            .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        }

        var json: JSONValue { ["MeterNames": Self.object(names), "TC66TemperatureUnits": Self.object(units)] }

        var objects: [JSONValue] {
            names.sorted { $0.key < $1.key }.map { address, name in
                var members: [String: String] = ["mac": address, "name": name]
                members["unit"] = units[address]
                return Self.object(members)
            }
        }

        func table(_ separator: String) -> String {
            names.sorted { $0.key < $1.key }.map { address, name in
                let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
                return [address, quoted, units[address] ?? ""].joined(separator: separator) + "\r\n"
            }.joined()
        }

        var byAddress: JSONValue {
            .object(
                names.sorted { $0.key < $1.key }.map { address, name in
                    var members: [String: String] = ["name": name]
                    members["unit"] = units[address]
                    return .init(address, Self.object(members))
                })
        }
    }

    @Test("in every notation that can be read import to the same", arguments: LawSeeds.first(40))
    func same(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let home = Household(&random, isOneLine: false)
        let json = home.json.text(pretty: Bool.random(using: &random))
        let expected = LegacyValues(try Dump.read(json)).meters
        #expect(expected.count == home.names.count, "seed \(seed)")
        let both = ["MeterNames": home.names, "TC66TemperatureUnits": home.units]
        let texts = [
            "XML": DumpText.xml(home.list), "defaults read": DumpText.oldStyle(home.list), "print": "\(both)",
            "print of an optional": "\(Optional(both) as Any)",
            "labels": "MeterNames: \(home.names)\nTC66TemperatureUnits: \(home.units)\n",
            "objects": home.objects.text(pretty: true),
            "JSON lines": home.objects.map { $0.text(pretty: false) }.joined(separator: "\n"),
            "by address": home.byAddress.text(pretty: false), "semicolons": home.table(";"),
            "commas": "mac,name,unit\n" + home.table(","), "tabs": home.table("\t"),
            "sep": "sep=|\r\n" + home.table("|"), "wrapped": "{\"a\": [{\"b\": \(json)}]}",
        ]
        for (kind, text) in texts {
            // A text in XML has no control characters.
            if kind == "XML", home.names.values.contains(where: { $0.contains("\u{7}") }) { continue }
            // `defaults read` doubles the backslash of its own escapes: this one looks like one of them.
            if kind == "defaults read", home.names.values.contains(where: { $0.contains("\\U") }) { continue }
            func meters(_ bytes: [UInt8]) throws -> [String] {
                LegacyValues(try Dump.read(bytes)).meters.map {
                    "\($0.address) \($0.name?.value ?? "") \(String(describing: $0.unit?.value))"
                }
            }
            let plain = try meters(Array(json.utf8))
            #expect(try meters(Array(text.utf8)) == plain, "seed \(seed), \(kind): \(text)")
            let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            #expect(try meters(wide) == plain, "seed \(seed), \(kind) in UTF-16: \(text)")
        }
    }

    @Test("in lines import to the same, or are refused as a whole", arguments: LawSeeds.first(40))
    func lines(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let home = Household(&random, isOneLine: true)
        for sign in [" = ", " -> ", ": ", " → ", " – ", " - ", " "] {
            let text = home.names.sorted { $0.key < $1.key }.map { $0 + sign + $1 + "\n" }.joined()
            guard let dump = try? Dump.read(text) else { continue }
            let names = LegacyValues(dump).meters.map { $0.name?.value }
            #expect(names == home.names.sorted { $0.key < $1.key }.map(\.value), "seed \(seed): \(text)")
        }
    }
}
