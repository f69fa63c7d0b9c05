import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("what SQLite or meterfix cannot open:")
struct UnopenableTests {
    /// A store whose whole path has this many bytes.
    private func store(pathLength: Int, in folder: TemporaryFolder) throws -> String {
        var path = folder.path
        while path.utf8.count < pathLength - 120 { path += "/" + String(repeating: "d", count: 90) }
        path += "/" + String(repeating: "e", count: pathLength - path.utf8.count - 16)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let short = try folder.store(StoreFixture(records: Meters.pair))
        for suffix in ["", "-wal"] {
            try FileManager.default.moveItem(atPath: short + suffix, toPath: path + "/CKModel.sqlite" + suffix)
        }
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
                try ChangeRun.run(
                    RebuildPlanner(policy: .newest), on: path, options: options { $0.isDryRun = isDryRun })
            }
            #expect(error?.kind == .cannotCreate)
            #expect(error?.message.contains("SQLite opens none with more than 504") == true, "\(error?.message ?? "")")
            #expect(error?.hint?.contains("--backup-dir") == true)
        }
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
        let report = try ChangeRun.run(
            RebuildPlanner(policy: .newest), on: path, options: options { $0.backupFolder = other.path })
        #expect(report.outcome == .applied)
    }

    @Test("a store with the longest path that SQLite opens is changed and taken back; one byte more is refused")
    func longestStore() throws {
        let other = try TemporaryFolder()
        let options = options { $0.backupFolder = other.path }
        let folder = try TemporaryFolder()
        let longest = try store(pathLength: StoreConnection.longestPath, in: folder)
        let before = try FileBytes.read(longest)
        #expect(try StatusReport.of(longest, now: TestStore.now).records?.total == 2)
        #expect(try ChangeRun.run(RebuildPlanner(policy: .newest), on: longest, options: options).outcome == .applied)
        #expect(try Undo.run(longest, redoes: false, options: options).outcome == .applied)
        #expect(try FileBytes.read(longest) == before)
        let another = try TemporaryFolder()
        let tooLong = try store(pathLength: StoreConnection.longestPath + 1, in: another)
        let commands: [() throws -> Void] = [
            { _ = try StatusReport.of(tooLong, now: TestStore.now) },
            { _ = try ChangeRun.run(RebuildPlanner(policy: .newest), on: tooLong, options: options) },
            { _ = try Undo.run(tooLong, redoes: false, options: options) },
        ]
        for command in commands {
            let error = #expect(throws: StoreError.self) { try command() }
            #expect(error?.kind == .notFound)
            #expect(error?.message == "the path is too long: SQLite opens no more than 504 bytes")
        }
    }

    /// A folder with a path of this length for backups, and a symbolic link that leads to it.
    private func backupFolder(pathLength: Int, in folder: TemporaryFolder) throws -> (path: String, link: String) {
        let path = (try store(pathLength: pathLength + 15, in: folder) as NSString).deletingLastPathComponent
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
        return (path, folder.path + "/link")
    }

    private func rename(_ path: String, _ name: String, _ options: ChangeOptions) throws -> ChangeReport {
        let address = try #require(MACAddress.parse(Meters.healthy.macAddress ?? "")).0
        return try ChangeRun.run(SetPlanner(address, name: name, unit: nil), on: path, options: options)
    }

    @Test(
        "the longest backup is made, by a link as well; no later one that would be longer, be it of an undo",
        arguments: [false, true])
    func longestBackup(isLink: Bool) throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let path = try other.store(StoreFixture(records: [Meters.healthy]))
        let length = StoreConnection.longestPath - "/20261121T120000Z-set/CKModel.sqlite".utf8.count
        let backups = try backupFolder(pathLength: length, in: folder)
        var options = options { $0.backupFolder = isLink ? backups.link : backups.path }
        #expect(try rename(path, "Attic", options).outcome == .applied)
        #expect(
            try ChangeHistory.of(path, folder: options.backupFolder, now: TestStore.now).items.map(\.state) == [.done])
        let before = try FolderSnapshot(folder.path)
        for isDryRun in [true, false] {
            options.isDryRun = isDryRun
            let commands: [(length: Int, run: () throws -> Void)] = [
                // Another one of this moment is numbered.
                (506, { _ = try rename(path, "Cellar", options) }),
                (505, { _ = try Undo.run(path, redoes: false, options: options) }),
            ]
            for command in commands {
                let error = #expect(throws: StoreError.self) { try command.run() }
                #expect(error?.kind == .cannotCreate)
                #expect(
                    error?.message.hasPrefix("the backup's whole path would have \(command.length) bytes") == true,
                    "\(error?.message ?? "")")
            }
        }
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
    }

    @Test("a new store whose path would be too long is refused as that")
    func newStore() throws {
        let folder = try TemporaryFolder()
        let path = (try store(pathLength: 500, in: folder) as NSString).deletingLastPathComponent + "/New.sqlite"
        let planner = ImportPlanner(
            TestStore.values(names: ["0A:1B:2C:3D:4E:5F": "Garage"]), sha256: "5a", policy: .replace)
        let before = try FolderSnapshot(folder.path)
        for isDryRun in [true, false] {
            let error = #expect(throws: StoreError.self) {
                try LegacyImport.run(planner, on: path, creates: true, options: options { $0.isDryRun = isDryRun })
            }
            #expect(error?.kind == .cannotCreate)
            #expect(error?.message.hasPrefix("the path is too long: SQLite opens no more than 504 bytes") == true)
        }
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
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
        let healthy = try folder.store(StoreFixture(records: [Meters.healthy]), named: "Healthy.sqlite")
        let address = try #require(MACAddress.parse(Meters.address)).0
        let commands: [() throws -> Void] = [
            { _ = try StatusReport.of(path, now: TestStore.now) },
            { _ = try Verify.report(path, VerifyOptions(now: TestStore.now)) },
            {
                _ = try ChangeRun.run(
                    RebuildPlanner(policy: .newest), on: path, options: ChangeOptions(now: TestStore.now))
            },
            { _ = try LockList.of(path, now: TestStore.now) },
            { _ = try ChangeHistory.of(path, folder: nil, now: TestStore.now) },
            { _ = try ChangeLog.of(path, ChangeLog.Request(), now: TestStore.now) },
            { _ = try ComparisonReport.of(path, healthy, now: TestStore.now) },
            { _ = try ComparisonReport.of(healthy, path, now: TestStore.now) },
            { _ = try MergedRecords.of(address, in: path, folder: nil, now: TestStore.now) },
            { _ = try Undo.run(path, redoes: false, options: ChangeOptions(now: TestStore.now)) },
        ]
        for command in commands {
            let error = #expect(throws: StoreError.self) { try command() }
            #expect(error?.kind == .unsuitable)
            #expect(
                error?.message == "its text is in \(name); meterfix reads only UTF-8, which Core Data writes")
        }
    }
}
