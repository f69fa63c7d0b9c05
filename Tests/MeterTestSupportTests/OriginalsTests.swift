import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

/// The search that tests of `redact` rely on: what it cannot find, they would not notice.
@Suite("the search for originals")
struct OriginalsTests {
    /// Every fifth sample that SQLite can read and write again, or all of them.
    private static let samples = {
        let readable = SampleShelf.samples.filter {
            $0.refusal != 65 && !["check-not-intact", "check-index-damaged"].contains($0.name)
        }
        let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_REDACTIONS"] != nil
        return isThorough ? readable : stride(from: 0, to: readable.count, by: 5).map { readable[$0] }
    }()

    @Test("finds every text and id of a store in a copy that nobody redacted", arguments: samples)
    func unredacted(_ sample: Sample) throws {
        let folder = try TemporaryFolder()
        try sample.make(folder.path)
        let originals = try Originals(of: folder.path + "/" + sample.storeName)
        let copy = folder.path + "/copy.sqlite"
        try StoreText.read(folder.path + "/" + sample.storeName) {
            try $0.execute(sql: "VACUUM INTO ?", arguments: [copy])
        }
        #expect(originals.missing(in: try Haystack(file: copy)) == [])
        #expect(originals.count > 0)
    }

    @Test(
        "finds every text and id of a store that Core Data wrote",
        .enabled(if: RealStores.isAvailable),
        arguments: [
            "Scout/Scout-v4", "CoreDataPlus/SampleModel2/SampleModel2_V2", "CoreDataPlus/SampleModel/SampleModel_V1",
        ])
    func unredactedReal(_ name: String) throws {
        let path = try #require(RealStores.folder) + "/\(name).sqlite"
        let originals = try Originals(of: path)
        #expect(originals.missing(in: try Haystack(file: path)) == [])
        #expect(originals.count > 0)
    }

    private static let secret = "Grünspecht-Werkstatt"

    /// A place where a text can hide in a file, and what is written there.
    private static let places: [(String, [UInt8])] = {
        let utf8 = Array(secret.utf8)
        let base64 = Array(Data(utf8).base64EncodedString().utf8)
        let hex = utf8.map { String(format: "%02x", $0) }.joined()
        let list = PropertyList.array([.string("x"), .dictionary(["k": .string(secret)])]).binaryPropertyList()
        let data = PropertyList.dictionary(["d": .data(utf8)]).binaryPropertyList()
        let deflated = try? list.deflated()
        let utf16: ([UInt8]) -> [UInt8] = { $0.flatMap { [$0, 0] } }
        let json = secret.unicodeScalars.map { $0.value < 0x80 ? String($0) : "\\u00" + String($0.value, radix: 16) }
        return [
            ("UTF-8", utf8),
            ("UTF-16, little-endian", secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            ("UTF-16, big-endian", secret.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
            ("a binary property list", list), ("data in a property list", data),
            ("an XML property list", Array("<plist><string>Gr&#xFC;nspecht-Werkstatt</string></plist>".utf8)),
            (
                "data in an XML property list",
                Array("<plist><data>\n\t".utf8) + base64 + Array("\n</data></plist>".utf8)
            ),
            ("JSON with escapes", Array("{\"a\": [\"\(json.joined())\"]}".utf8)),
            ("a URL", Array("https://a.example/?q=Gr%C3%BCnspecht-Werkstatt".utf8)),
            ("Base64", base64), ("Base64 in the middle of digits", Array("abQ9".utf8) + base64),
            ("Base64 in UTF-16", utf16(base64)),
            ("hex", Array(hex.utf8)), ("hex in upper case, after a digit", Array(("7" + hex.uppercased()).utf8)),
            ("raw DEFLATE", deflated ?? []),
            ("raw DEFLATE in a property list", PropertyList.array([.data(deflated ?? [])]).binaryPropertyList()),
            ("zlib", [0x78, 0x9C] + (deflated ?? []) + [1, 2, 3, 4]),
            ("gzip, not at the beginning", [9, 9, 9, 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + (deflated ?? [])),
            ("zlib in Base64", Array(Data([0x78, 0x9C] + (deflated ?? [])).base64EncodedString().utf8)),
        ]
    }()

    @Test("finds a text wherever it hides in a value, and not before it is there", arguments: 0..<19)
    func hidden(_ index: Int) throws {
        #expect(Self.places.count == 19)
        let (name, bytes) = Self.places[index]
        let folder = try TemporaryFolder()
        let source = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21", meterName: Self.secret)]))
        let originals = try Originals(of: source)
        let other = try folder.store(StoreFixture(records: []), named: "other.sqlite")
        let before = originals.found(in: try Haystack(file: other)).filter { "\($0)".contains("specht") }
        #expect(before == [], "\(name)")
        for kind in ["BLOB", "TEXT"] where kind == "BLOB" || !bytes.contains(0) {
            try DatabaseQueue.script(at: other) { database in
                try database.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS hiding (a); DELETE FROM hiding;
                        INSERT INTO hiding VALUES (zeroblob(3000)), (CAST(:bytes AS \(kind)))
                        """, arguments: ["bytes": Data(bytes)])
                try database.execute(sql: "VACUUM")
            }
            let found = originals.found(in: try Haystack(file: other)).map { "\($0)" }
            #expect(found.contains { $0.contains("\"\(Self.secret)\"") }, "\(name), \(kind): \(found)")
        }
    }

    @Test("finds a text that SQLite spreads over pages, wherever a page ends in it")
    func overflow() throws {
        let folder = try TemporaryFolder()
        let long = (0..<400).map { "Wort\($0)specht" }.joined(separator: " ")
        let source = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21", meterName: long)]))
        let originals = try Originals(of: source)
        #expect(originals.missing(in: try Haystack(file: source)) == [])
        #expect(originals.count > 400)
    }

    @Test("finds an address and an id in each spelling, and as bytes")
    func spellings() throws {
        let folder = try TemporaryFolder()
        let record = FixtureRecord(row: 1, macAddress: " A4-C1-38-0B-7E-21\n").with { $0.id = FixtureUUID(5).bytes }
        let originals = try Originals(of: try folder.store(StoreFixture(records: [record])))
        for text in [
            "a4:c1:38:0b:7e:21", "A4C1380B7E21", "a4c1380b7e21", "A4C1.380B.7E21", "A4 C1 38 0B 7E 21",
            FixtureUUID(5).text, FixtureUUID(5).text.lowercased(), FixtureUUID(5).text.replacing("-", with: ""),
        ] {
            #expect(originals.found(in: Haystack(bytes: Array("=\(text)=".utf8))).count == 1, "\(text)")
            #expect(originals.found(in: Haystack(bytes: text.utf16.flatMap { [0, UInt8($0)] })).count == 1, "\(text)")
        }
        #expect(originals.found(in: Haystack(bytes: [1, 0xA4, 0xC1, 0x38, 0x0B, 0x7E, 0x21, 1])).count == 1)
        #expect(originals.found(in: Haystack(bytes: [7] + FixtureUUID(5).bytes)).count == 1)
        #expect(originals.found(in: Haystack(bytes: Array("A4:C1:38:0B:7E:22".utf8))).isEmpty)
    }

    @Test("finds what only free pages have, and what only old frames of the log have")
    func leftOver() throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21", meterName: "Bench")]))
        let gone = (0..<200).map { "Specht Nummer \($0)" }.joined(separator: ", ")
        let queue = try DatabaseQueue(path: path, configuration: .forTests)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA secure_delete = OFF;
                    CREATE TABLE gone (a); INSERT INTO gone VALUES (:text); DELETE FROM gone; DROP TABLE gone;
                    PRAGMA wal_checkpoint(TRUNCATE);
                    UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Frühere Werkbank';
                    UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Spätere Werkbank'
                    """, arguments: ["text": gone])
        }
        let copy = folder.path + "/copy.sqlite"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        try queue.close()
        let originals = try Originals(of: copy)
        #expect(originals.leftOverCount > 100)
        let both = try FileBytes.read(copy) + FileBytes.read(copy + "-wal")
        let found = originals.found(in: Haystack(bytes: both)).map { "\($0)" }
        #expect(found.contains { $0.contains("left over in the main file") && $0.contains("Specht Nummer") })
        #expect(found.contains { $0.contains("left over in -wal") && $0.contains("here Werkban") })
        #expect(originals.missing(in: Haystack(bytes: both), withLeftOvers: true) == [])
    }

    @Test("takes no word for an original that every store has")
    func harmless() throws {
        let folder = try TemporaryFolder()
        let records = [FixtureRecord(row: 1, macAddress: "02:00:00:00:00:00", meterName: "iPad")]
        let fixture = StoreFixture(records: records.map { $0.with { $0.modelType = "TC66C" } }).with {
            $0.mirror = .current
        }
        let first = try Originals(of: try folder.store(fixture))
        let second = try folder.store(
            fixture.with {
                $0.storeUUID = FixtureUUID(77).text
                $0.records = []
            }, named: "second.sqlite")
        let found = first.found(in: try Haystack(file: second)).map { "\($0)" }
        // The fixtures are of one maker: bundle, process, the ids of events and of the account.
        #expect(found.allSatisfy { !$0.contains("DEVICESETTINGS") && !$0.contains("Z_METADATA") }, "\(found)")
    }
}

extension Sample: CustomTestStringConvertible {
    package var testDescription: String { storeName }
}
