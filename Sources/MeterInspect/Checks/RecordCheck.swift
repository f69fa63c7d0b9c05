internal import GRDB
internal import MeterModel
internal import MeterStore

/// A check that sees every record once, in the order of row numbers, and answers at the end. (An object: a million
/// records go through the same one.)
protocol RecordCheck: Check, AnyObject {
    /// Which records it is shown.
    static var interest: RecordInterest { get }
    /// - Parameter store: its records are still to be read.
    init(_ store: InspectedStore)
    func visit(_ row: RecordRow)
    /// Looks once more at the records that one pass could not decide on. Called after the last record.
    func finish(_ store: InspectedStore, _ database: Database) throws
    /// In the order of row numbers.
    var findings: [Finding] { get }
}

/// Which records a check is shown. Most stores have few that are not plain: the checks that look at those need not be
/// asked a million times.
enum RecordInterest {
    case every
    /// The address is missing, is none, is a placeholder, or is not canonical.
    case unusualAddress
    /// There is something in the fields of the lock, in either spelling.
    case lock
    /// There is something in one of the JSON attributes.
    case metadataBlob
}

extension RecordCheck {
    static var interest: RecordInterest { .every }

    func finish(_ store: InspectedStore, _ database: Database) throws {}
}
