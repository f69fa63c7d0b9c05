import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the facts of a report")
struct TicketReportTests {
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)

    private static func report(
        _ path: String, _ adjust: (inout TicketReport.Request) -> Void = { _ in }
    ) throws -> TicketReport {
        var request = TicketReport.Request(now: now)
        adjust(&request)
        return try TicketReport.of(path, request)
    }

    private static func change(_ planner: some Planner, _ path: String, after seconds: Double = 0) throws {
        try ChangeRun.run(
            planner, on: path,
            options: ChangeOptions(now: Timestamp(secondsSince2001: FixtureClock.now + seconds)))
    }

    private static func repair(_ report: TicketReport) -> RepairSummary? {
        switch report.customer.repair {
        case .ahead(let repair), .done(let repair, _): repair
        case .none, .impossible, .forgotten: nil
        }
    }

    @Test("are those of status, verify, sync and a dry run, and looking leaves no trace")
    func same() throws {
        let store = try TestStore(StoreFixture.twins.with { $0.mirror = .current })
        let report = try store.looking { try Self.report(store.path) }
        #expect(try report.status.json == StatusReport.of(store.path, now: Self.now).json)
        #expect(
            try report.verification.findings == Verify.report(store.path, VerifyOptions(now: Self.now)).findings
        )
        #expect(try report.sync.get().next == store.sync().next)
        var options = ChangeOptions(now: Self.now)
        options.isDryRun = true
        let dryRun = try ChangeRun.run(WholeRepair(), on: store.path, options: options)
        guard case .planned(let repair) = report.outlook else {
            Issue.record("not planned")
            return
        }
        #expect(repair.plan == dryRun.plan)
        #expect(report.checks.map(\.check) == Check.ofStoreAlone)
        #expect(report.checks.reduce(0) { $0 + ($1.findings ?? 0) } == report.verification.findings.count)
    }

    @Test("tell what the repairs of one visit did, as long as they are in the store")
    func visit() throws {
        let store = try TestStore(StoreFixture.twins)
        let ahead = try #require(Self.repair(try Self.report(store.path)))
        #expect(ahead.merged.count == 7 && ahead.copies == 2...2)
        try Self.change(WholeRepair(), store.path)
        let done = try #require(Self.repair(try Self.report(store.path)))
        #expect(done.merged == ahead.merged && done.choices == ahead.choices)
        // By hand is no repair, and does not hide one.
        try store.execute("UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F' WHERE Z_PK = 1")
        try Self.change(FixPlanner([.unitUnknown]), store.path, after: 3_600)
        let both = try #require(Self.repair(try Self.report(store.path)))
        #expect(both.merged == ahead.merged && both.others == 1)
        guard case .done(_, let time) = try Self.report(store.path).customer.repair else {
            Issue.record("nothing done")
            return
        }
        #expect(time.secondsSince2001 == FixtureClock.now + 3_600)
    }

    @Test("tell of first aid and a rebuild of the same meter once")
    func firstAidAndRebuild() throws {
        let store = try TestStore(FirstAidPlannerTests.fixture)
        var plans: [Plan] = []
        for planner in [FirstAidPlanner(), RebuildPlanner(policy: .mostComplete)] as [any Planner] {
            let report = try ChangeRun.run(planner, on: store.path, options: ChangeOptions(now: Self.now))
            plans.append(report.plan)
        }
        let aided = RepairSummary([plans[0]]).filled.map(\.address)
        let merged = RepairSummary([plans[1]]).merged.map(\.address)
        #expect(!aided.isEmpty && Set(aided).isSubset(of: merged))
        let both = RepairSummary(plans)
        #expect(both.filled.isEmpty && both.merged.map(\.address) == merged)
    }

    @Test("do not tell of a repair that was undone")
    func undone() throws {
        let store = try TestStore(StoreFixture.twins)
        try Self.change(RebuildPlanner(policy: .mostComplete), store.path)
        _ = try Undo.run(store.path, redoes: false, options: ChangeOptions(now: Self.now))
        guard case .ahead = try Self.report(store.path).customer.repair else {
            Issue.record("what was undone counts")
            return
        }
    }

    @Test("do not tell what was done the week before, and say where a backup no longer does")
    func weekBefore() throws {
        let store = try TestStore(StoreFixture.twins)
        try Self.change(WholeRepair(), store.path)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F' WHERE Z_PK = 1")
        try Self.change(FixPlanner([.unitUnknown]), store.path, after: 7 * FixtureClock.day)
        let repair = try #require(Self.repair(try Self.report(store.path)))
        #expect(repair.merged.isEmpty && repair.others == 1)
        for entry in try FileManager.default.contentsOfDirectory(atPath: store.path + ".meterfix") {
            try FileBytes.write([], to: store.path + ".meterfix/\(entry)/changes.jsonl")
        }
        let report = try Self.report(store.path)
        guard case .forgotten = report.customer.repair else {
            Issue.record("it cannot be known")
            return
        }
        #expect(try report.changes.get().items.count { $0.entry != nil } == 2)
    }

    @Test("have backups from another folder")
    func otherFolder() throws {
        let store = try TestStore(StoreFixture.twins)
        var options = ChangeOptions(now: Self.now)
        options.backupFolder = store.path + ".backups"
        try ChangeRun.run(WholeRepair(), on: store.path, options: options)
        #expect(Self.repair(try Self.report(store.path)) == nil)
        #expect(Self.repair(try Self.report(store.path) { $0.backupFolder = options.backupFolder })?.merged.count == 7)
    }

    @Test("leave out what a rebuild cures, and what is about records that it deletes")
    func open() throws {
        var records = Meters.pair
        records[0].tc66TemperatureUnit = "kelvin"
        records[1].tc66TemperatureUnit = "kelvin"
        records.append(FixtureRecord(row: 40, macAddress: "nowhere", meterName: "Shed"))
        let store = try TestStore(StoreFixture(records: records))
        let account = try Self.report(store.path) { $0.shownNames = .max }.customer
        #expect(!account.open.contains { $0.check == "duplicate-mac" || $0.severity == .note })
        #expect(account.open.first { $0.check == "mac-invalid" }?.names == ["Shed"])
        #expect(account.open.first { $0.check == "unit-unknown" }?.count == 1)
    }

    @Test("have a reason in the place of what cannot be read, and everything else")
    func damagedPart() throws {
        let store = try TestStore(StoreFixture.twins)
        try Self.change(RebuildPlanner(policy: .mostComplete), store.path)
        let folder = store.path + ".meterfix"
        try FileManager.default.removeItem(atPath: folder)
        // Not a folder at all.
        try FileBytes.write([1], to: folder)
        let report = try Self.report(store.path)
        #expect(try report.changes.get().items.map(\.backup) == [nil])
        #expect(try report.log.get().total > 0)
        #expect(throws: StoreError.self) { try Self.report(store.path + "-gone") }
    }
}
