internal import GRDB
internal import MeterModel
internal import MeterStore

/// A check that visits every record once, in the order of row numbers, and has its findings at the end. (An object,
/// because a million records go through the same one.)
protocol RecordCheck: Check, AnyObject {
    /// Which records it visits.
    static var interest: RecordInterest { get }
    /// - Parameter store: the store, before its records are read.
    init(_ store: InspectedStore)
    func visit(_ row: RecordRow)
    /// Reads those records again that one pass could not decide on. Called after the last record.
    func finish(_ store: InspectedStore, _ database: Database) throws
    /// In the order of row numbers.
    var findings: [Finding] { get }
}

/// Which records a check visits. Most stores have few unusual ones: the checks for those need not be called a million
/// times.
enum RecordInterest {
    case every
    /// The address is missing, invalid, a placeholder, or not canonical.
    case unusualAddress
    /// There is something in the fields of the lock, flat or blob.
    case lock
    /// There is something in one of the JSON attributes.
    case metadataBlob
}

extension RecordCheck {
    static var interest: RecordInterest { .every }

    func finish(_ store: InspectedStore, _ database: Database) throws {}
}
