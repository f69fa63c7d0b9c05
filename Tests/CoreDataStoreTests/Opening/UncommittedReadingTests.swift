import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("what a transaction has changed, read by others before the commit")
struct UncommittedReadingTests {
    /// A file of some megabytes, most of it in one table.
    private func largeStore(_ folder: TemporaryFolder, _ mode: StoreOptions.JournalMode = .wal) throws -> String {
        let records = (1...1_200).map { row in
            FixtureRecord(row: Int64(row), macAddress: "A4:C1:38:0B:\(row % 90 + 10):\(row % 80 + 10)").with {
                $0.cloudKitRecordID = String(repeating: "record \(row) ", count: 150)
            }
        }
        return try folder.store(StoreFixture(records: records).with { $0.journalMode = mode })
    }

    /// What is read, and whether another connection read it.
    private struct Seen: Equatable {
        let contents: ContentsDigest
        let problems: [String]
        let byAnother: Bool
    }

    private func visit(_ connection: StoreConnection, _ own: Database) throws -> Seen {
        let ownIdentity = ObjectIdentifier(own)
        return try connection.reader.read(beside: own) { database in
            Seen(
                contents: try ContentsDigest(database), problems: try tableProblems(database),
                byAnother: ObjectIdentifier(database) != ownIdentity)
        }.value()
    }

    private static let random: [@Sendable (inout SeededGenerator) -> String] = [
        { "DELETE FROM ZDEVICESETTINGS WHERE Z_PK % \(Int.random(in: 2...9, using: &$0)) = 1" },
        {
            let first = Int.random(in: 1...1_200, using: &$0)
            return "DELETE FROM ZDEVICESETTINGS WHERE Z_PK BETWEEN \(first) AND \(first + 500)"
        },
        {
            let length = Int.random(in: 0...9_000, using: &$0)
            return """
                UPDATE ZDEVICESETTINGS SET ZCLOUDKITRECORDID = hex(zeroblob(\(length)))
                WHERE Z_PK % \(Int.random(in: 1...40, using: &$0)) = 0
                """
        },
        {
            """
            INSERT INTO ZDEVICESETTINGS (Z_ENT, Z_OPT, ZMETERNAME, ZCLOUDKITRECORDID)
            SELECT Z_ENT, 1, 'new', substr(ZCLOUDKITRECORDID, 1, \(Int.random(in: 1...3_000, using: &$0)))
            FROM ZDEVICESETTINGS
            """
        },
        { _ in "INSERT INTO ATRANSACTION (Z_ENT, ZTIMESTAMP) VALUES (16002, 1), (16002, 2)" },
        { _ in "DELETE FROM ZDEVICESETTINGS" },
        { "PRAGMA cache_size = \(Int.random(in: 1...3_000, using: &$0))" },
    ]

    @Test("is what the transaction itself sees, whatever it did", arguments: LawSeeds.first(12))
    func law(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = try largeStore(folder)
        let connection = try StoreConnection.exclusive(path)
        let written = try connection.change { database in
            for _ in 1...Int.random(in: 1...8, using: &generator) {
                try database.execute(sql: Self.random.randomElement(using: &generator)!(&generator))
            }
            try database.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
            connection.reader.exposeUncommittedChanges(of: database)
            let own = Seen(
                contents: try ContentsDigest(database), problems: try database.integrityProblems(),
                byAnother: true)
            #expect(try visit(connection, database) == own)
            // More than one at a time, and on threads of their own.
            let both = (1...2).map { _ in connection.reader.read(beside: database) { try ContentsDigest($0) } }
            for read in both { #expect(try read.value() == own.contents) }
            return own.contents
        }
        try connection.close()
        let after = try StoreConnection.untouched(path)
        #expect(try after.read { try ContentsDigest($0) } == written)
        #expect(try after.read { try $0.integrityProblems() }.isEmpty)
        try after.close()
        #expect(try FolderSnapshot(folder.path).names == ["CKModel.sqlite", "CKModel.sqlite-wal"])
    }

    @Test("is gone where the transaction rolls back")
    func rollback() throws {
        struct Mistake: Error {}
        let folder = try TemporaryFolder()
        let path = try largeStore(folder)
        let text = try StoreText(of: path)
        let connection = try StoreConnection.exclusive(path)
        #expect(throws: StoreError.self) {
            try connection.change { database in
                try database.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 7")
                connection.reader.exposeUncommittedChanges(of: database)
                #expect(try visit(connection, database).byAnother)
                throw Mistake()
            }
        }
        try connection.close()
        #expect(try StoreText(of: path) == text)
    }

    @Test(
        "only the connection itself reads where there is a rollback journal, a new schema, or a log already",
        arguments: [
            (StoreOptions.JournalMode.delete, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 7", false),
            (.wal, "CREATE TABLE more (a); DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 7", false),
            (.wal, "DROP TABLE ACHANGE", false), (.wal, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 7", true),
        ])
    func onlyItself(mode: StoreOptions.JournalMode, sql: String, hasLog: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try largeStore(folder, mode)
        if hasLog { try leaveLog(at: path) }
        let connection = try StoreConnection.scratchCopy(path)
        try connection.change { database in
            try database.execute(sql: sql)
            connection.reader.exposeUncommittedChanges(of: database)
            #expect(
                try visit(connection, database)
                    == Seen(contents: try ContentsDigest(database), problems: [], byAnother: false))
        }
        try connection.close()
    }

    /// A log with a commit in it, as an app leaves it that was killed.
    private func leaveLog(at path: String) throws {
        let app = try DatabaseQueue(path: path)
        try app.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = 5 WHERE Z_PK = 1") }
        let log = try FileBytes.read(path + "-wal")
        let main = try FileBytes.read(path)
        try app.close()
        try FileBytes.write(main, to: path)
        try FileBytes.write(log, to: path + "-wal")
    }
}

/// What is wrong in the tables, one by one: which pages are free, another connection cannot know.
private func tableProblems(_ database: Database) throws -> [String] {
    let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    return try tables.flatMap { table in
        try String.fetchAll(database, sql: "PRAGMA integrity_check(\(table))").filter { $0 != "ok" }
    }
}
