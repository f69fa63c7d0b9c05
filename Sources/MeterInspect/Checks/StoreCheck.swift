internal import GRDB
internal import MeterModel

/// A check that looks at the store as a whole, and perhaps at the addresses of its records.
protocol StoreCheck: Check {
    /// In a fixed order.
    /// - Throws: SQLite's errors: the caller reports what could not be read.
    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding]
}
