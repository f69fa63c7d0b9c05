internal import GRDB
internal import MeterModel
internal import MeterStore

/// A check that sees every record once, in the order of row numbers, and answers at the end.
protocol RecordCheck: Check {
    init(_ store: InspectedStore)
    mutating func see(_ row: RecordRow)
    /// Looks once more at the records that one pass could not decide on. Called after the last record.
    mutating func conclude(_ store: InspectedStore, _ database: Database) throws
    /// In the order of row numbers.
    var findings: [Finding] { get }
}

extension RecordCheck {
    mutating func conclude(_ store: InspectedStore, _ database: Database) throws {}
}
