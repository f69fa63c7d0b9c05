import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import Testing

/// Swift apps keep a dictionary as `JSONEncoder`, `PropertyListEncoder` or `NSKeyedArchiver` writes it.
@Suite("a dictionary that is a document in a value")
struct InnerDocumentTests {
    private static let names = ["A4:C1:38:0B:7E:21": "Küche", "A4:C1:38:5D:02:9F": "5\" drive"]
    private static let sorted = ["Küche", "5\" drive"]

    /// How an app may keep the dictionary, as data.
    enum Encoding: String, CaseIterable, Sendable {
        case json, pairs, binary, xml, archive

        func data(of value: some Encodable & Sendable, _ object: Any) throws -> Data {
            switch self {
            case .json: return try JSONEncoder().encode(value)
            case .pairs:
                let pairs = (object as? [String: String] ?? [:]).flatMap { [$0.key, $0.value] }
                return try JSONEncoder().encode(pairs)
            case .binary:
                return try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
            case .xml: return try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
            case .archive:
                return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
            }
        }
    }

    private static func bytes(_ dump: [String: Any]) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: dump, format: .binary, options: 0))
    }

    private func expectNames(_ bytes: [UInt8], isInDictionary: Bool = true) throws {
        let dump = try Dump.read(bytes)
        let values = LegacyValues(dump)
        #expect(values.meters.map { $0.name?.value } == Self.sorted && values.rejects.isEmpty)
        if isInDictionary { #expect(dump.warnings.contains { $0.contains("MeterNames is") }, "\(dump.warnings)") }
    }

    @Test("is read in a property list", arguments: Encoding.allCases)
    func propertyLists(_ encoding: Encoding) throws {
        let data = try encoding.data(of: Self.names, Self.names)
        try expectNames(Self.bytes(["MeterNames": data, "launches": 7]))
        // JSON in text, and data in data.
        if encoding == .json || encoding == .pairs {
            try expectNames(Self.bytes(["MeterNames": String(decoding: data, as: UTF8.self)]))
        }
        let list = try PropertyListSerialization.data(fromPropertyList: data, format: .xml, options: 0)
        try expectNames(Self.bytes(["MeterNames": list]))
        // With the units of which only these were a dictionary.
        let both = try Dump.read(
            Self.bytes(["MeterNames": data, "TC66TemperatureUnits": ["A4:C1:38:0B:7E:21": "celsius"]]))
        #expect(LegacyValues(both).meters.map { $0.unit?.value } == [.celsius, nil])
    }

    @Test("is read in JSON, as text and as the base 64 of data", arguments: Encoding.allCases)
    func json(_ encoding: Encoding) throws {
        let data = try encoding.data(of: Self.names, Self.names)
        try expectNames([UInt8](JSONEncoder().encode(["MeterNames": data])))
        guard encoding == .json || encoding == .pairs else { return }
        try expectNames([UInt8](JSONEncoder().encode(["MeterNames": String(decoding: data, as: UTF8.self)])))
    }

    @Test("may have the dictionaries in it", arguments: [Encoding.json, .binary, .xml, .archive])
    func settings(_ encoding: Encoding) throws {
        let settings = ["MeterNames": Self.names]
        let data = try encoding.data(of: settings, settings)
        try expectNames(Self.bytes(["launches": 7, "settings": data]), isInDictionary: false)
        try expectNames([UInt8](JSONEncoder().encode(["settings": data])), isInDictionary: false)
    }

    @Test(
        "may be the whole dump as an archive, with the dictionaries at its root or each under its key",
        arguments: [
            PropertyListSerialization.PropertyListFormat.binary, .xml,
        ])
    func archives(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let units = ["A4:C1:38:0B:7E:21": "celsius"]
        for isKeyed in [false, true] {
            let archiver = NSKeyedArchiver(requiringSecureCoding: false)
            archiver.outputFormat = format
            if isKeyed {
                archiver.encode(Self.names as NSDictionary, forKey: "MeterNames")
                archiver.encode(units as NSDictionary, forKey: "TC66TemperatureUnits")
            } else {
                let dump = ["MeterNames": Self.names, "TC66TemperatureUnits": units] as NSDictionary
                archiver.encode(dump, forKey: NSKeyedArchiveRootObjectKey)
            }
            let bytes = [UInt8](archiver.encodedData)
            let meters = try LegacyValues(Dump.read(bytes)).meters
            #expect(meters.map { $0.name?.value } == Self.sorted && meters.map { $0.unit?.value } == [.celsius, nil])
        }
    }

    @Test("is refused with what to send, where nobody can read it")
    func refused() throws {
        let documents: [Any] = [
            Data("{\"A4:C1:38:0B:7E:21\": \"K".utf8), Data([1, 2, 3]), Data(), Data("[1, 2]".utf8), "x", [1, 2], 7,
            Data("[\"a\", \"b\"]".utf8), try Encoding.archive.data(of: "x", Date() as NSDate),
        ]
        for document in documents {
            let error = try #require(Dump.refusal(Self.bytes(["MeterNames": document])), "\(document)")
            #expect(error.message.hasPrefix("MeterNames is not a dictionary but "), "\(error.message)")
            #expect(error.hint?.hasPrefix("send it as a dictionary") == true, "\(error.hint ?? "")")
        }
    }

    @Test("is looked for no deeper than three documents")
    func depth() throws {
        var data = try Encoding.binary.data(of: Self.names, Self.names)
        for _ in 1..<3 {
            data = try PropertyListSerialization.data(fromPropertyList: data, format: .binary, options: 0)
        }
        try expectNames(Self.bytes(["MeterNames": data]))
        data = try PropertyListSerialization.data(fromPropertyList: data, format: .binary, options: 0)
        #expect(Dump.complaint(try Self.bytes(["MeterNames": data]))?.contains("not a dictionary but data") == true)
    }

    @Test("leaves a name that looks like one a name")
    func names() throws {
        let names = ["A4:C1:38:0B:7E:21": "{\"a\": 1}", "A4:C1:38:5D:02:9F": "W10="]
        for bytes in [try Self.bytes(["MeterNames": names]), [UInt8](try JSONEncoder().encode(["MeterNames": names]))] {
            #expect(LegacyValues(try Dump.read(bytes)).meters.map { $0.name?.value } == ["{\"a\": 1}", "W10="])
        }
    }

    @Test("is one of many limits: what a small one expands to is bounded by its size")
    func bombs() throws {
        // A list of eight lists of eight lists …, each object once.
        var object: [UInt8] = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in UInt8(0)..<12 {
            offsets.append(UInt8(object.count))
            object += level == 11 ? [0x51, 0x78] : [0xA8] + [UInt8](repeating: level + 1, count: 8)
        }
        let table = UInt8(object.count)
        object += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 8)
        object += [0, 0, 0, 0, 0, 0, 0, table]
        #expect(Dump.complaint(try Self.bytes(["MeterNames": Data(object)]))?.contains("not a dictionary") == true)
    }
}

@Suite("values of other writers")
struct OtherWritersTests {
    private func kept(_ value: String) -> String? {
        Dump.complaint("{ MeterNames = { \"A4:C1:38:0B:7E:21\" = K; }; other = \(value); }")
    }

    @Test(
        "of GNUstep are read with their types",
        arguments: [
            "<*I5>", "<*I-5>", "<*I18446744073709551615>", "<*R0.5>", "<*R1e-3>", "<*BY>", "<*BN>", "<*I\"5\">",
            "<*D2026-11-21 10:15:00 +0000>", "<*D2026-11-21 10:15:00 -0130>", "<[D71x]>", "<[]>", "<0fbd 777f>", "<>",
        ])
    func types(_ value: String) { #expect(kept(value) == nil) }

    @Test(
        "of GNUstep that no type has are refused",
        arguments: [
            "<*I5.5>", "<*I18446744073709551616>", "<*Rx>", "<*BX>", "<*X5>", "<*>", "<*I5", "<[!]>", "<[D71x>",
            "<*D2026>x",
        ])
    func noTypes(_ value: String) { #expect(kept(value) != nil) }

    @Test("of a GNUstep dump are no names where they are numbers")
    func numbers() throws {
        let dump = try Dump.read("{ MeterNames = { \"A4:C1:38:0B:7E:21\" = <*I5>; \"A4:C1:38:5D:02:9F\" = K; }; }")
        #expect(LegacyValues(dump).rejects.map(\.value) == [.integer(5)])
    }

    @Test(
        "may have white space where there is no data", arguments: ["", "\n\t", "\n\t\t\t\n", "    ", " <!-- none --> "])
    func emptyData(_ space: String) throws {
        let dump =
            "<plist><dict><key>MeterNames</key><dict><key>A4:C1:38:0B:7E:21</key><string>K</string></dict>"
            + "<key>other</key><data>\(space)</data></dict></plist>"
        #expect(try Dump.read(dump).entries.count == 1)
        #expect(Dump.complaint(dump.replacing("<data>", with: "<data>A"))?.contains("not base64") == true)
    }

    @Test(
        "which cannot be read are refused with what to send",
        arguments: [
            "{ MeterNames: { 'A4:C1:38:0B:7E:21': 'K' } }", "{MeterNames: {\"A4:C1:38:0B:7E:21\": \"K\"}}",
            "{\"MeterNames\": {\"A4:C1:38:0B:7E:21\": undefined}}",
            "{\"MeterNames\": {\"A4:C1:38:0B:7E:21\": \"a\nb\"}}",
            "{\"MeterNames\": {}}\n<- all", "{\"MeterNames\": {}, \"MeterNames\": {}}", "{\"MeterNames\": {\"A4", "{",
            "[NaN]",
            "<plist><dict><key>a</key></dict></plist>", "<plist><date>x</date></plist>", "bplist00", "{ a = ; }", "( a",
        ])
    func refusals(_ text: String) throws {
        let error = try #require(Dump.refusal(Array(text.utf8)))
        #expect(error.hint?.contains("send") == true || error.hint?.contains("ask") == true, "\(error.hint ?? "")")
    }
}
