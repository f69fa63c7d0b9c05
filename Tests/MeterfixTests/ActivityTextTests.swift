import Answer
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair
@testable import meterfix

@Suite("the chart of a report")
struct ActivityTextTests {
    private static func text(_ edit: (inout HistoryActivity) -> Void) -> String {
        var activity = HistoryActivity(now: Timestamp(secondsSince2001: FixtureClock.now))
        edit(&activity)
        var text = ""
        Medium.terminal(width: nil, isColored: false).write(ActivityText(.success(activity)).blocks) { text += $0 }
        return text
    }

    private static func time(_ daysAgo: Int) -> Double { FixtureClock.now - Double(daysAgo) * FixtureClock.day }

    @Test("has six kinds at most: where more have made changes, those who made fewest are one kind")
    func others() {
        let text = Self.text { activity in
            for number in 1...9 { activity.add(number, at: Self.time(0), by: .named("app \(number)")) }
        }
        #expect(
            text == """
                changes per day, by who made them
                  day          app 9  app 8  app 7  app 6  app 5  4 others
                  21 Nov 2026      9      8      7      6      5        10

                """)
        let six = Self.text { activity in
            for number in 1...6 { activity.add(number, at: Self.time(0), by: .named("app \(number)")) }
        }
        #expect(!six.contains("others") && six.contains("app 1"))
    }

    @Test("says what its bars are, and how many changes are in none")
    func units() {
        func first(_ days: Int...) -> [Substring] {
            let text = Self.text { activity in
                for day in days { activity.add(1, at: Self.time(day), by: .cloudKit) }
                activity.add(1, at: nil, by: .cloudKit)
            }
            return text.split(separator: "\n")
        }
        #expect(first(0, 3)[1...2] == ["  day          from CloudKit", "  18 Nov 2026              1"])
        #expect(first(0, 100)[1...2] == ["  week              from CloudKit", "  from 10 Aug 2026              1"])
        #expect(first(0, 800)[1...2] == ["  month     from CloudKit", "  Sep 2024              1"])
        #expect(first(0, 4_000)[1...2] == ["  year  from CloudKit", "  2015              1"])
        #expect(first(0).last == "  1 change has no date, or one that cannot be right")
        #expect(
            Self.text { $0.add(2, at: -1, by: .mirror) } == "2 changes have no date, or one that cannot be right\n")
        #expect(Self.text { _ in } == "the history has no change\n")
    }
}
