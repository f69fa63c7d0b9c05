import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a store that was put together")
struct RecoveredStoreTests {
    private static let household = StoreFixture(records: SampleRecords.mirrored(SampleRecords.household)).with {
        $0.mirror = .current
    }

    /// As SQLite's `.recover` leaves it.
    private static func recovered(
        _ fixture: StoreFixture = household,
        columns: String = "rootpgno INTEGER, pgno INTEGER, nfield INTEGER, id INTEGER, c0",
        table: String = "lost_and_found", rows: Int = 2
    ) -> StoreFixture {
        fixture.damaged("CREATE TABLE \(table) (\(columns))").damagedFurther(
            String(repeating: "INSERT INTO \(table) (pgno) VALUES (38);", count: rows))
    }

    /// With the mark of `recover`.
    private static func marked(_ fixture: StoreFixture = household) -> StoreFixture {
        fixture.with {
            $0.damage = { database in
                var metadata = try StoreDescription(database).metadata
                metadata.dictionary?["recoveredStore"] = .dictionary(["date": .date(FixtureClock.now - 60.5)])
                try metadata.write(to: database)
            }
        }
    }

    private static func check(_ description: String, _ fixture: StoreFixture, _ words: String...) -> CheckCase {
        CheckCase(description, fixture, finds: words.isEmpty ? [] : [[]], words: words)
    }

    private static let cases: [CheckCase] = [
        check("as the app left it", household),
        check("by SQLite", recovered(), "the table lost_and_found has 2 rows", "nothing may be deleted from iCloud"),
        check("by SQLite, the table numbered", recovered(table: "lost_and_found_0"), "the table lost_and_found_0 has"),
        check("by SQLite, the table named by somebody", recovered(table: "remains"), "the table remains has 2 rows"),
        check("by SQLite, without the columns' types", recovered(columns: "rootpgno, pgno, nfield, id"), "has 2 rows"),
        check("by SQLite, the table emptied", recovered(rows: 0), "it has the table lost_and_found"),
        check("a table of that name with other columns", recovered(columns: "pgno, rootpgno, nfield, id")),
        check("a table of that name with too few", recovered(columns: "rootpgno, pgno, nfield")),
        check(
            "by recover", marked(), "`meterfix recover` put this store together at 2026-11-21T11:58:59.500Z",
            "nothing may be deleted from iCloud"),
        check(
            "never mirrored", recovered(household.with { $0.mirror = .none }), "!iCloud",
            "ask for the damaged store itself"),
    ]

    @Test("is known:", arguments: CheckCase.of(["recovered-store": cases]))
    func found(_ test: CheckCase) throws { try test.run() }

    @Test("is said first, and carries no sentence that all is well")
    func alert() throws {
        let store = try TestStore(Self.recovered())
        let status = try StatusReport.of(store.path, now: TestStore.now)
        #expect(status.alerts.recovery != nil)
    }

    /// Row 4 is gone, and CloudKit has it; rows 6 and 7 are of one meter; row 8 is of none.
    private static let inNeed = StoreFixture(
        records: SampleRecords.mirrored(
            SampleRecords.household + [
                SampleRecords.household[0].with { ($0.row, $0.id) = (6, FixtureUUID(601).bytes) },
                FixtureRecord(row: 7).with { $0.id = FixtureUUID(602).bytes },
            ])
    ).with { $0.mirror = .current }

    @Test("gets no advice to delete a record that CloudKit may have whole, from any check")
    func cures() throws {
        func cures(_ fixture: StoreFixture) throws -> [String: Cure] {
            let store = try TestStore(fixture)
            let findings = try store.found()
            return Dictionary(findings.map { ($0.id, $0.cure) }, uniquingKeysWith: { first, _ in first })
        }
        let orphaned = "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 4"
        let deleting = ["mirror-orphan", "duplicate-mac", "mac-missing"]
        let usual = try cures(Self.inNeed.damagedFurther(orphaned))
        for id in deleting { #expect(usual[id]?.command != nil, "\(id)") }
        for fixture in [Self.recovered(Self.inNeed), Self.marked(Self.inNeed)] {
            let found = try cures(fixture.damagedFurther(orphaned))
            for id in deleting {
                #expect(found[id]?.command == nil, "\(id)")
                #expect(found[id]?.description.contains("see recovered-store") == true, "\(id)")
            }
        }
        // What was never in CloudKit cannot be deleted there.
        let local = try cures(Self.recovered(Self.inNeed.with { $0.mirror = .none }))
        #expect(local["duplicate-mac"]?.command != nil)
    }

    @Test("is not given deletes for CloudKit by fix, whether by name or as all", arguments: [true, false])
    func fix(isMarked: Bool) throws {
        let orphans = StoreFixture.orphans
        let fixture = orphans.with { fixture in
            let more = isMarked ? Self.marked() : Self.recovered()
            fixture.damage = { database in
                try orphans.damage?(database)
                try more.damage?(database)
            }
        }
        let store = try TestStore(fixture)
        #expect(try store.findings().contains("recovered-store"))
        let refusal = try store.refusal { try store.change(FixPlanner([.mirrorOrphan, .lockExpired])) }
        #expect(refusal.kind == .unsuitable && refusal.message.contains("recovered-store"))
        let all = try store.change(WholeRepair())
        #expect(all.plan.cloud.deletes == 0)
    }

    @Test(
        "is what recover makes of a store that has lost a page, whatever it could read of the metadata",
        arguments: [true, false])
    func recovery(hasMetadata: Bool) throws {
        let damaged = try TestStore(
            Self.household.damaged(hasMetadata ? "SELECT 1" : "UPDATE Z_METADATA SET Z_PLIST = NULL"))
        let root = try StoreText.read(damaged.path) { database in
            try database.integer(of: "SELECT rootpage FROM sqlite_master WHERE name = 'ACHANGE'")
        }
        try PageDamage.zeros.apply(to: Int(root), of: damaged.path)
        let output = "\(damaged.folder.path)/new.sqlite"
        let report = try Recovery.run(damaged.path, to: output, now: TestStore.now)
        #expect(report.verification.findings?.ids.contains("recovered-store") == true)
        let recoveries = try StoreText.read(output) { try StoreDescription($0).recoveries }
        #expect(recoveries == (hasMetadata ? [.meterfix(FixtureClock.now)] : [.sqlite("lost_and_found")]))
        // A second time it is noted anew, and nothing else changes.
        let again = "\(damaged.folder.path)/again.sqlite"
        _ = try Recovery.run(output, to: again, now: TestStore.now)
        #expect(try StoreText.read(again) { try StoreDescription($0).recoveries } == recoveries)
    }
}
