import CoreDataStore
import Foundation
import GRDB
import MeterStore
import MeterTestSupport
import Testing

@Suite("a store fixture")
struct StoreFixtureTests {
    private let folder = TemporaryFolder.parent + "/fixture-tests-" + UUID().uuidString
    private let records = [
        FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21", meterName: "Kitchen charger")
            .locked(by: .anasPhone, at: FixtureClock.now),
        FixtureRecord(row: 9, macAddress: "a4c1380b7e22", meterName: "Bench \"UM34C\"")
            .seen(by: .bogdansMac, at: FixtureClock.now - 0.5).with { $0.cloudRecordName = FixtureUUID(1).text },
    ]

    @Test("opens in every variant and has its rows and numbers")
    func forms() throws {
        let encodings: [USBMeterModel.LockEncoding] = [.flat, .blob, .blobWithBinaryDiscovery, .both]
        for version in [USBMeterModel.Version.v1, .v2] {
            for encoding in encodings {
                for history in [SchemaStatements.History.none, .current, .withoutStrings] {
                    for mirror in [StoreFixture.Mirror.none, .current, .oldest] {
                        try check(
                            StoreFixture(version, records: records).with {
                                $0.lockEncoding = encoding
                                $0.history = history
                                $0.mirror = mirror
                            })
                    }
                }
            }
        }
    }

    private func check(_ fixture: StoreFixture) throws {
        try read(fixture) { database in
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            #expect(try Int64.fetchAll(database, sql: "SELECT Z_PK FROM ZDEVICESETTINGS ORDER BY 1") == [4, 9])
            let numbers = try Row.fetchAll(database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
                .reduce(into: [String: Int64]()) { $0[$1["Z_NAME"]] = $1["Z_MAX"] }
            #expect(numbers["DeviceSettings"] == 9)
            #expect(numbers["CHANGE"] == (fixture.history == .none ? nil : 2))
            #expect(numbers["TRANSACTIONSTRING"] == (fixture.history == .current ? 2 : nil))
            #expect(numbers["NSCKRecordMetadata"] == (fixture.mirror == .none ? nil : 1))
            if fixture.history != .none {
                let changes = try Int64.fetchAll(
                    database,
                    sql: """
                        SELECT ZENTITYPK FROM ACHANGE JOIN ATRANSACTION ON ATRANSACTION.Z_PK = ZTRANSACTIONID
                        WHERE ZCHANGETYPE = 0 AND ZCOLUMNS IS NULL AND ACHANGE.Z_OPT IS NULL ORDER BY 1
                        """)
                #expect(changes == [4, 9])
            }
            if fixture.lockEncoding != .flat {
                let lock = try String.fetchOne(database, sql: "SELECT ZCONNECTIONMETADATA FROM ZDEVICESETTINGS")
                #expect(
                    lock == #"{"device":"\#(FixtureDevice.anasPhone.id)","timestamp":"2026-11-21T12:00:00Z","#
                        + #""expiry":"2026-11-21T12:02:00Z"}"#)
                let kind = try String.fetchOne(
                    database, sql: "SELECT typeof(ZDISCOVERYMETADATA) FROM ZDEVICESETTINGS WHERE Z_PK = 9")
                #expect(kind == (fixture.lockEncoding == .blobWithBinaryDiscovery ? "blob" : "text"))
            }
        }
    }

    @Test("takes overrides and extra values, and says what does not fit")
    func values() throws {
        let odd = FixtureRecord(row: 1).with {
            $0.extra = ["note": "fuse"]
            $0.overrides = ["ZUPDATEDAT": "yesterday", "Z_ENT": 7]
        }
        let fixture = StoreFixture(records: [odd]).with { $0.extraAttributes = [Attribute("note", .string)] }
        try read(fixture) { database in
            let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM ZDEVICESETTINGS"))
            #expect(row["ZUPDATEDAT"] == "yesterday")
            #expect(row["Z_ENT"] == 7)
            #expect(row["ZNOTE"] == "fuse")
        }
        #expect(throws: FixtureError.self) { try read(StoreFixture(records: [odd])) { _ in } }
    }

    @Test("can leave its rows in the WAL, or lose the WAL")
    func log() throws {
        let fixture = StoreFixture(records: records)
        for (placement, files) in [(StoreFixture.LogPlacement.checkpointed, ["-wal"]), (.mainFileAlone, [])] {
            try read(fixture.with { $0.logPlacement = placement }, files: files) { database in
                let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
                #expect(count == 2)
            }
        }
        try read(fixture.with { $0.logPlacement = .rowsInLogOnly }, files: ["-wal"]) { database in
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
            #expect(count == 2)
        }
        try read(fixture.with { $0.logPlacement = .logForgotten }, files: ["-shm"]) { database in
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
            #expect(count == 0)
        }
    }

    @Test("holds every random record set")
    func random() throws {
        for seed in UInt64(0)..<5 {
            let records = RandomStores.records(seed: seed)
            let fixture = StoreFixture(records: records).with {
                $0.mirror = .current
                $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
            }
            try read(fixture) { database in
                let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
                #expect(count == records.count)
                let last = try Int.fetchOne(database, sql: "SELECT MAX(Z_PK) FROM ATRANSACTION")
                #expect(last == records.count)
            }
        }
    }

    private func read(
        _ fixture: StoreFixture, files companions: [String]? = nil, _ use: (Database) throws -> Void
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try fixture.write(to: folder + "/store.sqlite")
        let files = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        let expected = companions ?? (fixture.journalMode == .wal ? ["-wal"] : [])
        #expect(files == Set(([""] + expected).map { "store.sqlite" + $0 }))
        let queue = try DatabaseQueue(path: folder + "/store.sqlite")
        try queue.read(use)
        try queue.close()
    }
}
