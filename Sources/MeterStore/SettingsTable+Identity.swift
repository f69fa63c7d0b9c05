internal import CoreDataStore
package import GRDB
package import MeterModel

extension SettingsTable {
    /// The rows with this value in `field`, in ascending order.
    /// - Throws: SQLite's errors.
    package func rows(with value: FieldValue, in field: SettingsField, _ database: Database) throws -> [Int64] {
        guard let position = layout.position(of: field) else { return [] }
        var rows: [Int64] = []
        try database.forEachRow(
            """
            SELECT Z_PK FROM \(table.name.quotedIdentifier) WHERE \(columns[position].quotedIdentifier) = ? \
            ORDER BY Z_PK
            """, [value.binding]
        ) { rows.append($0.integer(0)) }
        return rows
    }
}
