import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a store with several names")
struct LinkedStoreTests {
    /// A store, and links to it: in the same folder, from another one, and to the first link.
    private func linked() throws -> (store: TestStore, links: [String]) {
        let store = try TestStore(UndoTests.fixture)
        let elsewhere = store.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        let links = ["/link.sqlite", "/elsewhere/far.sqlite", "/elsewhere/further.sqlite"].map {
            store.folder.path + $0
        }
        for (link, target) in zip(links, ["CKModel.sqlite", "../CKModel.sqlite", "../link.sqlite"]) {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        return (store, links)
    }

    private func rebuild(_ path: String) throws -> ChangeReport {
        try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: ChangeOptions(now: TestStore.now))
    }

    @Test("has its backups beside the real file, and finds them by each name", arguments: [0, 1, 2])
    func changedByLink(_ index: Int) throws {
        let (store, links) = try linked()
        let before = try store.files()
        let report = try rebuild(links[index])
        let names = try FolderSnapshot(store.path + ".meterfix").names
        #expect(names.contains("20261121T120000Z-rebuild/journal.json"))
        #expect(report.backup?.hasSuffix("CKModel.sqlite.meterfix/20261121T120000Z-rebuild") == true)
        #expect(FileManager.default.fileExists(atPath: (report.backup ?? "") + "/journal.json"))
        let address = try #require(MACAddress.parse(Meters.address)).0
        for path in [store.path] + links {
            let items = try ChangeHistory.of(path, folder: nil, now: TestStore.now).items
            #expect(items.map(\.command) == ["rebuild"] && items.map(\.state) == [.done], "\(path)")
            #expect(items.first?.backup != nil, "\(path)")
            #expect(try MergedRecords.of(address, in: path, folder: nil, now: TestStore.now).records.count == 1)
        }
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
        for path in links.reversed() {
            let redo = try Undo.run(path, redoes: true, options: ChangeOptions(now: TestStore.now))
            #expect(redo.outcome == .applied, "\(path)")
            #expect(try Undo.run(path, redoes: false, options: ChangeOptions(now: TestStore.now)).outcome == .applied)
            #expect(try store.files() == before)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path + "/elsewhere").count == 2)
    }

    @Test("finds backups beside a link, where they were made before")
    func besideLink() throws {
        let (store, links) = try linked()
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        try FileManager.default.moveItem(atPath: store.path + ".meterfix", toPath: links[0] + ".meterfix")
        var options = ChangeOptions(now: TestStore.now)
        for path in [links[2], links[0]] {
            #expect(try ChangeHistory.of(path, folder: nil, now: TestStore.now).items.map(\.state) == [.done])
        }
        let planner = SetPlanner(MACAddress.parse(Meters.healthy.macAddress!)!.0, name: "Attic", unit: nil)
        let report = try ChangeRun.run(planner, on: links[0], options: options)
        #expect(report.backup?.contains("/CKModel.sqlite.meterfix/") == true)
        options.now = TestStore.now
        for _ in 1...2 { #expect(try Undo.run(links[0], redoes: false, options: options).outcome == .applied) }
        #expect(try store.files() == before)
        #expect(try Undo.run(links[0], redoes: false, options: options).outcome == .unchanged)
    }

    @Test("counts each entry once where one folder is a link to the other")
    func linkedFolder() throws {
        let (store, links) = try linked()
        try FileManager.default.createSymbolicLink(
            atPath: links[0] + ".meterfix", withDestinationPath: "CKModel.sqlite.meterfix")
        _ = try rebuild(links[0])
        #expect(try ChangeHistory.of(links[0], folder: nil, now: TestStore.now).items.count == 1)
        #expect(try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.count == 1)
        #expect(try Undo.run(links[0], redoes: false, options: ChangeOptions(now: TestStore.now)).outcome == .applied)
    }
}
