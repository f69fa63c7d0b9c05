public import Foundation
public import MeterModel

extension Timestamp {
    /// The same moment: both count seconds since 2001-01-01T00:00:00Z.
    public init(_ date: Date) { self.init(secondsSince2001: date.timeIntervalSinceReferenceDate) }

    /// The same moment, for a formatter.
    public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSince2001) }
}
