internal import Foundation

/// The time in fixtures and samples. All expectations of samples hold at `now`.
package enum FixtureClock {
    /// 2026-11-21T12:00:00Z, in seconds since 2001.
    package static let now: Double = 816_955_200
    package static let nowText = "2026-11-21T12:00:00Z"
    package static let minute: Double = 60
    package static let hour: Double = 3_600
    package static let day: Double = 86_400

    /// ISO-8601 in UTC, without fractions.
    package static func text(_ time: Double) -> String {
        Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601)
    }
}
