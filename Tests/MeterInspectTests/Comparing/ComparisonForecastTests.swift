import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// What a comparison says stays, where one side cannot know what the other one has done.
@Suite("the forecast of a comparison")
struct ComparisonForecastTests {
    private static let fixture = StoreFixture(
        records: [(1, "7E:66"), (2, "7E:66"), (3, "7E:67")].map { (row: Int64, end: String) in
            Meters.other(row, "A4:C1:38:0B:" + end, "Meter \(row)", inCloudAs: "NAME-\(row)")
        }
    ).with {
        $0.mirror = .current
        $0.mirrorEvents = [MirrorEvent(.incoming, at: FixtureClock.now - 500)]
    }

    /// Of another device, where everything is uploaded.
    private static func other(_ sql: String = "SELECT 1") throws -> TestStore {
        let store = try TestStore(fixture.with { $0.storeUUID = FixtureUUID(9).text })
        try store.execute(sql)
        return store
    }

    private static func losses(_ meter: MeterComparison?) -> [String] {
        (meter?.losses ?? []).map { "\($0.value.text ?? "") \($0.side)\($0.first.map { " if \($0)" } ?? "")" }
    }

    private static func renamed(at seconds: Double) -> String {
        "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Attic', ZUPDATEDAT = \(FixtureClock.now + seconds) WHERE Z_PK = 3"
    }

    @Test("gives up a change that is older than what the other side has uploaded", arguments: [true, false])
    func behind(isFirst: Bool) throws {
        let store = try TestStore(Self.fixture)
        try store.change(SetPlanner(.row(3), name: "Cellar", unit: nil))
        let other = try Self.other(Self.renamed(at: 3_600))
        let sides = isFirst ? [store, other] : [other, store]
        let report = try ComparisonReport.of(sides[0].path, sides[1].path, now: TestStore.now)
        let meter = report.meters.first { $0.a?.record.row == 3 }
        #expect(meter?.winner == (isFirst ? .b : .a))
        #expect(Self.losses(meter) == ["Cellar \(isFirst ? "a" : "b")"])
        // One that is newer may have been made to that version.
        let newer = try Self.other(Self.renamed(at: -3_600))
        let kept = try ComparisonReport.of(store.path, newer.path, now: TestStore.now).meters
        #expect(Self.losses(kept.first { $0.a?.record.row == 3 }) == ["Attic b"])
    }

    @Test("leaves open who is first where the zone is gone, and both sides upload everything")
    func newZone() throws {
        let store = try TestStore(Self.fixture)
        let other = try Self.other(
            Self.renamed(at: -3_600) + "; UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMZONEDELETE = 1")
        let report = try ComparisonReport.of(store.path, other.path, now: TestStore.now)
        let meter = report.meters.first { $0.a?.record.row == 3 }
        #expect(meter?.winner == nil && Self.losses(meter) == ["Meter 3 a if b", "Attic b if a"], "\(report.meters)")
    }

    @Test("is none where the rows of a side are deleted and come down again")
    func lostPlace() throws {
        let other = try Self.other(Self.renamed(at: 60))
        try other.moveToken(to: 77, ofStore: FixtureUUID(9).text)
        let store = try TestStore(Self.fixture)
        let report = try ComparisonReport.of(store.path, other.path, now: TestStore.now)
        #expect(!report.forecasts && report.steps.first?.kind == .stop)
    }

    @Test("takes a change of a record for lost that the other side has deleted, and uploaded that")
    func deletedAndUploaded() throws {
        let (repaired, other) = (try TestStore(Self.fixture), try Self.other())
        try repaired.change(WholeRepair())
        try repaired.uploadAll(ofStore: Self.fixture.storeUUID)
        let left = try repaired.column("Z_PK", of: "ZDEVICESETTINGS")
        let gone = left.contains("1: 1") ? 2 : 1
        try other.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Gamma', ZUPDATEDAT = \(FixtureClock.now + 60) WHERE Z_PK = \(gone);
            UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = \(gone)
            """)
        let report = try ComparisonReport.of(repaired.path, other.path, now: TestStore.now)
        #expect(Self.losses(report.meters.first).contains("Gamma b"), "\(report.meters)")
        let commands = report.steps.compactMap(\.command?.description)
        #expect(commands.contains { $0.contains("--name Gamma") && $0.hasSuffix(repaired.path) }, "\(report.steps)")
    }
}

extension TestStore {
    /// Moves the place in the history up to which the mirror has read.
    func moveToken(to transaction: Int64, ofStore uuid: String) throws {
        let token = MirrorArchive.historyToken(store: uuid, transaction: transaction)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try execute(
            "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = x'\(token)' WHERE ZKEY LIKE '%LastHistoryToken%'")
    }

    /// As the mirror leaves a store of which it has uploaded everything, deletes too.
    func uploadAll(ofStore uuid: String) throws {
        try moveToken(to: Int64(column("Z_PK", of: "ATRANSACTION").count), ofStore: uuid)
        try execute("DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK NOT IN (SELECT Z_PK FROM ZDEVICESETTINGS)")
    }
}
