internal import GRDB
internal import MeterModel
internal import MeterStore

/// A check that sees every record once, in the order of row numbers, and answers at the end. (An object: a million
/// records go through the same one.)
protocol RecordCheck: Check, AnyObject {
    /// - Parameter store: its records are still to be read.
    init(_ store: InspectedStore)
    func see(_ row: RecordRow)
    /// Looks once more at the records that one pass could not decide on. Called after the last record.
    func conclude(_ store: InspectedStore, _ database: Database) throws
    /// In the order of row numbers.
    var findings: [Finding] { get }
}

extension RecordCheck {
    func conclude(_ store: InspectedStore, _ database: Database) throws {}
}
