import Foundation
import GRDBSQLite
import MeterTestSupport
import Testing

@Suite("an undo, and another process that has the store open without a lock:")
struct UndoBesideOthersTests {
    private static let store = "CKModel.sqlite"
    private static let change = "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage', Z_OPT = Z_OPT + 1"

    /// A sample, what brings it to where the undo begins, and the command.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sample: String
        var before = [["rebuild"]]
        var command = ["undo"]
    }

    static let scenarios = [
        Scenario(testDescription: "WAL, to a main file alone", sample: "duplicates"),
        Scenario(testDescription: "WAL, to a main file and a log", sample: "wal-only"),
        Scenario(testDescription: "rollback journal", sample: "rollback-journal"),
        Scenario(
            testDescription: "redo", sample: "wal-only", before: [["rebuild"], ["undo"]], command: ["undo", "--redo"]),
    ]

    @Test("what that process commits afterwards is committed to the restored store", arguments: scenarios)
    func unread(_ scenario: Scenario) throws {
        let expected = try Self.folder(scenario)
        #expect(try expected.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
        let alone = try OtherProcess(opening: expected.path + "/" + Self.store)
        #expect(alone.execute(Self.change) == SQLITE_OK)
        alone.close()

        let folder = try Self.folder(scenario)
        let app = try OtherProcess(opening: folder.path + "/" + Self.store)
        #expect(try folder.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
        #expect(app.execute(Self.change) == SQLITE_OK)
        #expect(app.text("PRAGMA integrity_check") == "ok")
        app.close()
        #expect(
            try StoreText(of: folder.path + "/" + Self.store) == StoreText(of: expected.path + "/" + Self.store))
    }

    @Test("a process that waits for its turn commits to the store before the undo or to the restored one")
    func waiting() throws {
        for scenario in Self.scenarios {
            let expected = try Self.folder(scenario)
            func changed(_ folder: ScratchFolder) throws -> StoreText {
                let app = try OtherProcess(opening: folder.path + "/" + Self.store)
                #expect(app.execute(Self.change) == SQLITE_OK)
                app.close()
                return try StoreText(of: folder.path + "/" + Self.store)
            }
            let before = try changed(Self.folder(scenario))
            #expect(try expected.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
            let after = try changed(expected)
            for delay in 0..<6 {
                let folder = try Self.folder(scenario)
                let app = try OtherProcess(opening: folder.path + "/" + Self.store, patience: 60_000)
                let waiter = Thread {
                    Thread.sleep(forTimeInterval: 0.004 * Double(delay))
                    app.execute(Self.change)
                    app.close()
                }
                waiter.start()
                let answer = try folder.meterfix(arguments: scenario.command + ["-q", Self.store])
                while !waiter.isFinished { Thread.sleep(forTimeInterval: 0.001) }
                let text = try StoreText(of: folder.path + "/" + Self.store)
                let comment: Comment = "\(scenario.testDescription), \(delay): \(answer.code) \(answer.stderr)"
                #expect([0, 3, 75].contains(answer.code), comment)
                #expect(text == (answer.code == 0 ? after : before), comment)
            }
        }
    }

    /// With a rollback journal an idle process has no lock, but remembers pages and the number of the last change.
    @Test("what an idle process remembers of a store with a rollback journal is not taken for what is there")
    func remembered() throws {
        let folder = try Self.folder(Self.scenarios[2])
        let path = folder.path + "/" + Self.store
        let names = "SELECT group_concat(ZMETERNAME) FROM (SELECT ZMETERNAME FROM ZDEVICESETTINGS ORDER BY Z_PK)"
        let app = try OtherProcess(opening: path)
        let rebuilt = try #require(app.text(names))
        #expect(try folder.meterfix("undo", "-q", Self.store).code == 0)
        // As many changes as the rebuild was: by the counters of before, the file would now be the rebuilt one.
        let answer = try folder.meterfix("set", "a4c1385d029f", "--name", "Garage", "-q", Self.store)
        #expect(answer.code == 0, "\(answer.stderr)")
        let seen = try #require(app.text(names))
        #expect(seen != rebuilt)
        #expect(seen.contains("Garage"))
        app.close()
        let fresh = try OtherProcess(opening: path)
        #expect(fresh.text(names) == seen)
    }

    @Test("the store stays the same file, with all its names")
    func sameFile() throws {
        for scenario in Self.scenarios {
            let folder = try Self.folder(scenario)
            let path = folder.path + "/" + Self.store
            #expect(link(path, folder.path + "/other name") == 0)
            let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
            #expect(try folder.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64 == number)
        }
    }

    /// The sample under the app's name, changed as the scenario says.
    private static func folder(_ scenario: Scenario) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for suffix in ["", "-wal"]
        where FileManager.default.fileExists(atPath: "\(PackageFolder.samples)/\(scenario.sample).sqlite\(suffix)") {
            try folder.copySampleFile("\(scenario.sample).sqlite\(suffix)", as: store + suffix)
        }
        for command in scenario.before {
            let answer = try folder.meterfix(arguments: command + ["-q", "--now", SampleSession.now, store])
            #expect(answer.code == 0, "\(answer.stderr)")
        }
        return folder
    }
}
