/// A moment as Core Data stores one: seconds since 2001-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var secondsSince2001: Double

    public init(secondsSince2001: Double) { self.secondsSince2001 = secondsSince2001 }

    /// From seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Double) { self.secondsSince2001 = secondsSince1970 - Self.unixEpochOffset }

    /// 2001-01-01 in seconds since 1970-01-01.
    package static let unixEpochOffset: Double = 978_307_200

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince2001 < right.secondsSince2001
    }

    /// The time from `other` to this one, in seconds.
    public func seconds(since other: Timestamp) -> Double { secondsSince2001 - other.secondsSince2001 }

    /// Seconds by which clocks may differ. (Time zones do not matter, because dates are in UTC.)
    package static let clockAllowance: Double = 86_400

    /// Whether a clock that was ahead wrote it.
    package func isAhead(of now: Timestamp) -> Bool { seconds(since: now) > Self.clockAllowance }
}
