package import GRDB
internal import MeterModel

extension SettingsTable {
    /// Records that are looked at for the names of devices. A customer has a few dozen.
    private static let most = 1_000

    /// The names of the user's devices, as far as locks and the times when meters were last seen tell, sorted.
    /// - Throws: SQLite's errors.
    package func deviceNames(_ database: Database) throws -> [String] {
        var names: Set<String> = []
        try forEachRow(of: firstRows(Self.most, database), database) { row in
            let record = row.record
            names.formUnion(record.locks.compactMap(\.deviceName))
            names.formUnion(record.discoveries.compactMap(\.deviceName))
        }
        return names.filter { !$0.isEmpty }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
