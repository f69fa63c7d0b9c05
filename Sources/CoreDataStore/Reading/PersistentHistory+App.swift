package import GRDB

extension PersistentHistory {
    /// The bundle of the app that made the last transaction; nil where none is named.
    /// - Parameter author: whose transactions do not count.
    /// - Throws: SQLite's errors.
    package func lastBundle(notBy author: String, _ database: Database) throws -> String? {
        var bundle: String?
        try database.forEachRow(
            """
            SELECT \(bundleName) AS bundle FROM ATRANSACTION t
            WHERE typeof(bundle) = 'text' AND bundle <> ? AND length(bundle) < 256 ORDER BY t.Z_PK DESC LIMIT 1
            """, [.text(Array(author.utf8))]
        ) { row in bundle = String(decoding: row.bytes(0), as: UTF8.self) }
        return bundle
    }
}
