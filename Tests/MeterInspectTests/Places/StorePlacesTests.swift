import CoreDataStore
import Foundation
import MeterInspect
import MeterTestSupport
import Testing

@Suite("the stores in a folder")
struct StorePlacesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeFolder(_ name: String) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static let store = StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21")])

    private static func refusal(_ path: String) -> StoreError? {
        do { _ = try StorePlaces.store(named: path) } catch { return error }
        return nil
    }

    @Test("are found eight folders deep, and no deeper")
    func depth() throws {
        let place = try makeFolder("c/2/3/4/5/6/7/8")
        try Self.store.write(to: place + "/s.sqlite")
        let root = folder.path + "/c"
        #expect(try StorePlaces.store(named: root) == place + "/s.sqlite")
        #expect(try StorePlaces.store(named: root + "/") == place + "/s.sqlite")
        let deeper = try makeFolder("c/2/3/4/5/6/7/8/9")
        try FileManager.default.moveItem(atPath: place + "/s.sqlite", toPath: deeper + "/s.sqlite")
        let found = try StorePlaces(in: root)
        #expect(found.isCut && found.places.isEmpty)
        #expect(Self.refusal(root)?.kind == .notFound)
    }

    @Test("tell what tells them apart; those in the folders of backups, and the log's files, are none")
    func facts() throws {
        let path = try folder.store(Self.store)
        _ = try makeFolder("CKModel.sqlite.meterfix/1")
        try Self.store.write(to: folder.path + "/CKModel.sqlite.meterfix/1/CKModel.sqlite")
        let place = try #require(try StorePlaces(in: folder.path).places.first)
        #expect(place.path == path && place.records == 1 && place.problem == nil && !place.isIncomplete)
        #expect(place.uuid == Self.store.storeUUID)
        #expect(place.app == "ro.xdev.USB-Meter")
        #expect(try StorePlaces(in: folder.path).places.count == 1)
        unlink(path + "-wal")
        #expect(try StorePlaces(in: folder.path).places.first?.isIncomplete == true)
    }

    @Test("are taken where there is one, named where there are several, and else what is there is named")
    func choice() throws {
        let one = folder.path + "/one"
        _ = try makeFolder("one")
        #expect(Self.refusal(one)?.message == "a folder without a store of the app; there is no file in it")
        try FileBytes.write(Array("PK\u{3}\u{4}".utf8), to: one + "/names.zip")
        let refusal = try #require(Self.refusal(one))
        #expect(refusal.kind == .notFound)
        #expect(refusal.message.hasSuffix("in it: names.zip (a ZIP archive)"))
        #expect(refusal.hint?.hasSuffix("unzip \(one)/names.zip -d FOLDER") == true)
        try FileBytes.write(Array("SQLite format 3\u{0}, and no more".utf8), to: one + "/broken.sqlite")
        #expect(try StorePlaces.store(named: one) == one + "/broken.sqlite")
        try Self.store.write(to: one + "/good.sqlite")
        #expect(try StorePlaces.store(named: one) == one + "/good.sqlite")
        #expect(throws: StoreError.self) { try StorePlaces.store(named: one, orDamaged: true) }
        // The app's own may be the one that is meant.
        try FileBytes.write(Array("\u{1}\u{2} garbage".utf8), to: one + "/CKModel.sqlite")
        let damaged = try #require(Self.refusal(one))
        #expect(damaged.hint?.contains("\(one)/CKModel.sqlite (cannot be read: not a SQLite database)") == true)
        try FileBytes.write([0xFF, 0xD8, 0xFF, 0xE1], to: one + "/CKModel.sqlite")
        #expect(try StorePlaces.store(named: one) == one + "/good.sqlite")
        try Self.store.write(to: one + "/other.sqlite")
        let several = try #require(Self.refusal(one))
        #expect(several.kind == .notFound && several.message == "a folder with 2 stores of the app")
        #expect(several.hint?.contains("\(one)/good.sqlite (1 record") == true)
        #expect(several.hint?.contains("\(one)/other.sqlite (1 record") == true)
        #expect(try StorePlaces.store(named: one + "/other.sqlite") == one + "/other.sqlite")
        #expect(try StorePlaces.store(named: "/nowhere/x") == "/nowhere/x")
    }

    @Test("are looked for in the folder only: links and loops are not followed, pipes not waited for")
    func links() throws {
        let inside = try makeFolder("inside/deeper")
        let outside = try makeFolder("outside")
        try Self.store.write(to: outside + "/CKModel.sqlite")
        for (link, target) in [("out", outside), ("loop", ".."), ("CKModel.sqlite", outside + "/CKModel.sqlite")] {
            try FileManager.default.createSymbolicLink(atPath: inside + "/" + link, withDestinationPath: target)
        }
        mkfifo(inside + "/pipe.sqlite", 0o600)
        let before = try FolderSnapshot(folder.path)
        let found = try StorePlaces(in: folder.path + "/inside")
        #expect(found.places.isEmpty && found.links == 3 && !found.isCut)
        #expect(found.seen == "there is no file in it; 3 links not followed")
        let after = try FolderSnapshot(folder.path)
        #expect(after.differences(from: before).isEmpty)
    }

    @Test("are searched for within a limit; a store is not taken where there may be another")
    func limit() throws {
        let path = try folder.store(Self.store)
        for name in 0..<20 { try FileBytes.write([], to: "\(folder.path)/z\(name)") }
        let cut = try StorePlaces(in: folder.path, within: .init(entries: 10))
        #expect(cut.isCut)
        #expect(cut.places.count + cut.others.map(\.count).reduce(0, +) <= 10)
        let whole = try StorePlaces(in: folder.path, within: .init(entries: 1_000))
        #expect(!whole.isCut && whole.places.map(\.path) == [path])
        #expect(whole.others == [try #require(whole.others.first)] && whole.others[0].count == 20)
        _ = try makeFolder("1/2/3/4/5/6/7/8/9")
        #expect(try StorePlaces(in: folder.path).isCut)
        #expect(Self.refusal(folder.path)?.hint == "name the store; this one was found: \(path)")
    }
}
