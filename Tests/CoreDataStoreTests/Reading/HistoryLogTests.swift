import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

/// The changes in the history, newest first. The fixtures have two transactions, each with an insert.
@Suite("persistent history, change by change")
struct HistoryLogTests {
    private struct Read {
        let save: PersistentHistory.Save
        let change: PersistentHistory.LoggedChange
    }

    private func read(
        _ store: OddStore, since: Double? = nil, until: Double? = nil, entities: [Int64]? = nil,
        transaction: Int64? = nil
    ) throws -> [Read] {
        try store.read { database, description in
            var changes: [Read] = []
            try description.history?.forEachChange(
                since: since, until: until, ofEntities: entities, inTransaction: transaction, database
            ) {
                changes.append(Read(save: try $0.save(), change: $0.change))
            }
            return changes
        }
    }

    @Test(
        "are read newest first, with who saved them", arguments: [SchemaStatements.History.current, .withoutStrings])
    func order(history: SchemaStatements.History) throws {
        let changes = try read(OddStore { $0.history = history })
        #expect(changes.map(\.save.transaction) == [2, 1])
        #expect(changes.map(\.change.row) == [9, 4])
        #expect(changes.map(\.change.kind) == [.insert, .insert])
        for save in changes.map(\.save) {
            #expect(save.isThere && save.author == nil && save.context == nil)
            #expect(save.bundle == StoreFixture.bundle && save.process == StoreFixture.process)
        }
        #expect(changes[0].save.time == (changes[1].save.time ?? 0) + FixtureClock.minute)
    }

    @Test("of one transaction are in the order in which they were saved, and those without theirs come last")
    func orphans() throws {
        let changes = try read(
            OddStore(
                """
                INSERT INTO ACHANGE (Z_PK, ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID)
                VALUES (50, 1, 70, 1, 2), (40, 1, 71, 2, 2), (41, 1, 72, 2, 77), (42, 1, 73, 1, NULL), (43, 1, 74, 1, 78)
                """))
        #expect(changes.map(\.change.row) == [9, 71, 70, 4, 74, 72, 73])
        #expect(changes.map(\.save.isThere) == [true, true, true, true, false, false, false])
        #expect(changes.map(\.save.transaction) == [2, 2, 2, 1, 78, 77, nil])
        #expect(changes.suffix(3).allSatisfy { $0.save.time == nil && $0.save.names.isEmpty })
    }

    @Test("before a moment and from it on are the whole, with whatever times")
    func moments() throws {
        let store = try OddStore(
            """
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) VALUES (3, 9e999), (4, -9e999), (5, NULL), (6, 'yesterday'), (7, 5),
            (8, 7.5);
            INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID) SELECT 1, Z_PK, 1, Z_PK FROM ATRANSACTION;
            INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID) VALUES (1, 1, 1, 90)
            """)
        let all = try read(store).map(\.change)
        #expect(all.count == 11)
        for moment in [-1e300, 4, 5, 5.5, 7.5, 8, FixtureClock.now, 1e300, .infinity, -.infinity] {
            let before = try read(store, until: moment)
            let after = try read(store, since: moment)
            #expect(Set((before + after).map(\.change)) == Set(all), "\(moment)")
            #expect(before.count + after.count == all.count, "\(moment)")
            #expect(after.allSatisfy { $0.save.time.map { $0 >= moment } ?? false }, "\(moment)")
        }
        let both = try read(store, since: 5, until: 7.5)
        #expect(both.map(\.save.transaction) == [7])
    }

    @Test("of some entities, or of one transaction, are those and no others")
    func selected() throws {
        let store = try OddStore(
            """
            INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID) VALUES (7, 1, 1, 2), (8, 2, 1, 1),
            (NULL, 3, 1, 2), (8, 4, 1, NULL)
            """)
        #expect(try read(store, entities: [7, 8]).map(\.change.row) == [1, 2, 4])
        #expect(try read(store, entities: []).isEmpty)
        #expect(try read(store, transaction: 1).map(\.change.row) == [4, 2])
    }

    @Test("have strange values, never a trap")
    func strangeValues() throws {
        let changes = try read(
            OddStore(
                """
                INSERT INTO ATRANSACTION (Z_PK, ZBUNDLEIDTS, ZPROCESSIDTS, ZAUTHORTS, ZCONTEXTNAMETS)
                VALUES (9223372036854775807, -9223372036854775808, 'x', 99, X'00');
                UPDATE ATRANSACTIONSTRING SET ZNAME = CAST(X'FFC3' AS TEXT) WHERE Z_PK = 1;
                INSERT INTO ACHANGE (Z_PK, ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID, ZCOLUMNS)
                VALUES (-9223372036854775808, X'00', 'x', 2.5, 9223372036854775807, 'text'),
                (900, 1, 9223372036854775807, 9, 2, zeroblob(1000000))
                """))
        #expect(changes.count == 4)
        #expect(changes[0].save.names.isEmpty && changes[0].save.time == nil)
        #expect(changes[0].change.object == nil && changes[0].change.kind == nil && changes[0].change.columns == nil)
        #expect(changes[2].change.type == 9 && changes[2].change.kind == nil)
        #expect(changes[2].change.columns?.count == 1_000_000)
        #expect(changes[1].save.bundle == "\u{FFFD}\u{FFFD}")
    }

    @Test("have what a deleted object left")
    func tombstones() throws {
        let changes = try read(
            OddStore(
                """
                ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE0 BLOB; ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE1 BLOB;
                ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE3 BLOB;
                UPDATE ACHANGE SET ZCHANGETYPE = 2, ZTOMBSTONE0 = X'00', ZTOMBSTONE1 = 'left', ZTOMBSTONE3 = 'other'
                WHERE Z_PK = 2
                """))
        #expect(changes.map(\.change.tombstones) == [["left"], []])
    }

    @Test("by the mirror itself are told from the app's", arguments: CloudKitMirror.Work.allCases)
    func mirror(work: CloudKitMirror.Work) throws {
        func works(_ column: String, _ name: String) throws -> [CloudKitMirror.Work?] {
            try read(
                OddStore(
                    """
                    INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (9, '\(name)');
                    UPDATE ATRANSACTION SET \(column) = 9 WHERE Z_PK = 1
                    """)
            ).map { CloudKitMirror.Work($0.save) }
        }
        #expect(try works("ZAUTHORTS", work.rawValue) == [nil, work])
        #expect(try works("ZAUTHORTS", work.rawValue + ".") == [nil, nil])
        #expect(try works("ZPROCESSIDTS", work.rawValue) == [nil, nil])
        let isContext = work == .import || work == .export
        #expect(try works("ZCONTEXTNAMETS", work.rawValue) == [nil, isContext ? work : nil])
    }

    @Test("are read one after the other: the history is neither sorted nor scanned for each transaction")
    func streamed() throws {
        try OddStore().read { database, _ in
            var plan: [String] = []
            try database.forEachRow(
                """
                EXPLAIN QUERY PLAN SELECT c.Z_PK, t.ZTIMESTAMP FROM ATRANSACTION t CROSS JOIN ACHANGE c
                ON c.ZTRANSACTIONID = t.Z_PK ORDER BY t.Z_PK DESC, c.Z_PK
                """
            ) { plan.append($0.text(3) ?? "") }
            #expect(
                plan.count == 2 && plan[0].contains("SCAN") && plan[1].contains("ACHANGE_ZTRANSACTIONID_INDEX"),
                "\(plan)")
        }
    }
}
