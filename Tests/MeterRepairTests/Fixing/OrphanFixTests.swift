import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the cure of an orphan of the mirror")
struct OrphanFixTests {
    @discardableResult
    static func fix(_ store: TestStore, _ adjust: (inout ChangeOptions) -> Void = { _ in }) throws(StoreError)
        -> ChangeReport
    { try store.change(FixPlanner([.mirrorOrphan]), adjust) }

    /// The rows of the last transaction in the history: type, entity and row, as SQLite writes them.
    static func lastTransaction(_ store: TestStore) throws -> [String] {
        try StoreText.read(store.path) { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT ZCHANGETYPE || ' ' || ZENTITY || ' ' || ZENTITYPK || ' ' || quote(ZCOLUMNS) FROM ACHANGE
                    WHERE ZTRANSACTIONID = (SELECT MAX(Z_PK) FROM ATRANSACTION) ORDER BY Z_PK
                    """)
        }
    }

    static let deletions = [
        CloudDeletion(entity: "Bookmark", entityNumber: 1, row: 7, cloudRecord: "SEVEN"),
        CloudDeletion(entity: "Bookmark", entityNumber: 1, row: 8, cloudRecord: nil),
        CloudDeletion(entity: "DeviceSettings", entityNumber: 2, row: 6, cloudRecord: "SIX"),
    ]

    @Test("is not refused where the mirror reads the whole history, as another store's token makes it")
    func otherStore() throws {
        let store = try TestStore(StoreFixture.orphans.with { $0.historyToken = .otherStore(2) })
        #expect(throws: Never.self) { try Self.fix(store) }
    }

    @Test("is a transaction with a delete for each object, of whichever entity, and nothing else")
    func written() throws {
        let store = try TestStore(.orphans)
        #expect(try store.findings().contains("mirror-orphan"))
        let before = try store.text()
        let report = try Self.fix(store)
        #expect(report.outcome == .applied)
        #expect(report.plan.cloudDeletions == Self.deletions && report.plan.changeCount == 3)
        #expect(try Self.lastTransaction(store) == ["2 1 7 NULL", "2 1 8 NULL", "2 2 6 NULL"])
        let after = try store.text()
        #expect(after.isIntact && after.statements == before.statements)
        let history = ["ACHANGE": 3, "ATRANSACTION": 1, "ATRANSACTIONSTRING": 1]
        for (table, rows) in before.tables where table != "Z_PRIMARYKEY" {
            #expect(after[table: table].count == rows.count + history[table, default: 0], "\(table)")
            #expect(Array(after[table: table].prefix(rows.count)) == rows, "\(table)")
        }
        // The delete waits, so there is nothing left to cure.
        #expect(report.findings.map(\.id) == (try store.findings()))
        #expect(report.findings.contains { $0.id == "mirror-pending" })
        #expect(!report.findings.contains { $0.id == "mirror-orphan" })
        let fixed = try store.snapshot()
        #expect(try Self.fix(store).outcome == .unchanged)
        #expect(try store.snapshot().hasSameBytes(as: fixed))
    }

    @Test("costs a delete in CloudKit each, deletes no row, and says what happens on other devices")
    func numbers() throws {
        let plan = try Self.fix(TestStore(.orphans)) { $0.isDryRun = true }.plan
        #expect((plan.cloud.deletes, plan.cloud.updates, plan.cloud.batches) == (3, 0, 1))
        #expect((plan.summary.records, plan.summary.deleted, plan.summary.unchanged) == (1, 0, 1))
        #expect(plan.notes.count == 1)
        #expect(plan.notes.first?.contains("on all of the user's other devices") == true)
    }

    @Test("is not needed where every object is there, and where the store is not mirrored")
    func nothing() throws {
        for fixture in [StoreFixture.orphans.damaged("SELECT 1"), StoreFixture(records: [Meters.healthy])] {
            let store = try TestStore(fixture)
            let before = try store.snapshot()
            let report = try Self.fix(store) { $0.makesBackup = true }
            #expect(report.outcome == .unchanged && report.plan.notes == [])
            #expect(try store.snapshot().hasSameBytes(as: before))
        }
    }

    @Test("is one delete for an object with record metadata more than once, and says so")
    func ambiguous() throws {
        let store = try TestStore(.orphans)
        try store.execute(
            """
            DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK;
            INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK, ZCKRECORDNAME) VALUES (93, 1, 8, 'EIGHT')
            """)
        let report = try Self.fix(store)
        #expect(report.plan.changeCount == 3)
        #expect(report.plan.notes.last?.hasPrefix("row 8 of Bookmark: record metadata more than once") == true)
        #expect(report.plan.cloudDeletions[1].cloudRecord == "EIGHT")
        #expect(try !store.findings().contains("mirror-orphan"))
    }

    // MARK: - Where the mirror is in the history

    /// - Parameter archive: of the token, in SQL; nil for none.
    private static func store(withToken archive: String?, _ fixture: StoreFixture = .orphansWithInsert) throws
        -> TestStore
    {
        let store = try TestStore(fixture)
        let key = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
        try store.execute("DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = '\(key)'")
        if let archive {
            try store.execute(
                """
                INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZTRANSFORMEDVALUE) SELECT 900, '\(key)', \(archive)
                """)
        }
        return store
    }

    /// A token that names a transaction, in SQL.
    private static func token(_ transaction: Int64) -> String {
        func aClass(_ name: String) -> PropertyList {
            .dictionary(["$classname": .string(name), "$classes": .array([.string(name)])])
        }
        let objects: [PropertyList] = [
            .string("$null"),
            .dictionary(["NSPersistentHistoryTokenDictionary": .uid(2), "$class": .uid(6)]),
            .dictionary(["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(4)]), "$class": .uid(5)]),
            .string(StoreFixture.orphans.storeUUID), .integer(transaction), aClass("NSDictionary"),
            aClass("_NSPersistentHistoryToken"),
        ]
        let archive = PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
        ])
        return "X'\(Hexadecimal.text(of: archive.binaryPropertyList()))'"
    }

    @Test("comes after the transaction that the mirror has read, whatever the history's own numbers")
    func afterToken() throws {
        let store = try Self.store(withToken: Self.token(2))
        #expect(try Self.fix(store).plan.changeCount == 3)
        let later = try Self.store(withToken: Self.token(40))
        try later.execute("INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (40, 16002, 1.5)")
        try Self.fix(later)
        #expect(try later.column("Z_PK", of: "ATRANSACTION").last == "41: 41")
    }

    @Test("deletes a record that CloudKit has, although the mirror has yet to read its insert", arguments: [nil, 1])
    func reinserted(_ transaction: Int64?) throws {
        let store = try Self.store(withToken: transaction.map(Self.token))
        let report = try Self.fix(store)
        #expect(report.plan.cloudDeletions == Self.deletions && report.plan.changeCount == 3)
        #expect(report.findings.filter { $0.id == "mirror-orphan" }.isEmpty)
        #expect(report.forecast?.after.deletes == 3)
    }

    @Test("leaves out an object whose insert the mirror has yet to read: both would cancel out", arguments: [nil, 1])
    func unread(_ transaction: Int64?) throws {
        let store = try Self.store(withToken: transaction.map(Self.token))
        try store.execute("UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL WHERE ZENTITYID = 2 AND ZENTITYPK = 6")
        let report = try Self.fix(store)
        #expect(report.outcome == .applied)
        #expect(report.plan.cloudDeletions == Self.deletions.dropLast() && report.plan.changeCount == 2)
        #expect(report.plan.notes.last?.hasPrefix("row 6 of DeviceSettings: the mirror has yet to read") == true)
        #expect(report.findings.filter { $0.id == "mirror-orphan" }.map(\.rows) == [[6]])
        // Nothing else is left to do, and it is not said that all is well.
        let again = try Self.fix(store)
        #expect(again.outcome == .unchanged && again.plan.notes.count == 1)
    }

    @Test("is refused where no delete in the history reaches the mirror, also by force")
    func unreachable() throws {
        for (archive, fixture, words) in [
            (Self.token(3), .orphansWithInsert, "mirror-token-lost"),
            ("X'00'", .orphansWithInsert, "mirror-token-lost"),
            (nil, .orphans.with { $0.history = .none }.damaged("DELETE FROM ZDEVICESETTINGS"), "has no history"),
        ] as [(String?, StoreFixture, String)] {
            let store = try Self.store(withToken: archive, fixture)
            #expect(try store.findings().contains("mirror-orphan"))
            for force in [false, true] {
                let error = try store.refusal { try Self.fix(store) { $0.force = force } }
                #expect(error.kind == .unsuitable && error.message.contains(words) && error.hint != nil)
            }
        }
    }

    // MARK: - Afterwards

    @Test("is undone byte for byte, and what has changed since is told from it")
    func undo() throws {
        let store = try TestStore(.orphans)
        let before = try store.files()
        #expect(try Self.fix(store) { $0.makesBackup = true }.backup?.hasSuffix("-fix") == true)
        try store.execute("UPDATE ZBOOKMARK SET ZTITLE = 'b'")
        let stale = try store.undo()
        #expect(stale.outcome == .stale)
        #expect(stale.moved?.map { "\($0.table) \($0.row)" } == ["ZBOOKMARK 1"])
        try store.execute("UPDATE ZBOOKMARK SET ZTITLE = 'a'")
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("is in the list of changes with its deletes, with a backup and without one", arguments: [true, false])
    func history(makesBackup: Bool) throws {
        let store = try TestStore(.orphans)
        try Self.fix(store) { $0.makesBackup = makesBackup }
        let items = try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items
        #expect(items.map(\.counts?.deleted) == [3])
        #expect(items.map(\.command) == [makesBackup ? "fix" : nil])
    }

    @Test(
        "is no deleted record that restore-record looks for, unless it was one of DeviceSettings",
        arguments: [true, false])
    func restoring(makesBackup: Bool) throws {
        let store = try TestStore(.orphans)
        try Self.fix(store) { $0.makesBackup = makesBackup }
        let meter = try #require(MACAddress.parse("A4:C1:38:0B:7E:06")?.0)
        let merged = try MergedRecords.of(meter, in: store.path, folder: nil, now: TestStore.now)
        #expect(merged.records.isEmpty && merged.warnings.isEmpty)
        #expect(merged.withoutBackup == (makesBackup ? 0 : 1))
    }
}
