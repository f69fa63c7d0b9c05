internal import Crypto
package import GRDB

/// A digest of everything in a store, in 32 bytes: two stores with equal digests have the same rows in the same tables
/// and the same statements in their schema, wherever these are stored: in the main file or the WAL, before or after a
/// vacuum. Of a virtual table its statement counts, and the ordinary tables that its module keeps.
package struct ContentsDigest: Hashable, Sendable {
    package let sha256: [UInt8]

    /// A digest from a document.
    package init(sha256: [UInt8]) { self.sha256 = sha256 }

    /// Reads the whole store.
    /// - Throws: SQLite's errors.
    package init(_ database: Database) throws {
        var hash = SHA256()
        var tables: [SQLName] = []
        // Without the numbers of root pages, which a vacuum changes.
        try database.forEachRow(
            "SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_master ORDER BY type, name, tbl_name"
        ) { row in
            for column in 0..<4 { Self.feed(row.bytes(column), to: &hash) }
            if row.bytes(0).elementsEqual("table".utf8),
                !StoreSchema.makesVirtualTable(String(decoding: row.bytes(3), as: UTF8.self))
            {
                tables.append(SQLName(String(decoding: row.bytes(1), as: UTF8.self)))
            }
        }
        for table in tables {
            let digest = try TableDigest(of: table, database)
            digest.sha256.withUnsafeBufferPointer { Self.feed($0, to: &hash) }
        }
        sha256 = Array(hash.finalize())
    }

    /// With its length, so that different lists of values give different bytes.
    private static func feed(_ bytes: UnsafeBufferPointer<UInt8>, to hash: inout SHA256) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
    }
}
