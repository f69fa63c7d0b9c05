import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("what SQLite or meterfix cannot open:")
struct UnopenableTests {
    /// A store whose whole path has this many bytes.
    private func store(pathLength: Int, in folder: TemporaryFolder) throws -> String {
        var path = (folder.path as NSString).resolvingSymlinksInPath
        while path.utf8.count < pathLength - 120 { path += "/" + String(repeating: "d", count: 90) }
        path += "/" + String(repeating: "e", count: pathLength - path.utf8.count - 15)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let short = try folder.store(StoreFixture(records: Meters.pair))
        try FileManager.default.moveItem(atPath: short, toPath: path + "/CKModel.sqlite")
        return path + "/CKModel.sqlite"
    }

    private func options(_ adjust: (inout ChangeOptions) -> Void) -> ChangeOptions {
        var options = ChangeOptions(now: TestStore.now)
        adjust(&options)
        return options
    }

    @Test("a backup whose path would be too long is refused before anything is made")
    func backup() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let path = try store(pathLength: 470, in: folder)
        let before = try FolderSnapshot(folder.path)
        for isDryRun in [true, false] {
            let error = #expect(throws: StoreError.self) {
                try ChangeRun.rebuild(path, policy: .newest, options: options { $0.isDryRun = isDryRun })
            }
            #expect(error?.kind == .cannotCreate)
            #expect(error?.message.contains("SQLite opens none with more than 504") == true, "\(error?.message ?? "")")
            #expect(error?.hint?.contains("--backup-dir") == true)
        }
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
        let report = try ChangeRun.rebuild(path, policy: .newest, options: options { $0.backupFolder = other.path })
        #expect(report.outcome == .applied)
    }

    @Test("a store whose text is UTF-16", arguments: ["UTF-16le", "UTF-16be"])
    func encoding(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/CKModel.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA encoding = '\(name)'")
            for statement in try SchemaStatements(StoreFixture().model, history: .current).all {
                try database.execute(sql: statement)
            }
        }
        try queue.close()
        let commands: [() throws -> Void] = [
            { _ = try Status.report(path, now: TestStore.now) },
            { _ = try Verify.report(path, VerifyOptions(now: TestStore.now)) },
            { _ = try ChangeRun.rebuild(path, policy: .newest, options: ChangeOptions(now: TestStore.now)) },
        ]
        for command in commands {
            let error = #expect(throws: StoreError.self) { try command() }
            #expect(error?.kind == .unsuitable)
            #expect(
                error?.message == "its text is in \(name), and meterfix reads stores in UTF-8, as Core Data makes them")
        }
    }
}
