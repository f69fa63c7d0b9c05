import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("dumps of every format")
struct DumpFormatTests {
    private typealias Format = KeyValueDump.Format

    /// What every sample with both dictionaries says.
    private static let entries =
        (SampleDumps.names.map { Dump.name($0, $1) } + SampleDumps.units.map { Dump.unit($0, $1) }).inFixedOrder()

    /// The shelf's samples in a folder of their own.
    private func withSamples<Value>(_ use: (_ folder: String) throws -> Value) throws -> Value {
        try TemporaryFolder.use { folder in
            for sample in SampleShelf.dumps { try sample.make(folder) }
            return try use(folder)
        }
    }

    @Test(
        "say the same",
        arguments: [
            ("kv-xml.plist", Format(.xmlPropertyList, .root)),
            ("kv-binary.plist", Format(.binaryPropertyList, .root)),
            ("kv.json", Format(.json, .root)),
            ("kv-bom.json", Format(.json, .root)),
            ("kv-synced-preferences.plist", Format(.xmlPropertyList, .syncedPreferences)),
            ("kv-database.sqlite", Format(.database, .app("ro.xdev.USB-Meter"))),
            ("kv-defaults-read.txt", Format(.textPropertyList, .root)),
            ("kv-nested.plist", Format(.xmlPropertyList, .nested(["ro.xdev.USB-Meter"]))),
        ])
    private func same(file: String, form: KeyValueDump.Format) throws {
        try withSamples { folder in
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            let dump = try KeyValueDump(.file(folder + "/" + file))
            #expect(dump.entries == Self.entries)
            #expect(dump.format == form)
            #expect(dump.ignoredKeys == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
            let values = LegacyValues(dump.entries)
            #expect(values.rejects.isEmpty && values.empty == 0)
            #expect(values.used == Self.entries.count)
        }
    }

    @Test("may have one dictionary, or two empty ones")
    func sparse() throws {
        try withSamples { folder in
            let names = try KeyValueDump(.file(folder + "/kv-only-names.json"))
            #expect(
                names.entries == [
                    Dump.name("98-DA-C0-44-7F-3B", "机架电源"), Dump.name("a4c1385d029f", "Bench UM34C"),
                ])
            let empty = try KeyValueDump(.file(folder + "/kv-empty.json"))
            #expect(empty.entries.isEmpty && empty.ignoredKeys == 0)
        }
        #expect(try Dump.read(#"{"MeterNames": null, "TC66TemperatureUnits": {"a": "b"}}"#).entries.count == 1)
    }

    @Test("without either dictionary are an error that lists what is there")
    func neither() {
        #expect(
            Dump.complaint(#"{"SortOrder": 1, "A": {"B": {}}}"#)
                == "neither MeterNames nor TC66TemperatureUnits is in it, only A, SortOrder")
        let keys = (10..<40).map { "\"k\($0)\": 1" }.joined(separator: ",")
        #expect(
            Dump.complaint("{\(keys)}")?.hasSuffix(
                "k10, k11, k12, k13, k14, k15, k16, k17, k18, k19, k20, k21 and 18 more") == true)
        #expect(Dump.complaint("{}") == "neither MeterNames nor TC66TemperatureUnits is in it: it is empty")
        #expect(Dump.complaint("[]") == "an empty list")
        #expect(
            Dump.complaint(#"{"values": {"Sound": {"value": 1}}}"#)
                == "neither MeterNames nor TC66TemperatureUnits is in it, only Sound")
        let error = Dump.refusal(Array(#"{"A4:C1:38:0B:7E:21": 7}"#.utf8))
        #expect(error?.kind == .damaged)
        #expect(error?.hint == "write each meter as \"ADDRESS\": \"NAME\"")
    }

    @Test("in which a dictionary is something else are an error")
    func notADictionary() {
        #expect(Dump.complaint(#"{"MeterNames": "x"}"#) == "MeterNames is not a dictionary but text")
        #expect(
            Dump.complaint(#"{"a": {"TC66TemperatureUnits": [1]}}"#)
                == "TC66TemperatureUnits is not a dictionary but a list")
    }

    @Test("of several apps need the app's name")
    func severalApps() throws {
        let text = #"{"one": {"MeterNames": {"a": "1"}}, "two": {"MeterNames": {"b": "2"}, "x": 1}, "x": 3}"#
        #expect(Dump.complaint(text) == "several places in it have the dictionaries: one, two")
        let two = try Dump.read(text, identifier: "two")
        #expect(two.entries == [Dump.name("b", "2")] && two.ignoredKeys == 1)
        #expect(two.format == Format(.json, .nested(["two"])))
        #expect(
            Dump.complaint(text, identifier: "three")
                == "no key-value store three with the dictionaries in it, only one, two")
        #expect(
            Dump.complaint(#"{"MeterNames": {}}"#, identifier: "one")
                == "no key-value store one: the dictionaries are not in the store of one app")
    }

    @Test("have the SHA-256 of their bytes")
    func digest() throws {
        #expect(
            try Dump.read(#"{"MeterNames": {}}"#).sha256
                == "4aee4ac23eb4d69f6d9764dc6d7bf50bf44203b5930219b4e5e6436305cf6b94")
        #expect(try Dump.read(#"{"MeterNames": {} }"#).sha256 != Dump.read(#"{"MeterNames": {}}"#).sha256)
    }

    @Test("do not depend on the order of their entries", arguments: [UInt64](1...20))
    func order(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let members = SampleDumps.names.map { "\"\($0)\": \"\($1.count)\"" }
        let text = members.shuffled(using: &generator).joined(separator: ", ")
        let sorted = members.sorted().joined(separator: ", ")
        #expect(
            try Dump.read("{\"MeterNames\": {\(text)}}").entries == Dump.read("{\"MeterNames\": {\(sorted)}}").entries,
            "seed \(seed)")
    }

    @Test("may be UTF-16")
    func utf16() throws {
        let text = #"{"MeterNames": {"a": "Încărcător 🔌"}}"#
        for isBig in [true, false] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap {
                isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
            }
            #expect(try Dump.read(bytes).entries == [Dump.name("a", "Încărcător 🔌")])
            #expect(Dump.complaint(Array(bytes.dropLast())) == "UTF-16 text with an odd number of bytes")
        }
    }

    @Test("from a wrong path have an error that says why")
    func paths() throws {
        #expect(
            Dump.refusal(.file("no/such"))
                == StoreError(.notFound, at: "no/such", "no such file", hint: "check the path of the dump"))
        #expect(Dump.refusal(.file(TemporaryFolder.parent))?.message == "a directory, not a dump")
        #expect(Dump.complaint([]) == "an empty file, 0 bytes")
        #expect(
            Dump.complaint([0xFF, 0xD8, 0xFF, 0xE0])
                == "not a dump but a JPEG picture: neither a property list nor JSON nor a list nor a key-value database"
        )
        #expect(KeyValueSource(argument: "-") == .standardInput)
        #expect(KeyValueSource(argument: "./-") == .file("./-"))
    }
}
