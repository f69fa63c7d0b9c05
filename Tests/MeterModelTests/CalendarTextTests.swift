import MeterModel
import Testing

@Suite("a moment as people read it")
struct CalendarTextTests {
    @Test(
        "has its day, its month by name and the time of day in UTC, and what is smaller is left out",
        arguments: [
            ("2026-11-22T00:03:00Z", "22 Nov 2026, 00:03", "22 Nov 2026, 00:03:00"),
            ("2026-01-02T23:59:59.999Z", "2 Jan 2026, 23:59", "2 Jan 2026, 23:59:59"),
            ("2024-02-29T12:00:01+02:00", "29 Feb 2024, 10:00", "29 Feb 2024, 10:00:01"),
            ("1969-12-31T23:59:59.5Z", "31 Dec 1969, 23:59", "31 Dec 1969, 23:59:59"),
            ("0001-01-01T00:00:00Z", "1 Jan 0001, 00:00", "1 Jan 0001, 00:00:00"),
            ("9999-12-31T23:59:59Z", "31 Dec 9999, 23:59", "31 Dec 9999, 23:59:59"),
        ])
    func calendar(iso: String, minutes: String, seconds: String) throws {
        let time = try #require(Timestamp(iso8601: iso))
        #expect(time.calendarText() == minutes)
        #expect(time.calendarText(to: .second) == seconds)
    }

    @Test(
        "is a number of seconds where there is no such date, and nothing says how long ago that was",
        arguments: [.nan, .infinity, -.infinity, 1e300, -1e18, 252_423_993_600, -63_145_526_400.5])
    func absurd(seconds: Double) {
        let time = Timestamp(secondsSince2001: seconds)
        #expect(time.calendarText() == time.description)
        #expect(time.distance(from: Timestamp(secondsSince2001: 0)) == nil)
    }

    private static let spans: [(seconds: Double, text: String)] = [
        (0, "now"), (0.999, "now"), (1, "1 second"), (59.9, "59 seconds"), (60, "1 minute"), (119, "1 minute"),
        (3_599, "59 minutes"), (3_600, "1 hour"), (10_801, "3 hours"), (86_399, "23 hours"), (86_400, "1 day"),
        (172_799, "1 day"), (5_184_000, "60 days"), (5_270_400, "2 months"), (31_536_000, "11 months"),
        (63_072_000, "23 months"), (63_158_400, "2 years"), (63_113_904_000, "2000 years"),
    ]

    @Test("says how long ago it was, or how long it is until then, in whole units", arguments: spans)
    func distance(seconds: Double, text: String) {
        let now = Timestamp(secondsSince2001: 817_000_000)
        let (before, after) = (
            Timestamp(secondsSince2001: now.secondsSince2001 - seconds),
            Timestamp(secondsSince2001: now.secondsSince2001 + seconds)
        )
        #expect(before.distance(from: now) == (text == "now" ? text : "\(text) ago"))
        #expect(after.distance(from: now) == (text == "now" ? text : "in \(text)"))
    }
}
