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

    /// The store of one of two devices with the same version of the app, each with six meters and as many transactions.
    private static func device(_ uuid: String, secondsLater: Double, log: [FixtureSave]) -> StoreFixture {
        let records = (1...6 as ClosedRange<Int64>).map { row in
            var record = FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:0\(row)")
            record.cloudRecordName = "\(uuid)-\(row)"
            return record
        }
        return StoreFixture(records: records).with {
            $0.storeUUID = uuid
            $0.mirror = .current
            $0.savedInLog = log
        }.damaged("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + \(secondsLater)")
    }

    private static func token(of store: String, transaction: Int64) -> FixtureSave {
        let bytes = MirrorArchive.historyToken(store: store, transaction: transaction)
        let hex = bytes.map { String(format: "%02X", $0) }.joined()
        return .sql(
            """
            UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = X'\(hex)'
            WHERE ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey'
            """)
    }

    private static let renaming = FixtureSave.update(1, ["meterName": .text("Bench")], at: FixtureClock.now)

    @Test(
        "of two devices do not belong together, though the numbers in the log follow those in the main file:",
        arguments: [
            ([renaming], "transaction 6 was made at another time in the main file than in its log"),
            ([renaming, token(of: "B", transaction: 7)], "transaction 6 was made at another time"),
            ([.sql("UPDATE Z_METADATA SET Z_VERSION = 1"), renaming], "transaction 6 was made at another time"),
        ] as [([FixtureSave], String)])
    func twoDevices(log: [FixtureSave], reason: String) throws {
        let ours = try TestStore(Self.device("A", secondsLater: 0, log: [Self.renaming]))
        let theirs = try TestStore(Self.device("B", secondsLater: 7.25, log: log))
        for store in [ours, theirs] { #expect(try Self.look(at: store.path).contradiction == nil) }
        try FileBytes.write(FileBytes.read(theirs.path + "-wal"), to: ours.path + "-wal")
        #expect(try Self.look(at: ours.path).contradiction?.hasPrefix(reason) == true)
    }

    @Test("do not belong together where the log begins in a file of another size, whatever the history says")
    func otherSize() throws {
        let ours = StoreFixture(records: [FixtureRecord(row: 1)]).with {
            $0.history = .none
            $0.savedInLog = [.sql("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Bench'")]
        }
        let larger = ours.damaged("CREATE TABLE T (A); INSERT INTO T VALUES (zeroblob(20000))")
        let (store, other) = (try TestStore(ours), try TestStore(larger))
        for store in [store, other] { #expect(try Self.look(at: store.path).contradiction == nil) }
        try FileBytes.write(FileBytes.read(other.path + "-wal"), to: store.path + "-wal")
        #expect(try Self.look(at: store.path).contradiction?.hasPrefix("the log begins in a file of") == true)
    }

    @Test("belong together where the store got another identity and kept its history and the token of the one before")
    func otherIdentity() throws {
        let store = try TestStore(
            Self.device(
                "A", secondsLater: 0,
                log: [Self.renaming, Self.token(of: "A", transaction: 7), .sql("UPDATE Z_METADATA SET Z_UUID = 'B'")]))
        #expect(try Self.look(at: store.path).contradiction == nil)
    }
}
