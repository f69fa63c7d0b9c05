import CoreDataStore
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the proof before a commit lets pass")
struct RightChangeTests {
    private static let fixture = FaultyPlannerTests.fixture

    /// Two meters with two records each and one that is only spelled differently: in the order of rows, of addresses and of
    /// the plan they stand differently, and not all updates are of the same fields.
    private static let several = StoreFixture(
        records: [(1, 9, "Nine"), (2, 1, nil), (3, 5, nil), (4, 1, "One"), (6, 9, nil)].map {
            (row: Int64, meter: Int, name: String?) in
            FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:0\(meter)", meterName: name).with {
                $0.id = FixtureUUID(UInt64(row)).bytes
                $0.createdAt = FixtureClock.now - 1000 + Double(row)
                $0.updatedAt = FixtureClock.now - 900 + Double(row)
                if meter == 5 { $0.macAddress = "a4c1380b7e05" }
                if row == 6 { $0.modelType = "TC66C" }
            }
        }
    ).with { $0.marker = nil }

    private static let importer = ImportPlanner(
        TestStore.values(names: ["D0:5F:B8:26:C3:91": "Boot", "D0:5F:B8:26:C3:90": "Boat", Meters.address: "Sink"]),
        sha256: "5a", policy: .replace)

    @Test("changes of several records, in any order of the plan", arguments: [false, true])
    func order(isReversed: Bool) throws {
        for version in [USBMeterModel.Version.v1, .v2] {
            var rebuild = FaultyPlanner()
            var importing = FaultyPlanner(Self.importer)
            if isReversed {
                rebuild.spoil = { $0.reverse() }
                importing.spoil = { $0.reverse() }
            }
            // Schema v1 has no two records of one address.
            let several =
                version == .v2
                ? Self.several
                : Self.several.with { fixture in
                    fixture.version = .v1
                    for index in [1, 4] {
                        fixture.records[index].macAddress = fixture.records[index].macAddress?.lowercased()
                    }
                }
            try rebuild.expectDone(in: several)
            try importing.expectDone(in: Self.fixture.with { $0.records = [Meters.pair[0], Meters.healthy] })
        }
    }

    /// The record that stays has the lower row number and comes first where the constraint does not forbid it.
    @Test("an address that another record has until it is deleted, where no two may have one")
    func constrained() throws {
        try FaultyPlanner().expectDone(
            in: Self.several.with {
                $0.version = .v1
                $0.records[0].macAddress = "A4C1380B7E09"
                $0.records[0].modelType = "TC66C"
                $0.records[1].macAddress = "A4C1380B7E01"
                $0.records[4].modelType = nil
            })
    }

    @Test("an author's string that was there, whatever Z_MAX of the strings says")
    func stringBehind() throws {
        try FaultyPlanner().expectDone(
            in: Self.fixture.with {
                $0.damage = {
                    try $0.execute(
                        sql: """
                            INSERT INTO ATRANSACTIONSTRING VALUES (9, 16003, NULL, 'meterfix');
                            UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'TRANSACTIONSTRING'
                            """)
                }
            })
    }

    @Test("a transaction of the same moment as the last one, and the first of all")
    func moments() throws {
        for sql in [
            "UPDATE ATRANSACTION SET ZTIMESTAMP = \(FixtureClock.now)", "UPDATE ATRANSACTION SET ZTIMESTAMP = NULL",
            "DELETE FROM ATRANSACTION; DELETE FROM ACHANGE; DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTION'",
        ] { try FaultyPlanner().expectDone(in: Self.fixture.with { $0.damage = { try $0.execute(sql: sql) } }) }
    }

    @Test("a change of a store that keeps its authors as text, or has no history")
    func otherHistories() throws {
        for history in [SchemaStatements.History.withoutStrings, .none] {
            try FaultyPlanner().expectDone(
                in: Self.fixture.with {
                    $0.history = history
                    $0.mirror = .none
                })
        }
    }
}
