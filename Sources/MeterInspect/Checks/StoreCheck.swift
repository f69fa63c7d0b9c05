internal import GRDB
internal import MeterModel

/// A check that looks at the store as a whole, and perhaps at the addresses of its records.
protocol StoreCheck: Check {
    /// In a fixed order. Errors of SQLite are thrown on: the caller says what could not be read.
    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding]
}
