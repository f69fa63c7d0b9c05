internal import Crypto
package import GRDB

/// The contents of a table in 32 bytes: two tables with equal digests have equal rows.
package struct TableDigest: Hashable, Sendable {
    package let rows: Int
    /// SHA-256 over each row in the order of row numbers, every value with its storage class and length.
    package let sha256: [UInt8]

    /// - Parameters:
    ///   - columns: the columns that count; nil for all.
    ///   - counts: whether the row with this number counts.
    package init(
        of table: String, columns: [String]? = nil, where counts: (Int64) -> Bool = { _ in true }, _ database: Database
    ) throws {
        var hash = SHA256()
        var count = 0
        // A table WITHOUT ROWID comes in the order of its own key.
        let number = try Self.hasRowNumbers(table, database) ? "rowid" : "0"
        let selection = columns.map { $0.map(\.quotedIdentifier).joined(separator: ", ") } ?? "*"
        try database.forEachRow("SELECT \(number), \(selection) FROM \(table.quotedIdentifier) ORDER BY \(number)") {
            row in
            guard counts(row.integer(0)) else { return }
            count += 1
            for column in 0..<row.columnCount { row.feed(column, to: &hash) }
        }
        rows = count
        sha256 = Array(hash.finalize())
    }

    private static func hasRowNumbers(_ table: String, _ database: Database) throws -> Bool {
        var found = true
        try database.forEachRow(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(Array(table.utf8))]
        ) { row in
            found = !String(decoding: row.bytes(0), as: UTF8.self).uppercased().hasSuffix("WITHOUT ROWID")
        }
        return found
    }
}

extension SQLiteRow {
    /// Feeds the storage class, the length and the bytes of a value, so that no two rows feed the same.
    fileprivate func feed(_ column: Int, to hash: inout SHA256) {
        switch storageClass(column) {
        case .null: feed(0, 0, to: &hash)
        case .integer: feed(1, UInt64(bitPattern: integer(column)), to: &hash)
        case .real: feed(2, real(column).bitPattern, to: &hash)
        case .text: feed(3, bytes(column), to: &hash)
        case .blob: feed(4, bytes(column), to: &hash)
        }
    }

    private func feed(_ kind: UInt8, _ number: UInt64, to hash: inout SHA256) {
        withUnsafeBytes(of: kind) { hash.update(bufferPointer: $0) }
        withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) }
    }

    private func feed(_ kind: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, to hash: inout SHA256) {
        feed(kind, UInt64(bytes.count), to: &hash)
        hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
    }
}
