import CoreDataStore
import MeterModel
import Testing

@testable import MeterRepair

@Suite("A property list in a redacted copy")
struct MetadataRedactionTests {
    private let replacements = Replacements(continuing: RedactionMap(), letterCase: .upper)
    private var values: ValueRedaction {
        ValueRedaction(replacements: replacements, words: HarmlessWords(entities: ["Tag"], names: []))
    }

    private func redacted(_ dictionary: [String: PropertyList]) throws -> [String: PropertyList] {
        try redacted(.dictionary(dictionary), values)
    }

    /// Collected, numbered and replaced.
    private func redacted(_ list: PropertyList, _ values: ValueRedaction) throws -> [String: PropertyList] {
        _ = values.metadata(list.binaryPropertyList(), in: "Z_METADATA.Z_PLIST")
        replacements.assignNumbers()
        let bytes = values.metadata(list.binaryPropertyList(), in: "Z_METADATA.Z_PLIST")
        return try #require(try PropertyList(binary: bytes).dictionary)
    }

    @Test("keeps what Core Data and meterfix write")
    func kept() throws {
        let dictionary: [String: PropertyList] = [
            "NSStoreModelVersionHashes": .dictionary(["Tag": .data(Array(0..<32))]), "NSStoreType": .string("SQLite"),
            "NSStoreModelVersionHashesDigest": .string(
                "DZH049AhNyf19IPh6FZt81Vr/aRlmwVvAaNRngZ44WDn5E3xiNjmS4gxMawBX3a5Dkxp0TwpS89lwEcWVhh7LQ=="),
            "NSStoreModelVersionHashesVersion": .integer(3),
            "NSStoreModelVersionIdentifiers": .array([.string("USB_Meter 2")]), "_NSAutoVacuumLevel": .string("2"),
            "NSPersistenceFrameworkVersion": .integer(1526), "cloudStoreRebuildVersion": .integer(3),
            "cloudStoreRebuildVersion.3": .bool(true),
        ]
        #expect(try redacted(dictionary) == dictionary)
        #expect(replacements.tally.unknown.isEmpty)
    }

    @Test("has neither keys nor values of anybody else, not even numbers, and says so")
    func others() throws {
        let result = try redacted([
            "AnasPhone": .array([
                .integer(5_551_234), .string("Ana"), .bool(true), .data([1, 2, 3]), .unsigned(.max),
            ]),
            "NSStoreType": .string("Ana"), "legacyKeyValueImport": .string("Ana"), "NSStoreModelVersionHashes": .null,
        ])
        #expect(result.count == 4 && result["AnasPhone"] == nil && result["NSStoreType"] == nil)
        let list = try #require(result.values.compactMap(\.array).first)
        #expect(list.count == 5 && list[0] != .integer(5_551_234) && list[0].integer != nil && list[2] == .bool(true))
        #expect(list[4].integer.map { $0 > list[0].integer ?? .max } == true)
        #expect(!"\(result)".contains("Ana"))
        #expect(replacements.tally.unknown.keys.contains("the key AnasPhone of the metadata dictionary"))
    }

    @Test(
        "keeps no text in place of a digest, and none that is spelled like one",
        arguments: [
            "Erika", "ErikaMustermann1", "ErikaMustermann/+1234567890", "RXJpa2EgTXVzdGVybWFubiwgMTIgTWFpbiBTdHJlZXQh",
        ])
    func digest(_ text: String) throws {
        for key in ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"] {
            #expect(try !redacted([key: .string(text)]).values.contains(.string(text)))
        }
    }

    @Test("keeps what the model calls its version, and nothing that somebody else called it")
    func versions() throws {
        let values = ValueRedaction(
            replacements: replacements, words: HarmlessWords(entities: [], names: [], versions: ["Meters of Ana 7"]))
        let key = "NSStoreModelVersionIdentifiers"
        func identifiers(_ text: String) throws -> [PropertyList]? {
            let list = PropertyList.dictionary([key: .array([.string(""), .string(text)])])
            return try redacted(list, values).values.first?.array
        }
        #expect(try identifiers("Meters of Ana 7") == [.string(""), .string("Meters of Ana 7")])
        #expect(try identifiers("Erika")?.contains(.string("Erika")) == false)
    }

    @Test("of an import keeps its date and not the digest of the dump")
    func legacyImport() throws {
        let digest = String(repeating: "ab", count: 32)
        let mark: PropertyList = .dictionary(["date": .date(7), "sha256": .string(digest)])
        let result = try redacted(["legacyKeyValueImport": mark])["legacyKeyValueImport"]?.dictionary
        #expect(result?["date"] == .date(7) && result?["sha256"]?.string?.count == 64)
        #expect(result?["sha256"]?.string != digest)
    }

    @Test("of a token keeps the number of its transaction, and names the new store")
    func token() throws {
        let store = "0B7C1A42-6E5D-4F00-9A3B-2C1D0E9F8A7B"
        let archive = PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"),
            "$objects": .array([.string("$null"), .string(store), .integer(41)]),
            "Ana": .string("Ana"),
        ])
        _ = values.archive(archive.binaryPropertyList(), of: nil, in: "")
        replacements.assignNumbers()
        let bytes = values.archive(archive.binaryPropertyList(), of: nil, in: "")
        let result = try #require(try PropertyList(binary: bytes).dictionary)
        #expect(
            result["$objects"]?.array == [
                .string("$null"), .string(replacements.text(store, .id, in: "")), .integer(41),
            ])
        #expect(!"\(result)".contains("Ana"))
    }
}
