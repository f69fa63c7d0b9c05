import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

/// SQLite's locks are between processes, and the tests are another process than the program.
@Suite("a store that another process has open")
struct StoreInUseTests {
    private static let inUse = "another process has the store open"

    enum Use: String, CaseIterable, Sendable {
        case writing = "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT"
        case reading = "SELECT COUNT(*) FROM ZDEVICESETTINGS"
    }

    @Test(
        "is not changed: rebuild says so with 75, and everything that looks works",
        arguments: Use.allCases, ["duplicates", "rollback-journal"])
    func inTransaction(_ use: Use, _ name: String) throws {
        let folder = try ScratchFolder(sample: name)
        let before = try folder.snapshot.contents
        try Self.whileOpen(folder, name) { database in
            try database.execute(sql: use == .writing ? "BEGIN IMMEDIATE" : "BEGIN")
            try database.execute(sql: use.rawValue)
            try Self.expectInUse(folder, name)
            try database.execute(sql: "ROLLBACK")
        }
        #expect(try folder.snapshot.contents == before)
    }

    @Test("in journal mode WAL is not changed even where the other process does nothing")
    func idle() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let before = try folder.snapshot.contents
        try Self.whileOpen(folder, "duplicates") { database in
            try database.execute(sql: Use.reading.rawValue)
            try Self.expectInUse(folder, "duplicates")
        }
        #expect(try folder.snapshot.contents == before)
        #expect(try folder.meterfix("rebuild", "--quiet", "duplicates.sqlite").code == 0)
    }

    /// Every command that writes, and what makes it have something to do.
    static let writing: [(sample: String, command: [String], before: [[String]])] = [
        ("duplicates", ["rebuild"], []), ("duplicates", ["import-kv", "kv.json"], []), ("v1", ["migrate"], []),
        ("duplicates", ["undo"], [["rebuild"]]), ("duplicates", ["undo", "--redo"], [["rebuild"], ["undo"]]),
        ("duplicates", ["restore-record", "a4c1380b7e21"], [["rebuild"]]),
        ("duplicates", ["unlock", "884a18c7d154"], []), ("healthy", ["set", "a4c1385d029f", "--name", "Lab"], []),
        ("check-mirror-orphan", ["fix", "mirror-orphan"], []), ("check-id-duplicate", ["fix", "--all"], []),
        ("check-primary-key-behind", ["fix", "primary-key-behind"], []),
        ("duplicates", ["delete", "--force", "--row", "13"], []),
    ]

    @Test("is left alone by every command that writes, whatever the other process does", arguments: writing.indices)
    func everyCommand(_ index: Int) throws {
        let (sample, command, preparation) = Self.writing[index]
        let store = sample + ".sqlite"
        let start = try ScratchFolder(sample: sample)
        try start.copySampleFile("kv/kv.json", as: "kv.json")
        for words in preparation {
            let answer = try start.meterfix(arguments: words + ["-q", store])
            #expect(answer.code == 0)
        }
        for statements in [
            ["SELECT COUNT(*) FROM ZDEVICESETTINGS"], ["BEGIN", "SELECT COUNT(*) FROM ZDEVICESETTINGS"],
            ["BEGIN IMMEDIATE", "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT"], ["BEGIN EXCLUSIVE"],
        ] {
            let folder = try start.copy()
            let before = try folder.snapshot.contents
            try Self.whileOpen(folder, sample) { database in
                for statement in statements { try database.execute(sql: statement) }
                let answer = try folder.meterfix(arguments: command + [store])
                #expect(answer.code == 75, "\(command), \(statements)")
                #expect(answer.stderr.contains(Self.inUse))
                if statements[0].hasPrefix("BEGIN") { try database.execute(sql: "ROLLBACK") }
            }
            #expect(try folder.snapshot.contents == before, "\(command), \(statements)")
            #expect(try folder.meterfix(arguments: command + ["-q", store]).code == 0)
        }
    }

    @Test("by another meterfix is changed by one at a time")
    func twoAtOnce() throws {
        let folder = try InterruptionTests.bigStore(records: 2_000)
        let runs = try (0..<3).map { _ in try MeterfixProcess.start(["rebuild", "-q", "big.sqlite"], in: folder.path) }
        let codes = try runs.map { try $0.answer().code }
        #expect(codes.contains(0))
        #expect(codes.allSatisfy { [0, 75].contains($0) })
        #expect(try folder.meterfix("verify", "-q", "big.sqlite").code == 0)
        #expect(try folder.snapshot.names.count { $0.hasSuffix("journal.json") } == 1)
        #expect(try folder.meterfix("undo", "-q", "big.sqlite").code == 0)
        #expect(try folder.meterfix("verify", "-q", "big.sqlite").code == 1)
    }

    private static func whileOpen(_ folder: ScratchFolder, _ name: String, _ use: (Database) throws -> Void) throws {
        var configuration = Configuration.forTests
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: folder.path + "/\(name).sqlite", configuration: configuration)
        try queue.writeWithoutTransaction(use)
        try queue.close()
    }

    /// Opens no file of the folder: that would drop the locks of this process.
    private static func expectInUse(_ folder: ScratchFolder, _ name: String) throws {
        #expect(try folder.meterfix("status", "\(name).sqlite").code == 0)
        #expect(try folder.meterfix("verify", "\(name).sqlite").code == 1)
        #expect(try folder.meterfix("rebuild", "--dry-run", "\(name).sqlite").code == 1)
        try folder.meterfix("rebuild", "\(name).sqlite").expectRefusal(
            75, "\(name).sqlite: \(inUse)", hint: "close the app and every tool that uses it, then run it again")
    }
}
