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

    private static func whileOpen(
        _ folder: ScratchFolder, _ name: String, _ use: (Database) throws -> Void
    ) throws {
        var configuration = Configuration()
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
        let answer = try folder.meterfix("rebuild", "\(name).sqlite")
        #expect(
            answer.stderr == """
                meterfix: \(name).sqlite: \(inUse)
                hint: close the app and every tool that uses it, then run it again

                """)
        #expect(answer.stdout.isEmpty)
        #expect(answer.code == 75)
    }
}
