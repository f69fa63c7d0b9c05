import CoreDataStore
import Foundation
import GRDBSQLite
import MeterTestSupport
import Testing

@Suite("a change, and another process that has the store open without a lock:")
struct BesideOthersTests {
    private static let store = "CKModel.sqlite"
    private static let change = "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage'"

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

    /// Commands that write otherwise than an undo.
    static let others = [
        Scenario(testDescription: "rebuild", sample: "wal-only", before: [], command: ["rebuild"]),
        Scenario(
            testDescription: "rebuild with a rollback journal", sample: "rollback-journal", before: [],
            command: ["rebuild"]),
    ]

    @Test("what that process commits afterwards is committed to the restored store", arguments: scenarios)
    func unread(_ scenario: Scenario) throws {
        let expected = try Self.folder(scenario)
        #expect(try expected.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
        let changed = try Self.changed(expected)
        let folder = try Self.folder(scenario)
        let app = try OtherProcess(opening: folder.path + "/" + Self.store)
        #expect(try folder.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
        #expect(app.execute(Self.change) == SQLITE_OK)
        #expect(app.text("PRAGMA integrity_check") == "ok")
        app.close()
        #expect(try StoreText(of: folder.path + "/" + Self.store) == changed)
    }

    @Test("a process that waits for its turn commits to the store before the undo or to the restored one")
    func waiting() throws {
        for scenario in Self.scenarios {
            let expected = try Self.folder(scenario)
            let start = try Self.folder(scenario)
            let before = try Self.changed(start.copy())
            #expect(try expected.meterfix(arguments: scenario.command + ["-q", Self.store]).code == 0)
            let after = try Self.changed(expected)
            for delay in 0..<6 {
                let folder = try start.copy()
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

    @Test(
        "a process that comes in between any two steps commits to the store before the change or after it",
        .faultyCalls,
        arguments: scenarios + others)
    func inBetween(_ scenario: Scenario) throws {
        let start = try Self.folder(scenario)
        let command = scenario.command + ["-q", "--now", SampleSession.now, Self.store]
        let before = try StoreText(of: start.path + "/" + Self.store)
        let expected = try start.copy()
        #expect(try expected.meterfix(arguments: command).code == 0)
        let after = try StoreText(of: expected.path + "/" + Self.store)
        let early = try start.copy()
        let changedBefore = try Self.changed(early)
        // Where the other one was first, an undo refuses.
        let isUndo = scenario.command[0] == "undo"
        #expect(try early.meterfix(arguments: command).code == (isUndo ? 3 : 0))
        var changed: [Int32: Set<StoreText>] = [3: [changedBefore], 75: [changedBefore]]
        changed[0] = [try Self.changed(expected)]
        if !isUndo { changed[0]?.insert(try StoreText(of: early.path + "/" + Self.store)) }
        let counted = try FaultyCalls.run(command, in: start.copy(), .failed, at: .max)
        let count = try #require(counted.calls)
        try #require(count > 20)
        var outcomes: Set<String> = []
        // Where the files change, all of them; before that some.
        for number in 1...count where FaultyCalls.isThorough || number > count - 20 || number % 5 == 0 {
            let folder = try start.copy()
            // One that has it open all the while, and one that comes now.
            let early = try OtherProcess(opening: folder.path + "/" + Self.store)
            var isCommitted = false
            let answer = try FaultyCalls.run(command, in: folder, stoppedAt: number) { _ in
                let late = try OtherProcess(opening: folder.path + "/" + Self.store)
                isCommitted = [late, early].map { $0.execute(Self.change) }.contains(SQLITE_OK)
                for app in [late, early] { app.close() }
            }
            let text = try StoreText(of: folder.path + "/" + Self.store)
            let comment: Comment = "call \(number) of \(count): \(answer.code) \(answer.stderr)"
            let isDone = answer.code == 0
            let possible = isCommitted ? changed[answer.code] : [isDone ? after : before]
            #expect(possible?.contains(text) == true, comment)
            #expect([0, 3, 75].contains(answer.code), comment)
            outcomes.insert("\(isCommitted), \(isDone)")
        }
        // An undo is done before it has ended: the other process comes in while it clears up.
        #expect(outcomes.isSuperset(of: isUndo ? ["false, true", "true, true"] : ["false, true"]))
    }

    @Test("a main file that another process has locked is not locked a second time", .faultyCalls)
    func lockedFile() throws {
        for scenario in Self.others {
            let folder = try Self.folder(scenario)
            let path = folder.path + "/" + Self.store
            var kind: StoreError.Kind?
            // Long before its commit.
            let answer = try FaultyCalls.run(["rebuild", "-q", Self.store], in: folder, stoppedAt: 10) { _ in
                do throws(StoreError) { _ = try LockedFile(path) } catch { kind = error.kind }
            }
            #expect(answer.code == 0)
            #expect(kind == .inUse)
            _ = try LockedFile(path)
        }
    }

    /// The store with the other process's change.
    private static func changed(_ folder: ScratchFolder) throws -> StoreText {
        let app = try OtherProcess(opening: folder.path + "/" + store)
        #expect(app.execute(change) == SQLITE_OK)
        app.close()
        return try StoreText(of: folder.path + "/" + store)
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
            #expect(try folder.meterfix(arguments: scenario.command + ["--force", "-q", Self.store]).code == 0)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64 == number)
        }
    }

    /// The sample under the app's name, changed as the scenario says.
    private static func folder(_ scenario: Scenario) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.copyStore(scenario.sample, as: store)
        for command in scenario.before {
            let answer = try folder.meterfix(arguments: command + ["-q", "--now", SampleSession.now, store])
            #expect(answer.code == 0, "\(answer.stderr)")
        }
        return folder
    }
}

@Suite("a store that is made, and another process that makes one under the same name:", .faultyCalls)
struct CreationBesideOthersTests {
    private static let command = ["import-kv", "--create", "-q", "kv.json", "CKModel.sqlite"]

    @Test("whenever it comes, it has its own or the whole new one, and nobody's is overwritten")
    func inBetween() throws {
        let start = try ScratchFolder()
        try start.copySampleFile("kv/kv.json", as: "kv.json")
        let counted = try FaultyCalls.run(Self.command, in: start.copy(), .failed, at: .max)
        let count = try #require(counted.calls)
        try #require(count > 5)
        var codes: Set<Int32> = []
        for number in 1...count {
            let folder = try start.copy()
            let path = folder.path + "/CKModel.sqlite"
            var isMade = false
            let answer = try FaultyCalls.run(Self.command, in: folder, stoppedAt: number) { _ in
                let app = try OtherProcess(opening: path, creates: true)
                isMade = app.execute("CREATE TABLE app(x); INSERT INTO app VALUES (7)") == SQLITE_OK
                app.close()
            }
            let comment: Comment = "call \(number) of \(count): \(answer.code) \(answer.stderr)"
            codes.insert(answer.code)
            let text = try StoreText(of: path)
            #expect(text.isIntact, comment)
            #expect(text[table: "app"] == (isMade ? ["7"] : []), comment)
            switch answer.code {
            case 0: #expect(text[table: "ZDEVICESETTINGS"].count > 1, comment)
            // Its own store was there first.
            case 4, 73, 75: #expect(text.tables.count == 1, comment)
            default: Issue.record(comment)
            }
        }
        #expect(codes.isSuperset(of: [0, 73]))
    }
}

/// An app's connection to a store. It is made without a look into the file, which no wrapper of SQLite leaves out.
///
/// Closing a file drops this process's locks on it: as long as the app has one, the test opens the store nowhere else.
final class OtherProcess: @unchecked Sendable {
    private var database: OpaquePointer?

    init(opening path: String, creates: Bool = false, patience milliseconds: Int32 = 0) throws {
        guard
            sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0), nil)
                == SQLITE_OK
        else {
            throw MeterfixProcess.Failure(description: "\(path) cannot be opened")
        }
        // As Core Data's does. This does not look into the file either.
        var isPersistent: Int32 = 1
        sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        sqlite3_busy_timeout(database, milliseconds)
    }

    deinit { close() }

    /// The code of SQLite's answer, 0 for none amiss.
    @discardableResult
    func execute(_ sql: String) -> Int32 { sqlite3_exec(database, sql, nil, nil, nil) }

    /// The first value of the first row, as text.
    func text(_ sql: String) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }

    func close() {
        sqlite3_close_v2(database)
        database = nil
    }
}
