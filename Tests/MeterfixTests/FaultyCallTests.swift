import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite(
    "whichever call of the operating system fails or is the last, a store is as before or as after:", .faultyCalls)
struct FaultyCallTests {
    /// A command and what went before it.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sample: String
        var before: [[String]] = []
        let command: [String]
    }

    private static let store = "CKModel.sqlite"
    private static let rebuild = ["rebuild", store]
    private static let undo = ["undo", store]

    static let scenarios = [
        Scenario(testDescription: "rebuild", sample: "wal-only", command: rebuild),
        Scenario(testDescription: "rebuild with a rollback journal", sample: "rollback-journal", command: rebuild),
        Scenario(
            testDescription: "first aid", sample: "nameless-first", command: ["rebuild", "--in-use", store]),
        Scenario(testDescription: "import-kv", sample: "duplicates", command: ["import-kv", "kv.json", store]),
        Scenario(testDescription: "undo, to files with a log", sample: "wal-only", before: [rebuild], command: undo),
        Scenario(
            testDescription: "undo, from files with a log", sample: "duplicates", before: [rebuild, ["to log"]],
            command: undo),
        Scenario(
            testDescription: "undo with a rollback journal", sample: "rollback-journal", before: [rebuild],
            command: undo),
        Scenario(
            testDescription: "undo --redo", sample: "wal-only", before: [rebuild, undo],
            command: ["undo", "--redo", store]),
        Scenario(
            testDescription: "restore-record", sample: "duplicates", before: [rebuild],
            command: ["restore-record", "a4c1380b7e21", store]),
        Scenario(testDescription: "migrate", sample: "v1", command: ["migrate", store]),
        Scenario(
            testDescription: "fix a record", sample: "check-lock-torn", command: ["fix", "lock-torn", store]),
        Scenario(
            testDescription: "fix Core Data's numbers", sample: "check-entity-number-mismatch",
            command: ["fix", "--all", store]),
        Scenario(
            testDescription: "delete", sample: "check-mac-missing", command: ["delete", "--row", "1", "--force", store]),
        Scenario(
            testDescription: "set", sample: "healthy", command: ["set", "a4c1385d029f", "--name", "Shed", store]),
        Scenario(
            testDescription: "unlock", sample: "lock-stuck", command: ["unlock", "a4c1385d029f", store]),
    ]

    /// All faults at all calls take minutes. By default each kind of fault meets one call of each command, spread so that
    /// together they meet the beginning, the middle and the end.
    private static let isThorough = FaultyCalls.isThorough

    @Test("at every step of a command", arguments: scenarios)
    func everyCall(_ scenario: Scenario) throws {
        let start = try Self.start(scenario)
        let before = try StoreText(of: start.path + "/" + Self.store)
        let done = try start.copy()
        let (answer, calls) = try FaultyCalls.run(Self.words(scenario.command), in: done, .failed, at: .max)
        #expect(answer.code == 0)
        let after = try StoreText(of: done.path + "/" + Self.store)
        #expect(before != after)
        let count = try #require(calls)
        try #require(count > 20)

        var outcomes: Set<Bool> = []
        for (turn, fault) in FaultyCalls.Fault.allCases.enumerated() {
            let spread =
                1 + (turn * 19 + (Self.scenarios.firstIndex { $0.command == scenario.command } ?? 0) * 11) % count
            for number in Self.isThorough ? Array(1...count) : [spread] {
                let comment: Comment = "\(scenario.testDescription): \(fault) at call \(number) of \(count)"
                outcomes.insert(try meet(fault, at: number, start, scenario, before, after, comment))
            }
        }
        if Self.isThorough { #expect(outcomes == [false, true]) }
    }

    /// The order in which the files get their names and bytes shows only at the call between two of them.
    @Test("at every step of an undo to files with a log")
    func everyEndOfUndo() throws {
        let scenario = try #require(Self.scenarios.first { $0.testDescription == "undo, to files with a log" })
        let start = try Self.start(scenario)
        let before = try StoreText(of: start.path + "/" + Self.store)
        let done = try start.copy()
        let count = try #require(try FaultyCalls.run(Self.words(scenario.command), in: done, .failed, at: .max).calls)
        try #require(count > 20)
        let after = try StoreText(of: done.path + "/" + Self.store)
        var isRestored = false
        for number in 1...count {
            let folder = try start.copy()
            let (answer, _) = try FaultyCalls.run(Self.words(scenario.command), in: folder, .killed, at: number)
            #expect(answer.code == 128 + SIGKILL)
            let text = try StoreText(of: folder.path + "/" + Self.store)
            // There is one commit, and no way back behind it.
            #expect(text == after || !isRestored && text == before, "killed at call \(number) of \(count)")
            isRestored = text == after
        }
        #expect(isRestored)
    }

    /// - Returns: whether the store was as after.
    private func meet(
        _ fault: FaultyCalls.Fault, at number: Int, _ start: ScratchFolder, _ scenario: Scenario, _ before: StoreText,
        _ after: StoreText, _ comment: Comment
    ) throws -> Bool {
        let folder = try start.copy()
        let path = folder.path + "/" + Self.store
        let (answer, _) = try FaultyCalls.run(Self.words(scenario.command), in: folder, fault, at: number)
        let text = try StoreText(of: path)
        #expect(text.isIntact, comment)
        #expect(text == before || text == after, comment)
        switch fault {
        case .killed, .torn: #expect(answer.code == 128 + SIGKILL, comment)
        case .failed, .full:
            // What fails behind the commit does not undo it.
            #expect([0, 73, 74, 77].contains(answer.code), "\(comment): \(answer.stderr)")
            #expect(answer.code != 0 || text == after, comment)
            #expect(!FileManager.default.fileExists(atPath: path + ".meterfix-restoring") || fault == .failed, comment)
        }
        // The next run works, from either.
        let next = try folder.meterfix(arguments: Self.words(scenario.command))
        // A record that is gone is not deleted again.
        let again: [String: Int32] = ["delete": 4]
        let code = text == after ? again[scenario.command[0]] ?? 0 : 0
        #expect(next.code == code, "\(comment): \(next.stderr)")
        #expect(try StoreText(of: path) == after, comment)
        // And the one after that, by which nothing half-made is left.
        let last = try Undo.run(
            path, redoes: scenario.isUndo, options: ChangeOptions(now: Timestamp(secondsSince2001: FixtureClock.now)))
        #expect(last.outcome == .applied, comment)
        #expect(last.warnings == [], comment)
        #expect(try StoreText(of: path) == before, comment)
        let now = Timestamp(secondsSince2001: FixtureClock.now)
        let items = try ChangeHistory.of(path, folder: nil, now: now).items
        #expect(!items.contains { $0.state == .halfMade || $0.isDamaged }, comment)
        #expect(!FileManager.default.fileExists(atPath: path + ".meterfix-restoring"), comment)
        return text == after
    }

    /// The folder in which the command is run.
    private static func start(_ scenario: Scenario) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.copyStore(scenario.sample, as: store)
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        for command in scenario.before {
            if command == ["to log"] {
                try folder.moveIntoLog(store)
            } else {
                #expect(try folder.meterfix(arguments: words(command)).code == 0)
            }
        }
        return folder
    }

    private static func words(_ command: [String]) -> [String] { command + ["--quiet", "--now", SampleSession.now] }
}

extension ScratchFolder {
    /// Leaves part of a store's contents in its log, as while the app is open.
    func moveIntoLog(_ name: String) throws {
        let queue = try DatabaseQueue(path: path + "/" + name, configuration: .forTests)
        // SQLite writes no page for an update to the values that are there.
        for change in ["+ 1", "- 1"] {
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT \(change)")
            }
        }
        let files = try ["", "-wal"].map { ($0, try FileBytes.read(path + "/" + name + $0)) }
        try queue.close()
        try #require(!files[1].1.isEmpty)
        for (suffix, bytes) in files { try FileBytes.write(bytes, to: path + "/" + name + suffix) }
    }
}

extension FaultyCallTests.Scenario {
    fileprivate var isUndo: Bool { command == ["undo", "CKModel.sqlite"] }
}
