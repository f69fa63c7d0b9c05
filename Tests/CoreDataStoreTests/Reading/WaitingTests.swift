import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

/// Objects 4 and 9 of entity 1 are in CloudKit; their transactions are 1 and 2, and the token names 2.
@Suite("what waits for CloudKit")
struct WaitingTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let waiting: [String]
        let adjust: @Sendable (inout StoreFixture) -> Void

        init(
            _ description: String, _ sql: String = "", waits waiting: String...,
            in adjust: @escaping @Sendable (inout StoreFixture) -> Void = { _ in }
        ) {
            testDescription = description
            self.sql = sql
            self.waiting = waiting
            self.adjust = adjust
        }
    }

    @Test("is each object once:", arguments: marks + changes + folds + authors + tokens + rows)
    func waiting(_ test: Case) throws {
        let store = try OddStore(test.sql) {
            $0.mirror = .current
            test.adjust(&$0)
        }
        try store.read { database, description in
            let mirror = try #require(description.mirror)
            var waiting: [String] = []
            var count = CloudKitMirror.WaitingCount()
            try mirror.forEachWaiting(in: description, database) { object in
                waiting.append(Self.text(object))
                count.add(object, in: description)
            }
            #expect(waiting == test.waiting)
            #expect(try mirror.waitingCount(in: description, database) == count)
            #expect(count.total == test.waiting.count)
        }
    }

    /// `update 4 history 3 40 name-4`: kind, row, why, since which transaction, which columns, CloudKit record.
    private static func text(_ waiting: CloudKitMirror.Waiting) -> String {
        let columns = waiting.columns?.map { String($0, radix: 16) }.joined() ?? "-"
        let parts = [
            "\(waiting.kind)", "\(waiting.object.row)", waiting.reason.rawValue,
            waiting.since.map { "\($0)" } ?? "-", columns, waiting.recordName ?? "-",
        ]
        return parts.joined(separator: " ")
    }

    private static func mark(_ assignment: String, _ row: Int = 4) -> String {
        "UPDATE ANSCKRECORDMETADATA SET \(assignment) WHERE ZENTITYPK = \(row); "
    }

    /// A transaction with one change of entity 1.
    private static func change(
        _ number: Int, _ type: Int, _ row: Int, columns: String = "NULL", entity: Int = 1, author: String? = nil,
        context: String? = nil
    ) -> String {
        let names = [author, context].compactMap { $0 }.map {
            "INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, ZNAME) SELECT MAX(Z_PK) + 1, '\($0)' FROM ATRANSACTIONSTRING; "
        }
        func string(_ name: String?) -> String {
            name.map { "(SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = '\($0)')" } ?? "NULL"
        }
        return names.joined() + """
            INSERT OR IGNORE INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZCONTEXTNAMETS)
            VALUES (\(number), 16002, 1, \(string(author)), \(string(context)));
            INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
            VALUES (16001, \(type), \(entity), \(row), \(number), \(columns));

            """
    }

    private static let marks = [
        Case("nothing, where all was uploaded"),
        Case("a record marked for upload", mark("ZNEEDSUPLOAD = 1"), waits: "update 4 flag - - name-4"),
        Case(
            "a record marked for upload that has no name yet", mark("ZNEEDSUPLOAD = 1, ZCKRECORDNAME = NULL"),
            waits: "insert 4 flag - - -"),
        Case("a record marked for deletion", mark("ZNEEDSCLOUDDELETE = 1"), waits: "delete 4 flag - - name-4"),
        Case(
            "a record with both marks", mark("ZNEEDSUPLOAD = 1, ZNEEDSCLOUDDELETE = 1"),
            waits: "delete 4 flag - - name-4"),
        Case("a mark of no object", mark("ZNEEDSUPLOAD = NULL")),
    ]

    private static let changes = [
        Case("an update after the token", change(3, 1, 4, columns: "X'40'"), waits: "update 4 history 3 40 name-4"),
        Case("an insert after the token", change(3, 0, 11), waits: "insert 11 history 3 - -"),
        Case("a delete after the token", change(3, 2, 9), waits: "delete 9 history 3 - name-9"),
        Case("a change at the token", change(2, 1, 4, columns: "X'40'")),
        Case("an update without columns", change(3, 1, 4), waits: "update 4 history 3 - name-4"),
        Case("a change of no entity", change(3, 1, 4, entity: 0)),
        Case("a change of an unknown entity", change(3, 1, 4, entity: 7)),
        Case("a change of the mirror's own entities", change(3, 1, 1, entity: 17012)),
        Case("a change of row 0", change(3, 1, 0)),
        Case("a change of an unknown type", change(3, 7, 4)),
        Case(
            "a mark and a change of the same record", mark("ZNEEDSUPLOAD = 1") + change(3, 1, 4, columns: "X'40'"),
            waits: "update 4 history 3 40 name-4"),
        Case(
            "two rows of metadata for one object",
            "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK; "
                + "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK, ZNEEDSUPLOAD) VALUES (90, 1, 4, 1); "
                + change(3, 1, 4, columns: "X'40'"), waits: "update 4 history 3 40 name-4"),
    ]

    private static let folds = [
        Case(
            "several updates have all of their columns",
            change(3, 1, 4, columns: "X'40'") + change(4, 1, 4, columns: "X'08'"),
            waits: "update 4 history 3 48 name-4"),
        Case(
            "an update that does not say makes the columns unknown",
            change(3, 1, 4, columns: "X'40'") + change(4, 1, 4), waits: "update 4 history 3 - name-4"),
        Case("insert and update are an insert", change(3, 0, 11) + change(3, 1, 11), waits: "insert 11 history 3 - -"),
        Case("update and delete are a delete", change(3, 1, 4) + change(5, 2, 4), waits: "delete 4 history 3 - name-4"),
        Case(
            "insert and delete of a record that CloudKit has are a delete", change(3, 0, 4) + change(4, 2, 4),
            waits: "delete 4 history 3 - name-4"),
        Case("insert and delete cancel", change(3, 0, 11) + change(4, 1, 11) + change(5, 2, 11)),
        Case(
            "insert and delete cancel, a mark stays",
            mark("ZNEEDSUPLOAD = 1, ZCKRECORDNAME = NULL") + change(3, 0, 4) + change(4, 2, 4),
            waits: "insert 4 flag - - -"),
        Case(
            "delete and insert of one row number are an update", change(3, 2, 4) + change(4, 0, 4),
            waits: "update 4 history 3 - name-4"),
        Case(
            "of two objects at once each is folded for itself",
            change(3, 1, 9) + change(3, 0, 11) + change(4, 1, 4) + change(5, 2, 11),
            waits: "update 4 history 4 - name-4", "update 9 history 3 - name-9"),
    ]

    private static let authors =
        ["export", "import", "reset", "migration", "setup", "event"].map {
            Case(
                "no change by the mirror's author .\($0)", change(3, 1, 4, author: "NSCloudKitMirroringDelegate.\($0)"))
        }
        + ["export", "import"].map {
            Case(
                "no change in the mirror's context .\($0)",
                change(3, 1, 4, author: "app", context: "NSCloudKitMirroringDelegate.\($0)"))
        }
        + ["setup", "importer", "Import"].map {
            Case(
                "a change in another context, .\($0)", change(3, 1, 4, context: "NSCloudKitMirroringDelegate.\($0)"),
                waits: "update 4 history 3 - name-4")
        } + [
            Case(
                "a change by an author of nearly the same name",
                change(3, 1, 4, author: "NSCloudKitMirroringDelegate.exports"), waits: "update 4 history 3 - name-4"),
            Case("a change by meterfix", change(3, 1, 4, author: "meterfix"), waits: "update 4 history 3 - name-4"),
            Case(
                "an imported delete undoes what was changed before",
                change(3, 1, 4) + change(4, 2, 4, author: "NSCloudKitMirroringDelegate.import")),
            Case(
                "another private delete does not",
                change(3, 1, 4) + change(4, 2, 4, author: "NSCloudKitMirroringDelegate.export"),
                waits: "update 4 history 3 - name-4"),
            Case(
                "an author of the oldest history",
                "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHOR) VALUES (3, 1, 'NSCloudKitMirroringDelegate.import'); "
                    + "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHOR) VALUES (4, 1, 'app'); "
                    + "INSERT INTO ACHANGE (ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (1, 1, 4, 3), (1, 1, 9, 4)",
                waits: "update 9 history 4 - name-9", in: { $0.history = .withoutStrings }),
        ]

    private static let tokens = [
        Case(
            "with a token in the middle, what comes after it", waits: "insert 9 history 2 - name-9",
            in: { $0.historyToken = .transaction(1) }),
        Case(
            "without a token, the whole history", waits: "insert 4 history 1 - name-4", "insert 9 history 2 - name-9",
            in: { $0.historyToken = .none }),
        Case(
            "with a token of another store, the whole history", waits: "insert 4 history 1 - name-4",
            "insert 9 history 2 - name-9", in: { $0.historyToken = .otherStore(2) }),
        Case(
            "with a token that cannot be decoded, the whole history",
            "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = X'00' WHERE ZTRANSFORMEDVALUE IS NOT NULL",
            waits: "insert 4 history 1 - name-4", "insert 9 history 2 - name-9"),
        Case("with a token beyond the history, nothing of it", in: { $0.historyToken = .transaction(50) }),
        Case(
            "without history, what is marked", mark("ZNEEDSUPLOAD = 1"), waits: "update 4 flag - - name-4",
            in: { $0.history = .none }),
    ]

    private static let forget = "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 9; "

    private static let rows = [
        Case("no row without metadata, where there is a token", forget),
        Case(
            "rows without metadata, where there is no token and no history", forget,
            waits: "insert 9 no-metadata - - -", in: { $0.history = .none }),
        Case(
            "rows without metadata only once", forget, waits: "insert 4 history 1 - name-4", "insert 9 history 2 - -",
            in: { $0.historyToken = .none }),
        Case(
            "rows without metadata, where the mirror is told to look for them",
            forget
                + "INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZBOOLVALUENUM) "
                + "VALUES (90, 'NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey', 1)",
            waits: "insert 9 no-metadata - - -"),
    ]
}

@Suite("the mirror's token")
struct HistoryTokenTests {
    private static func token(
        _ sql: String = "", _ adjust: @escaping (inout StoreFixture) -> Void = { _ in }
    ) throws -> HistoryToken? {
        let store = try OddStore(sql) {
            $0.mirror = .current
            adjust(&$0)
        }
        return try store.read { database, description in try description.mirror?.historyToken(of: description, database)
        }
    }

    @Test("names a transaction, which is there or not")
    func transaction() throws {
        #expect(try Self.token() == .transaction(2, exists: true))
        #expect(try Self.token { $0.historyToken = .transaction(1) } == .transaction(1, exists: true))
        #expect(try Self.token { $0.historyToken = .transaction(3) } == .transaction(3, exists: false))
        #expect(
            try Self.token("DELETE FROM ATRANSACTION WHERE Z_PK = 1") { $0.historyToken = .transaction(1) }
                == .transaction(1, exists: false))
        #expect(try Self.token("DROP TABLE ACHANGE") == .transaction(2, exists: false))
    }

    @Test("may be missing, empty, or of another store")
    func others() throws {
        #expect(try Self.token { $0.historyToken = .none } == HistoryToken.none)
        #expect(try Self.token { $0.historyToken = .transaction(0) } == HistoryToken.none)
        #expect(try Self.token("UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = NULL") == HistoryToken.none)
        #expect(try Self.token("DROP TABLE ANSCKMETADATAENTRY") == HistoryToken.none)
        #expect(try Self.token { $0.historyToken = .otherStore(2) } == .otherStore)
        #expect(try Self.token("UPDATE Z_METADATA SET Z_UUID = 'another'") == .otherStore)
    }

    @Test(
        "that cannot be decoded is not one",
        arguments: ["X'00'", "CAST('bplist00' AS BLOB)", "(SELECT Z_PLIST FROM Z_METADATA)", "zeroblob(100)"])
    func unreadable(value: String) throws {
        let sql = "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = \(value) WHERE ZTRANSFORMEDVALUE IS NOT NULL"
        #expect(try Self.token(sql) == .unreadable)
    }

    @Test("comes before the number of a transaction that is written")
    func numbers() throws {
        let store = try OddStore("") {
            $0.mirror = .current
            $0.historyToken = .transaction(50)
        }
        try DatabaseQueue.script(at: store.path) { database in
            let description = try StoreDescription(database)
            let history = try #require(description.history)
            let token = try #require(try description.mirror?.historyToken(of: description, database))
            var writer = HistoryWriter(history, keys: description.keys, after: token, now: FixtureClock.now, database)
            writer.record(writer.kind(.update, entity: 1, columns: [0x40]), row: 4)
            try writer.finish()
            #expect(try history.lastTransaction(database) == 51)
            #expect(try StoreDescription(database).keys["TRANSACTION"]?.lastRow == 51)
        }
    }
}
