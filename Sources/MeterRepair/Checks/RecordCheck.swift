internal import MeterModel

/// A check that sees every record once, in the order of row numbers, and answers at the end.
protocol RecordCheck: Check {
    init(_ store: InspectedStore)
    mutating func see(_ record: DeviceSettings)
    /// In the order of row numbers.
    var findings: [Finding] { get }
}
