import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a file of a backup is no store to be changed:")
struct StoreInBackupTests {
    private static let meter = MACAddress.parse(Meters.healthy.macAddress!)!.0

    private static let commands: [(name: String, run: @Sendable (String, ChangeOptions) throws -> Void)] = [
        ("rebuild", { _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: $0, options: $1) }),
        ("set", { _ = try ChangeRun.run(SetPlanner(meter, name: "Attic", unit: nil), on: $0, options: $1) }),
        ("fix", { _ = try ChangeRun.run(WholeRepair(), on: $0, options: $1) }),
        ("delete", { _ = try ChangeRun.run(DeletePlanner(row: 1, force: true), on: $0, options: $1) }),
        ("unlock", { _ = try ChangeRun.run(UnlockPlanner(meter, force: $1.force), on: $0, options: $1) }),
        (
            "migrate",
            { _ = try ChangeRun.run(MigrationPlanner(model: nil, restoresMetadata: false), on: $0, options: $1) }
        ),
        ("undo", { _ = try Undo.run($0, redoes: false, options: $1) }),
        ("undo --redo", { _ = try Undo.run($0, redoes: true, options: $1) }),
        (
            "import-kv",
            { path, options in
                let planner = ImportPlanner(
                    TestStore.values(names: [Meters.address: "Kitchen"]), sha256: "5a", policy: .keep)
                _ = try LegacyImport.run(planner, on: path, creates: false, options: options)
            }
        ),
        (
            "import-kv --create",
            { path, options in
                let planner = ImportPlanner(
                    TestStore.values(names: [Meters.address: "Kitchen"]), sha256: "5a", policy: .keep)
                let new = (path as NSString).deletingLastPathComponent + "/New.sqlite"
                _ = try LegacyImport.run(planner, on: new, creates: true, options: options)
            }
        ),
    ]

    @Test(
        "every command that writes refuses it",
        arguments: [nil, "without a journal", "link", "linked folder", "shared"])
    func refused(_ way: String?) throws {
        let store = try TestStore(UndoTests.fixture)
        let shared = store.folder.path + "/shared"
        let entry = try #require(
            try store.rebuild {
                $0.makesBackup = true
                $0.backupFolder = way == "shared" ? shared : nil
            }.backup)
        var path = entry + "/CKModel.sqlite"
        switch way {
        case "without a journal": try FileManager.default.removeItem(atPath: entry + "/journal.json")
        case "link":
            path = store.folder.path + "/link.sqlite"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: entry + "/CKModel.sqlite")
        case "linked folder":
            try FileManager.default.createSymbolicLink(
                atPath: store.folder.path + "/linked", withDestinationPath: entry)
            path = store.folder.path + "/linked/CKModel.sqlite"
        default: break
        }
        let before = try store.snapshot()
        for (name, run) in Self.commands where way != "link" || name != "import-kv --create" {
            for isDryRun in [true, false] {
                var options = ChangeOptions(now: TestStore.now)
                options.isDryRun = isDryRun
                options.force = true
                let error = #expect(throws: StoreError.self, "\(name)") { try run(path, options) }
                #expect(error?.kind == .unsuitable, "\(name)")
                #expect(error?.message.contains("a backup") == true, "\(name)")
            }
        }
        #expect(try store.snapshot().differences(from: before) == [])
        // To look is allowed.
        #expect(try ChangeHistory.of(path, folder: nil, now: TestStore.now).items.isEmpty)
    }

    @Test("a store beside a journal of somebody else is none")
    func foreignJournal() throws {
        let store = try TestStore(UndoTests.fixture)
        try FileBytes.write(Array("{\"schema\": 1}".utf8), to: store.folder.path + "/journal.json")
        #expect(try store.rebuild().outcome == .applied)
    }
}
