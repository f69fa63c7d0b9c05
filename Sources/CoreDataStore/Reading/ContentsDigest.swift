internal import Crypto
package import GRDB

/// Everything in a store in 32 bytes: two stores with equal digests have the same rows in the same tables and the same
/// statements in their schema, wherever in the files they lie: in the main file or its log, before or after a vacuum.
/// A virtual table counts by its statement and by the ordinary tables that its module keeps.
package struct ContentsDigest: Hashable, Sendable {
    package let sha256: [UInt8]

    /// A digest that was written down.
    package init(sha256: [UInt8]) { self.sha256 = sha256 }

    package init(_ database: Database) throws {
        var hash = SHA256()
        var tables: [SQLName] = []
        // Not the numbers of root pages: a vacuum moves them.
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

    /// With its length, so that no two lists of values feed the same bytes.
    private static func feed(_ bytes: UnsafeBufferPointer<UInt8>, to hash: inout SHA256) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
    }
}
