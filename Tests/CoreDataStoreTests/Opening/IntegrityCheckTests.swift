import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

@Suite("SQLite's integrity check of a store that is looked at")
struct IntegrityCheckTests {
    /// Of more than a megabyte.
    private static let fixture = StoreFixture(
        records: (1...1_200).map { row in
            FixtureRecord(row: Int64(row), macAddress: "A4:C1:38:0B:\(row % 90 + 10):\(row % 80 + 10)").with {
                $0.cloudKitRecordID = String(repeating: "record \(row) ", count: 150)
            }
        }
    ).damaged(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET rootpage = 4 WHERE name = 'ACHANGE_ZTRANSACTIONID_INDEX';
        PRAGMA writable_schema = OFF
        """)

    @Test(
        "finds beside the reading what it finds by itself, and leaves no trace",
        arguments: [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly])
    func damage(placement: StoreFixture.LogPlacement) throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(Self.fixture.with { $0.logPlacement = placement })
        let before = try FolderSnapshot(folder.path)
        let found = try StoreConnection.look(at: path) { connection, database in
            try connection.checkingIntegrity(database) { problems in
                let records = try database.integer(of: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
                return (records, beside: try problems(), alone: try database.integrityProblems())
            }
        }
        #expect(found.0 == 1_200)
        #expect(!found.beside.isEmpty)
        #expect(found.beside == found.alone)
        #expect(try FolderSnapshot(folder.path).differences(from: before).isEmpty)
    }

    @Test("says what is wrong with a tree in a line of its own, without a heading")
    func lines() throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(Self.fixture)
        try ByteDamage.miscountFragments(ofTable: "Z_PRIMARYKEY", in: path)
        let problems = try StoreConnection.look(at: path) { try $1.integrityProblems() }
        #expect(problems.contains { $0.hasPrefix("Fragmentation of ") || $0.contains(": Fragmentation of ") })
        #expect(problems.allSatisfy { !$0.contains("\n") && !$0.contains("***") })
    }

    @Test("ends with a reading that fails or does not ask for it")
    func unasked() throws {
        struct Mistake: Error {}
        let folder = try TemporaryFolder()
        let path = try folder.store(Self.fixture)
        try StoreConnection.look(at: path) { connection, database in
            let answer = try connection.checkingIntegrity(database) { _ in 7 }
            #expect(answer == 7)
            #expect(throws: Mistake.self) { try connection.checkingIntegrity(database) { _ -> Int in throw Mistake() } }
        }
    }
}
