import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("redact, of what a store has besides values,")
struct RedactSchemaTests {
    private static let store = "healthy.sqlite"

    private static func redact(_ folder: ScratchFolder) throws -> MeterfixProcess.Answer {
        try folder.meterfix("redact", store, "copy.sqlite", "--now", SampleSession.now)
    }

    @Test(
        "keeps no name and no type that somebody gave by hand without naming it",
        arguments: [
            ("CREATE TABLE anas_list (wer TEXT)", "the table anas_list, its columns and their types"),
            ("ALTER TABLE ZDEVICESETTINGS ADD COLUMN anas_phone VARCHAR", "the column anas_phone of ZDEVICESETTINGS"),
            (
                "ALTER TABLE ZDEVICESETTINGS ADD COLUMN anas_age ANAS_OWN",
                "the type of the column anas_age of ZDEVICESETTINGS"
            ), ("ALTER TABLE ACHANGE ADD COLUMN anas_note VARCHAR", "the column anas_note of ACHANGE"),
            ("CREATE VIEW ana AS SELECT ZMETERNAME FROM ZDEVICESETTINGS", "the view ana"),
            ("CREATE INDEX ana ON ZDEVICESETTINGS (ZMETERNAME)", "the index ana"),
        ])
    func byHand(_ statement: String, _ named: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute(statement, in: Self.store)
        let answer = try Self.redact(folder)
        #expect(answer.code == 2, "\(answer.stderr)")
        #expect(answer.stdout.contains("- \(named)\n"), "\(answer.stdout)")
        #expect(answer.stdout.contains("read it before you send the copy"))
    }

    @Test("names nothing that Core Data or the app named", arguments: ["healthy", "check-recovered-store"])
    func own(_ sample: String) throws {
        let folder = try ScratchFolder(sample: sample)
        let answer = try folder.meterfix("redact", "\(sample).sqlite", "copy.sqlite", "--now", SampleSession.now)
        #expect(answer.code == 0 && !answer.stdout.contains("neither Core Data"), "\(answer.stdout)")
    }

    @Test("leaves no name of an entity that neither the model nor a table has")
    func entity() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute(
            "INSERT INTO Z_PRIMARYKEY VALUES (77, 'AnasSecret', 0, 0), (78, 'AnasChild', 1, 0)", in: "duplicates.sqlite"
        )
        let answer = try folder.meterfix("redact", "duplicates.sqlite", "copy.sqlite", "--now", SampleSession.now)
        #expect(answer.code == 0, "\(answer.stdout)")
        #expect(Data(try folder.bytes("copy.sqlite")).range(of: Data("Anas".utf8)) == nil)
    }

    @Test("leaves no text in the version hashes", arguments: [true, false])
    func hashes(isKey: Bool) throws {
        let folder = try ScratchFolder(sample: "healthy")
        let secret = "Ana Popescu, Strada Lunga 12, 3c"
        try folder.change(Self.store) { database in
            let bytes = try #require(try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA"))
            var list = try #require(try PropertyList(binary: [UInt8](bytes)).dictionary)
            var hashes = try #require(list["NSStoreModelVersionHashes"]?.dictionary)
            hashes[isKey ? secret : "DeviceSettings"] = .data(isKey ? Array(0..<32) : Array(secret.utf8))
            list["NSStoreModelVersionHashes"] = .dictionary(hashes)
            try database.execute(
                sql: "UPDATE Z_METADATA SET Z_PLIST = ?",
                arguments: [Data(PropertyList.dictionary(list).binaryPropertyList())])
        }
        let answer = try Self.redact(folder)
        #expect(answer.code == 2, "\(answer.stdout)")
        #expect(answer.stdout.contains("the key NSStoreModelVersionHashes of the metadata dictionary"))
        let copy = try folder.bytes("copy.sqlite")
        #expect(Data(copy).range(of: Data(secret.utf8)) == nil)
    }

    @Test("leaves no text in defaults and user info of the cached model, and the model is the same")
    func model() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let secrets = ["Anas Vorgabe", "Anas Notiz", "Anas Stichwort"]
        var before: ManagedObjectModel?
        try folder.change(Self.store) { database in
            let bytes = try #require(try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE"))
            before = try ManagedObjectModel(modelCache: [UInt8](bytes))
            let archive = try [UInt8](bytes).inflated(limit: 1 << 20)
            var list = try #require(try PropertyList(binary: archive).dictionary)
            var objects = try #require(list["$objects"]?.array)
            let first = UInt64(objects.count)
            for index in objects.indices {
                guard var entries = objects[index].dictionary,
                    entries["NSUserInfo"] != nil || entries["NSPropertyName"] != nil
                else { continue }
                if entries["NSPropertyName"] != nil { entries["NSDefaultValue"] = .uid(first) }
                entries["NSUserInfo"] = .uid(first + 1)
                objects[index] = .dictionary(entries)
            }
            objects += [
                .string(secrets[0]),
                // One that leads back to itself.
                .dictionary([
                    "NS.keys": .array([.uid(first + 2), .uid(first + 2)]),
                    "NS.objects": .array([.uid(first + 3), .uid(first + 1)]), "$class": .uid(first + 4),
                ]),
                .string(secrets[2]), .string(secrets[1]),
                .dictionary([
                    "$classname": .string("NSDictionary"),
                    "$classes": .array([.string("NSDictionary"), .string("NSObject")]),
                ]),
            ]
            list["$objects"] = .array(objects)
            let changed = try PropertyList.dictionary(list).binaryPropertyList().deflated()
            try database.execute(sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", arguments: [Data(changed)])
        }
        let answer = try Self.redact(folder)
        #expect(answer.code == 0, "\(answer.stdout)")
        #expect(answer.stdout.contains("defaults and user info in Z_MODELCACHE.Z_CONTENT"))
        try StoreText.read(folder.path + "/copy.sqlite") { database in
            let bytes = try #require(try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE"))
            #expect(try ManagedObjectModel(modelCache: [UInt8](bytes)) == before)
            let archive = Data(try [UInt8](bytes).inflated(limit: 1 << 20))
            for secret in secrets { #expect(archive.range(of: Data(secret.utf8)) == nil, "\(secret)") }
            #expect(archive.range(of: Data("Text 1".utf8)) != nil)
        }
    }
}
