internal import Digests
package import GRDB

/// A digest of everything in a store, in 32 bytes: two stores with equal digests have the same rows in the same tables
/// and the same statements in their schema, wherever these are stored: in the main file or the WAL, before or after a
/// vacuum. Of a virtual table its statement counts, and the ordinary tables that its module keeps.
package struct ContentsDigest: Hashable, Sendable {
    package let sha256: [UInt8]

    /// Of a store that cannot be read; equal to that of no store.
    package static let ofDamagedStore = ContentsDigest(sha256: [])

    package init(sha256: [UInt8]) { self.sha256 = sha256 }

    /// - Throws: SQLite's errors.
    package init(_ database: Database) throws {
        var hash = SHA256Hasher()
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
        sha256 = hash.finalize()
    }

    /// With its length, so that different lists of values give different bytes.
    private static func feed(_ bytes: UnsafeBufferPointer<UInt8>, to hash: inout SHA256Hasher) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update($0) }
        hash.update(UnsafeRawBufferPointer(bytes))
    }
}

/// A digest of a table's contents, in 32 bytes: two tables with equal digests have equal rows.
package struct TableDigest: Hashable, Sendable {
    package let rows: Int
    /// SHA-256 over each row in the order of row numbers, every value with its storage class and length.
    package let sha256: [UInt8]

    /// - Parameter columns: the columns that count; nil for all.
    /// - Throws: SQLite's errors.
    package init(of table: SQLName, columns: [SQLName]? = nil, _ database: Database) throws {
        var digest = ValueDigest()
        var count = 0
        // A WITHOUT ROWID table is read in the order of its own key.
        let isNumbered = try database.hasRowNumbers(table)
        let number = isNumbered ? "rowid" : "0"
        let selection = columns.map { $0.map(\.quotedIdentifier).joined(separator: ", ") } ?? "*"
        try database.forEachRow(
            "SELECT \(number), \(selection) FROM \(table.quotedIdentifier)\(isNumbered ? " ORDER BY rowid" : "")"
        ) { row in
            count += 1
            for column in 0..<row.columnCount { digest.add(row, column) }
        }
        rows = count
        sha256 = digest.finish()
    }
}

extension Database {
    /// Whether a table has rowids; false for a WITHOUT ROWID table. There the index of the primary key is the table
    /// itself and is not among the store's indexes: https://www.sqlite.org/withoutrowid.html
    /// - Throws: SQLite's errors.
    package func hasRowNumbers(_ table: SQLName) throws -> Bool {
        var found = true
        // Asked of one table after the other.
        let keysWithoutIndex = try PreparedStatement(
            self,
            """
            SELECT 1 FROM pragma_index_list(?) AS key WHERE origin = 'pk'
            AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = key.name COLLATE NOCASE)
            """, isKept: true)
        try keysWithoutIndex.forEachRow([.string(table.text)]) { _ in found = false }
        return found
    }
}

/// A digest of any number of values, in 32 bytes: SHA-256 over each value's storage class, length and bytes, so that
/// different lists of values are never hashed as the same bytes.
package struct ValueDigest {
    private var hash = SHA256Hasher()
    /// Not hashed yet: a call for every few bytes costs more than the hash.
    private var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    private var count = 0
    private static let bufferSize = 1 << 16

    package init() {}

    package mutating func add(_ row: SQLiteRow, _ column: Int) {
        switch row[column] {
        case .null: add(0, 0)
        case .integer(let value): add(1, UInt64(bitPattern: value))
        case .real(let value): add(2, value.bitPattern)
        case .text(let bytes): add(3, bytes)
        case .blob(let bytes): add(4, bytes)
        }
    }

    package mutating func addNull() { add(0, 0) }

    package mutating func add(_ integer: Int64) { add(1, UInt64(bitPattern: integer)) }

    package mutating func add(_ real: Double) { add(2, real.bitPattern) }

    /// - Parameter bytes: of a text, which may not be UTF-8.
    package mutating func add(text bytes: UnsafeRawBufferPointer) {
        add(3, bytes.assumingMemoryBound(to: UInt8.self))
    }

    package mutating func add(blob bytes: UnsafeRawBufferPointer) {
        add(4, bytes.assumingMemoryBound(to: UInt8.self))
    }

    private mutating func add(_ kind: UInt8, _ number: UInt64) {
        if count + 9 > Self.bufferSize { feed() }
        let start = count
        buffer.withUnsafeMutableBytes { buffer in
            buffer[start] = kind
            buffer.storeBytes(of: number.littleEndian, toByteOffset: start + 1, as: UInt64.self)
        }
        count += 9
    }

    private mutating func add(_ kind: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) {
        add(kind, UInt64(bytes.count))
        if count + bytes.count > Self.bufferSize { feed() }
        if bytes.count > Self.bufferSize {
            hash.update(UnsafeRawBufferPointer(bytes))
        } else {
            let start = count
            buffer.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
            }
            count += bytes.count
        }
    }

    private mutating func feed() {
        buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        count = 0
    }

    /// The digest of all values added so far.
    package mutating func finish() -> [UInt8] {
        feed()
        return hash.finalize()
    }
}
