import CoreDataStore
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("how much was changed when, for a chart")
struct HistoryActivityTests {
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)
    private static let most = 36

    private static func time(_ date: String) -> Double { Timestamp(iso8601: date)?.secondsSince2001 ?? .nan }

    private static func axis(_ first: String, _ last: String) -> (unit: HistoryActivity.Unit, starts: [String]) {
        let span = Timestamp(secondsSince2001: time(first))...Timestamp(secondsSince2001: time(last))
        let (unit, starts) = HistoryActivity.axis(of: span, most: most)
        return (unit, starts.map { $0.description.prefix(10).description })
    }

    @Test("has an axis of days for a month, then of weeks, months, years and several years, and never too many labels")
    func units() throws {
        let days = Self.axis("2026-11-01T23:59:59Z", "2026-11-20")
        #expect(days.unit == .day && days.starts.count == 19 && days.starts.last == "2026-11-20")
        // Monday begins a week.
        let weeks = Self.axis("2026-09-06", "2026-11-16")
        #expect(weeks.unit == .week && weeks.starts.first == "2026-09-07" && weeks.starts.last == "2026-11-16")
        let months = Self.axis("2024-12-31", "2026-11-20")
        #expect(months.unit == .month && months.starts.first == "2025-01-01" && months.starts.last == "2026-11-01")
        let years = Self.axis("2017-06-01", "2026-11-20")
        #expect(years.unit == .years(1) && years.starts.first == "2018-01-01" && years.starts.last == "2026-01-01")
        let ages = Self.axis("2001-01-01", "9999-12-31")
        #expect(ages.starts.count <= Self.most && ages.unit == .years(223))
    }

    @Test("adds up what an author changed on days that are close together, and no other")
    func near() {
        var activity = HistoryActivity(now: Self.now)
        for (day, changes) in [(20, 1), (18, 2), (10, 3), (0, 4)] {
            activity.add(changes, at: FixtureClock.now - Double(day) * FixtureClock.day, by: .meterfix)
        }
        activity.add(100, at: FixtureClock.now, by: .otherDevice)
        let lanes = activity.lanes(apart: 3 * FixtureClock.day)
        #expect(lanes.map(\.author) == [.otherDevice, .meterfix] && lanes.map(\.changes) == [100, 10])
        #expect(lanes[1].marks.map(\.changes) == [3, 3, 4] && lanes[1].marks[0].last == lanes[1].marks[0].first + 2)
        #expect(activity.lanes(apart: 0)[1].marks.count == 4)
    }

    @Test("counts every change once, whatever the dates are")
    func complete() {
        for seed in LawSeeds.first(200) {
            var random = SeededGenerator(seed: seed)
            var activity = HistoryActivity(now: Self.now)
            var total = 0
            let authors: [Author] = [.meterfix, .otherDevice, .mirror(.event), .program("app"), .program(nil)]
            let span = [1, 40, 400, 4_000].randomElement(using: &random) ?? 1
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let dates: [Double?] = [
                    nil, -1e300, 1e300, .infinity, -.infinity, Self.time("0001-01-01"), Self.time("9999-01-01"), -1,
                ]
                let time =
                    Int.random(in: 0..<4, using: &random) == 0
                    ? dates.randomElement(using: &random) ?? nil
                    : FixtureClock.now - Double.random(in: 0...Double(span), using: &random) * FixtureClock.day
                let changes = Int.random(in: 0...9, using: &random)
                total += changes
                activity.add(changes, at: time, by: authors.randomElement(using: &random) ?? .program(nil))
            }
            let lanes = activity.lanes(apart: Double.random(in: 0...1e7, using: &random))
            #expect(lanes.reduce(activity.undated) { $0 + $1.changes } == total, "seed \(seed)")
            #expect(lanes.allSatisfy { $0.changes == $0.marks.reduce(0) { $0 + $1.changes } }, "seed \(seed)")
            #expect(lanes.map(\.changes) == lanes.map(\.changes).sorted(by: >), "seed \(seed)")
            #expect((activity.span == nil) == lanes.isEmpty, "seed \(seed)")
        }
    }

    @Test("leaves out dates that cannot be right: before there were any, and later than tomorrow")
    func undated() {
        var activity = HistoryActivity(now: Self.now)
        for time in [nil, .nan, -1, FixtureClock.now + 2 * FixtureClock.day] {
            activity.add(3, at: time, by: .program(nil))
        }
        #expect(activity.undated == 12 && activity.span == nil && activity.lanes(apart: 0).isEmpty)
        // The clock of another device may be a little ahead.
        activity.add(1, at: FixtureClock.now + FixtureClock.hour, by: .program(nil))
        #expect(activity.lanes(apart: 0).flatMap(\.marks).map(\.changes) == [1])
    }

    @Test("names who made the changes, and counts those that have lost their transaction")
    func authors() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy.with { $0.row = 9 }]))
        try store.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (90, 'NSCloudKitMirroringDelegate.import'),
            (91, 'NSCloudKitMirroringDelegate.setup'), (92, 'meterfix');
            UPDATE ATRANSACTION SET ZAUTHORTS = 88 + Z_PK + 1;
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (50, 16002, 816000000), (51, 16002, NULL);
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            VALUES (50, 16001, 1, 1, 3, 50), (51, 16001, 1, 1, 3, 51), (52, 16001, 1, 1, 3, 99), (53, 16001, 1, 1, 3, NULL)
            """)
        let report = try TicketReport.of(store.path, TicketReport.Request(now: Self.now))
        let activity = try #require(try report.activity.get())
        var totals: [Author: Int] = [:]
        for changes in activity.days.values { totals.merge(changes, uniquingKeysWith: +) }
        #expect(totals == [.otherDevice: 1, .mirror(.event): 1, .meterfix: 1, .program(nil): 1])
        #expect(activity.undated == 3)
    }
}
