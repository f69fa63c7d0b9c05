import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("how much was changed when, for a chart")
struct HistoryActivityTests {
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)
    private static let most = 36

    private static func time(_ date: String) -> Double { Timestamp(iso8601: date)?.secondsSince2001 ?? .nan }

    private static func periods(_ dates: String...) -> HistoryActivity.Periods? {
        var activity = HistoryActivity(now: now)
        for date in dates { activity.add(2, at: time(date), by: .meterfix) }
        return activity.periods(most: most)
    }

    private static func starts(_ periods: HistoryActivity.Periods?) -> [String?] {
        [periods?.periods.first, periods?.periods.last].map { $0?.start.description.prefix(10).description }
    }

    @Test("is by days for a month, then by weeks, by months, by years and by several years, and never has more bars")
    func units() throws {
        let days = try #require(Self.periods("2026-11-01T23:59:59Z", "2026-11-20"))
        #expect(days.unit == .day && days.periods.count == 20)
        #expect(Self.starts(days) == ["2026-11-01", "2026-11-20"])
        // A Sunday belongs to the week before, Monday begins one.
        let weeks = try #require(Self.periods("2026-09-06", "2026-11-16"))
        #expect(weeks.unit == .week && Self.starts(weeks) == ["2026-08-31", "2026-11-16"])
        #expect(weeks.periods.count == 12)
        let months = try #require(Self.periods("2024-12-31", "2026-11-20"))
        #expect(months.unit == .month && months.periods.count == 24)
        #expect(Self.starts(months) == ["2024-12-01", "2026-11-01"])
        let years = try #require(Self.periods("2017-06-01", "2026-11-20"))
        #expect(years.unit == .years(1) && Self.starts(years) == ["2017-01-01", "2026-01-01"])
        var future = HistoryActivity(now: Timestamp(secondsSince2001: Self.time("9999-12-31")))
        future.add(1, at: 0, by: .cloudKit)
        future.add(1, at: Self.time("9999-12-31"), by: .cloudKit)
        let ages = try #require(future.periods(most: Self.most))
        #expect(ages.periods.count <= Self.most && ages.unit == .years(223))
        #expect(Self.starts(ages)[0] == "2001-01-01")
    }

    @Test("counts every change once, whatever the dates are")
    func complete() {
        for seed in LawSeeds.first(200) {
            var random = SeededGenerator(seed: seed)
            var activity = HistoryActivity(now: Self.now)
            var total = 0
            let authors: [HistoryActivity.Author] = [.meterfix, .cloudKit, .mirror, .named("app"), .unnamed]
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
                activity.add(changes, at: time, by: authors.randomElement(using: &random) ?? .unnamed)
            }
            let periods = activity.periods(most: Self.most)
            let shown = periods?.periods.reduce(0) { $0 + $1.changes.reduce(0, +) } ?? 0
            #expect(shown + activity.undated == total, "seed \(seed)")
            #expect(periods?.periods.count ?? 0 <= Self.most, "seed \(seed)")
            let sums = periods?.authors.indices.map { place in
                periods?.periods.reduce(0) { $0 + $1.changes[place] } ?? 0
            }
            #expect(sums == sums?.sorted(by: >), "seed \(seed)")
        }
    }

    @Test("leaves out dates that cannot be right: before there were any, and later than tomorrow")
    func undated() {
        var activity = HistoryActivity(now: Self.now)
        for time in [nil, .nan, -1, FixtureClock.now + 2 * FixtureClock.day] { activity.add(3, at: time, by: .unnamed) }
        #expect(activity.undated == 12 && activity.periods(most: Self.most) == nil)
        // The clock of another device may be a little ahead.
        activity.add(1, at: FixtureClock.now + FixtureClock.hour, by: .unnamed)
        #expect(activity.periods(most: Self.most)?.periods.map(\.changes) == [[1]])
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
        var totals: [HistoryActivity.Author: Int] = [:]
        for changes in activity.days.values { totals.merge(changes, uniquingKeysWith: +) }
        #expect(totals == [.cloudKit: 1, .mirror: 1, .meterfix: 1, .unnamed: 1])
        #expect(activity.undated == 3)
    }
}
