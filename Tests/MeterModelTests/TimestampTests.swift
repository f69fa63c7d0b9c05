import MeterModel
import MeterTestSupport
import Testing

@Suite struct TimestampTests {
    @Test(
        "a moment is ISO 8601 in UTC, and read back from it",
        arguments: [
            (0.0, "2001-01-01T00:00:00.000Z"), (-978_307_200, "1970-01-01T00:00:00.000Z"),
            (-978_307_200.5, "1969-12-31T23:59:59.500Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
            (-26_524_800, "2000-02-29T00:00:00.000Z"), (86_399, "2001-01-01T23:59:59.000Z"),
            (730_857_600, "2024-02-29T00:00:00.000Z"), (730_944_000, "2024-03-01T00:00:00.000Z"),
            (817_000_000.123, "2026-11-22T00:26:40.123Z"), (817_000_000.123456, "2026-11-22T00:26:40.123456Z"),
            (0.000001, "2001-01-01T00:00:00.000001Z"), (0.9999999, "2001-01-01T00:00:01.000Z"),
            (-0.0000001, "2001-01-01T00:00:00.000Z"), (1.001, "2001-01-01T00:00:01.001Z"),
            (-3_187_296_000, "1900-01-01T00:00:00.000Z"), (-3_182_198_400, "1900-03-01T00:00:00.000Z"),
            (3_124_137_600, "2100-01-01T00:00:00.000Z"), (3_129_235_200, "2100-03-01T00:00:00.000Z"),
            (252_423_993_599, "9999-12-31T23:59:59.000Z"), (-63_145_526_400, "0000-01-01T00:00:00.000Z"),
            (-63_145_440_000, "0000-01-02T00:00:00.000Z"), (-63_113_904_000, "0001-01-01T00:00:00.000Z"),
        ])
    func roundTrip(seconds: Double, text: String) {
        #expect(Timestamp(secondsSince2001: seconds).description == text)
        let read = Timestamp(iso8601: text)?.secondsSince2001 ?? .nan
        #expect(abs(read - seconds) <= 0.000_001)
    }

    @Test(
        "a moment outside the years 0 to 9999 is a number of seconds",
        arguments: [
            (252_423_993_600, "252423993600.0 s since 2001"), (-63_145_526_400.5, "-63145526400.5 s since 2001"),
            (.infinity, "inf s since 2001"), (.nan, "nan s since 2001"), (1e300, "1e+300 s since 2001"),
        ])
    func outsideTheYears(seconds: Double, text: String) {
        #expect(Timestamp(secondsSince2001: seconds).description == text)
    }

    @Test("the last REAL of the year 9999 is still in it")
    func lastOf9999() {
        let last = Timestamp(secondsSince2001: 252_423_993_600.0.nextDown)
        #expect(last.description.hasPrefix("9999-12-31T23:59:59.999"))
    }

    @Test("the last REAL before the year 0 is not in it")
    func beforeYear0() {
        #expect(Timestamp(secondsSince2001: (-63_145_526_400.0).nextDown).description.hasSuffix("since 2001"))
    }

    @Test("the exact text of a moment is read back as the same number")
    func exactText() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let seconds = Double.random(in: -3e9...9e9, using: &generator)
            let fine = (seconds * 1_000_000).rounded() / 1_000_000
            for moment in [seconds, fine, seconds.rounded()] {
                let text = try #require(Timestamp(secondsSince2001: moment).exactISO8601)
                #expect(Timestamp(iso8601: text)?.secondsSince2001 == moment)
            }
        }
        #expect(Timestamp(secondsSince2001: 817_000_000.123).exactISO8601 == "2026-11-22T00:26:40.123Z")
        #expect(Timestamp.iso8601(wholeSecondsSince2001: -1) == "2000-12-31T23:59:59Z")
        for number in [1e-20, -0.0, .nan, .infinity, 252_423_993_600] {
            #expect(Timestamp(secondsSince2001: number).exactISO8601 == nil)
        }
    }

    @Test("the Unix epoch has its known value")
    func unixEpoch() {
        #expect(Timestamp(secondsSince1970: 0).description == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(secondsSince1970: 978_307_200) == Timestamp(secondsSince2001: 0))
    }

    @Test("each day follows the day before it, with the months as long as they are")
    func calendar() {
        // Day 0 is 1 January of the year 0, counted by hand: no arithmetic of calendars here.
        var days = 0
        for year in 0...9_999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let isWatched = year % 100 == 0 || year % 37 == 0 || (1_995...2_030).contains(year)
            for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                if isWatched {
                    for day in [1, length] {
                        let seconds = -63_145_526_400 + Double(days + day - 1) * 86_400
                        let text = "\(pad(year, 4))-\(pad(month + 1, 2))-\(pad(day, 2))"
                        guard Timestamp(secondsSince2001: seconds).description == "\(text)T00:00:00.000Z",
                            Timestamp(iso8601: text)?.secondsSince2001 == seconds
                        else {
                            Issue.record("\(text)")
                            return
                        }
                    }
                    if Timestamp(iso8601: "\(pad(year, 4))-\(pad(month + 1, 2))-\(pad(length + 1, 2))") != nil {
                        Issue.record("\(year)-\(month + 1) is too long")
                        return
                    }
                }
                days += length
            }
        }
    }

    private func pad(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: width - text.count) + text
    }

    @Test("what is written is read back to the microsecond, and written alike again")
    func microseconds() {
        for seed in UInt64(0)..<3_000 {
            var random = SeededGenerator(seed: seed)
            let range = random.pick([0.0...1e9, -1e9...0, -63_145_526_400...252_423_993_599])
            var seconds = Double.random(in: range, using: &random)
            if random.oneIn(3) { seconds.round() }
            let text = Timestamp(secondsSince2001: seconds).description
            guard let read = Timestamp(iso8601: text), abs(read.secondsSince2001 - seconds) <= 0.000_02,
                read.description == text, seconds != seconds.rounded() || read.secondsSince2001 == seconds
            else {
                Issue.record("seed \(seed): \(seconds), \(text)")
                return
            }
        }
    }
}
