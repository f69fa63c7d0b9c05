import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("the stores in the file system of a phone, and in the simulators' folder")
struct KnownPlacesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let store = StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21")])
    private static let app = "0A0A0A0A-0000-4000-8000-000000000001"
    private static let support = "Library/Application Support"

    @discardableResult
    private func make(_ path: String, _ fixture: StoreFixture = Self.store) throws -> String {
        let place = "\(folder.path)/all/\(path)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try fixture.write(to: place + "/CKModel.sqlite")
        return place + "/CKModel.sqlite"
    }

    static let places = [
        "private/var/mobile/Containers/Data/Application/\(app)/\(support)",
        "filesystem1/private/var/mobile/Containers/Data/Application/\(app)/\(support)",
        "EXTRACTION_FFS/filesystem1/private/var/mobile/Containers/Data/Application/\(app)/\(support)/USB Meter",
        "var/mobile/Containers/Shared/AppGroup/\(app)/\(support)/USB Meter",
        "mobile/Containers/Shared/AppGroup/\(app)", "Containers/Data/Application/\(app)/\(support)",
        "Devices/\(app)/data/Containers/Data/Application/\(app)/\(support)",
        "CoreSimulator/Devices/\(app)/data/Containers/Data/Application/\(app)/\(support)",
        "Library/Developer/CoreSimulator/Devices/\(app)/data/Containers/Data/Application/\(app)/\(support)",
        "data/Containers/Data/Application/\(app)/\(support)",
    ]

    @Test("are found, each once, from a folder that has it, with or without a slash", arguments: places)
    func found(_ place: String) throws {
        let path = try make(place)
        for root in [folder.path + "/all", folder.path + "/all/"] {
            let found = try StorePlaces(in: root)
            #expect(found.places.map { $0.path.replacing("//", with: "/") } == [path])
            #expect(found.isOfContainers && !found.isHome)
        }
        #expect(try StorePlaces.store(named: folder.path + "/all") == path)
    }

    @Test("are found in a home folder beside those of the Mac's apps")
    func home() throws {
        let first = try make("Library/Containers/ro.xdev.USB-Meter/Data/\(Self.support)")
        let second = try make(
            "Library/Developer/CoreSimulator/Devices/\(Self.app)/data/Containers/Data/Application/\(Self.app)/\(Self.support)"
        )
        let found = try StorePlaces(in: folder.path + "/all")
        #expect(found.isHome && found.places.map(\.path) == [first, second])
    }

    @Test("of which there is none are looked for everywhere, and how deep is said")
    func none() throws {
        try make("private/var/mobile/Containers/Data/Application/\(Self.app)/Documents/a")
        let found = try StorePlaces(in: folder.path + "/all")
        #expect(!found.isOfContainers && found.places.isEmpty && found.bound == .depth(8))
        #expect(found.seen.contains("it was searched 8 folders deep") && !found.seen.contains("there is no file"))
    }

    @Test("have a key-value store beside them, which is no store of another app")
    func keyValueStores() throws {
        let kvs = "\(folder.path)/all/Containers/Data/InternalDaemon/\(Self.app)/com.apple.kvs"
        try FileManager.default.createDirectory(atPath: kvs, withIntermediateDirectories: true)
        let name = "com.apple.KeyValueService.EndToEndEncrypted-Production.sqlite"
        try KeyValueDatabaseFixture([.init("ro.xdev.USB-Meter", ["launches": .data([])])]).write(to: "\(kvs)/\(name)")
        for root in [folder.path + "/all", kvs] {
            let found = try StorePlaces(in: root)
            #expect(
                found.places.isEmpty && found.others.contains { $0.kind == "a key-value store, which import-kv reads" })
            let refusal = #expect(throws: StoreError.self) { try StorePlaces.store(named: root) }
            #expect(refusal?.hint?.contains("import-kv") == true, "\(refusal?.hint ?? "")")
        }
    }

    static let keyValueFolders = [
        (
            "private/var/mobile/Containers/Data/Application/\(app)/\(support)",
            "private/var/mobile/Library/SyncedPreferences"
        ),
        ("Library/Containers/ro.xdev.USB-Meter/Data/\(support)", "Library/SyncedPreferences"),
        ("Library/Containers/ro.xdev.USB-Meter/Data/\(support)", "Library/Daemon Containers/\(app)/Data"),
    ]

    @Test("are named together with a key-value store where the system keeps one", arguments: keyValueFolders)
    func keyValueStore(_ store: String, _ place: String) throws {
        let path = try make(store)
        let kvs = "\(folder.path)/all/\(place)/com.apple.kvs"
        try FileManager.default.createDirectory(atPath: kvs, withIntermediateDirectories: true)
        let name = "com.apple.KeyValueService-Production.sqlite"
        try KeyValueDatabaseFixture([.init("ro.xdev.USB-Meter", ["launches": .data([])])]).write(to: "\(kvs)/\(name)")
        let found = try StorePlaces(in: folder.path + "/all")
        #expect(found.places.map(\.path) == [path])
        #expect(found.keyValueStore?.path == "\(kvs)/\(name)")
    }
}

@Suite("a store that iCloud Drive has not downloaded")
struct CloudPlaceholderTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/CKModel.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        try StoreFixture(records: [Meters.healthy]).write(to: store)
    }

    /// Puts a placeholder in the place of a file.
    private func evict(_ name: String) throws {
        let plist = PropertyList.dictionary([
            "NSURLNameKey": .string(name), "NSURLFileSizeKey": .integer(5),
            "NSURLFileResourceTypeKey": .string("NSURLFileResourceTypeRegular"),
        ])
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        try FileBytes.write(plist.binaryPropertyList(), to: "\(folder.path)/.\(name).icloud")
    }

    private func refusal(_ path: String) -> StoreError? {
        do throws(StoreError) {
            _ = try Verify.report(StorePlaces.store(named: path), VerifyOptions(now: TestStore.now))
        } catch { return error }
        return nil
    }

    @Test("is named by its placeholder, and to be downloaded", arguments: [true, false])
    func mainFile(withLog: Bool) throws {
        try evict("CKModel.sqlite")
        if !withLog { try evict("CKModel.sqlite-wal") }
        for path in [store, folder.path, folder.path + "/.CKModel.sqlite.icloud"] {
            let error = try #require(refusal(path), "\(path)")
            #expect(error.message.contains("not downloaded from iCloud Drive"), "\(error.message)")
            #expect(error.hint == CloudPlaceholder.advice, "\(error.hint ?? "")")
        }
        #expect(try StorePlaces(in: folder.path).seen.contains("not downloaded from iCloud Drive"))
    }

    @Test("lacks its log for certain where a placeholder is in the place of that")
    func log() throws {
        try evict("CKModel.sqlite-wal")
        let report = try Verify.report(store, VerifyOptions(now: TestStore.now))
        let finding = try #require(report.findings.first { $0.id == "wal-missing" })
        #expect(finding.severity == .error && finding.message.description.contains("not downloaded from iCloud Drive"))
        #expect(finding.cure.description == CloudPlaceholder.advice)
    }

    @Test("and came as zeros has nothing to recover", arguments: [1, 100, 65_536, 3_000_000])
    func zeros(_ size: Int) throws {
        try FileBytes.write([UInt8](repeating: 0, count: size), to: store)
        let error = try #require(refusal(store))
        #expect(
            error.kind == .damaged
                && error.message == "nothing but zeros, \(size) bytes: a copy that was begun and never filled")
        #expect(error.hint?.contains("recover") == false)
        // One other byte is something.
        try FileBytes.write([UInt8](repeating: 0, count: size) + [1], to: store)
        #expect(refusal(store)?.message.contains("zeros") == false)
    }
}
