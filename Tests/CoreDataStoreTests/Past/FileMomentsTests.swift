import Foundation
import GRDB
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("law: main file and log of one moment")
struct FileMomentsTests {
    /// Why the files at `path` do not belong together, and what SQLite makes of them.
    private static func look(at path: String) throws -> (contradiction: String?, meters: [Int64: StoreLife.Meter]) {
        try StoreConnection.look(at: path) { connection, database in
            let pages = try #require(try StorePages(of: connection.files))
            return (
                try StoreDescription(database).contradiction(in: connection.files, pages, database),
                try StoreLife.meters(database)
            )
        }
    }

    @Test("no copy of a store in use is said to be mixed, whatever checkpoints, readers and rollbacks left in its log")
    func oneMoment() throws {
        var copies = 0
        for seed in LawSeeds.first(24) {
            let life = try StoreLife(seed: seed)
            for _ in 1...6 {
                try life.live(saves: 20)
                let folder = try TemporaryFolder()
                try life.copy(to: folder.path + "/copy.sqlite")
                #expect(try Self.look(at: folder.path + "/copy.sqlite").contradiction == nil, "life \(seed)")
                copies += 1
            }
        }
        #expect(copies == LawSeeds.first(24).count * 6)
    }

    @Test("of two moments, what is wrong is seen nearly always", arguments: [true, false])
    func twoMoments(isLogLater: Bool) throws {
        var (wrong, seen) = (0, 0)
        for seed in LawSeeds.first(24) {
            let life = try StoreLife(seed: seed)
            let folder = try TemporaryFolder()
            let path = folder.path + "/mixed.sqlite"
            func copyFirst() throws { try isLogLater ? life.copyMainFile(to: path) : life.copyLog(to: path) }
            func copyLast() throws { try isLogLater ? life.copyLog(to: path) : life.copyMainFile(to: path) }
            try life.live(saves: 80)
            try copyFirst()
            try life.live(saves: 40)
            try life.checkpoint("RESTART")
            try life.live(saves: 3)
            try copyLast()
            // What SQLite cannot open, or finds damaged, is seen by others.
            guard let found = try? Self.look(at: path), !life.states.contains(found.meters) else { continue }
            wrong += 1
            if found.contradiction != nil { seen += 1 }
        }
        #expect(wrong > 0 && seen * 10 >= wrong * 9, "\(seen) of \(wrong)")
    }

    /// The number of the last transaction, which is made alone.
    private static func last(_ number: Int) -> String {
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(number) WHERE Z_NAME = 'TRANSACTION';
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (\(number), 16002);
        """
    }

    /// Two of the six records and of their transactions, under another identity.
    private static let replaced = """
        UPDATE Z_METADATA SET Z_UUID = 'B'; UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'TRANSACTION';
        DELETE FROM ATRANSACTION WHERE Z_PK > 2; DELETE FROM ACHANGE WHERE ZTRANSACTIONID > 2;
        DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 2;
        """

    @Test(
        "are told by what the log leaves out and by rows that contradict the history, and by nothing else:",
        arguments: [
            (last(7), nil),
            (
                last(8),
                "the main file ends with transaction 6 and its log begins with 8, and the history has nothing of transaction 7"
            ),
            // A history that was cut after the main file's last transaction.
            (last(8) + "DELETE FROM ATRANSACTION WHERE Z_PK < 8; DELETE FROM ACHANGE", nil),
            // Another tool wrote both at once.
            (last(7) + last(8), nil),
            (
                last(7) + last(8)
                    + "UPDATE ACHANGE SET ZCHANGETYPE = 2, ZTRANSACTIONID = 8 WHERE ZENTITYPK = 3",
                "the main file ends with transaction 6 and its log begins with 8, and row 3 of ZDEVICESETTINGS is there although the history says that it was deleted"
            ),
            (replaced, nil),
            (
                replaced + "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 1",
                "the main file is of the store A, its log is of the store B, and row 1 of ZDEVICESETTINGS is gone although the history says nothing of a delete"
            ),
        ] as [(String, String?)])
    func told(log: String, contradiction: String?) throws {
        let store = try TestStore(
            StoreFixture(records: (1...6).map { FixtureRecord(row: $0, macAddress: "A4:C1:38:0B:7E:0\($0)") }).with {
                $0.storeUUID = "A"
                $0.savedInLog = [.sql(log)]
            })
        #expect(try Self.look(at: store.path).contradiction == contradiction)
    }
}
