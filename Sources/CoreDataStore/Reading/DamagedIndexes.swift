package import GRDB
internal import Texts

/// An index that does not agree with the rows of its table.
package struct DamagedIndex: Hashable, Sendable {
    package let name: String
    package let table: String
}

extension Database {
    /// Makes the indexes again that SQLite's own check names, in the transaction that is open. No row is changed.
    /// - Returns: those that were made again; nil where more is damaged than they are, and the transaction is to be rolled
    ///   back.
    /// - Throws: SQLite's errors other than damage; `StoreError` of kind `interrupted`.
    package func remakeDamagedIndexes() throws -> [DamagedIndex]? {
        do {
            var problems = try integrityProblems()
            guard !problems.isEmpty else { return [] }
            let before = try ContentsDigest(self)
            var remade: [DamagedIndex] = []
            // One damaged index can take up all the lines that the check says.
            repeat {
                let damaged = try indexes(namedBy: problems).filter { !remade.contains($0) }
                guard !damaged.isEmpty else { return nil }
                // An index that is made again no longer tells of them.
                for index in damaged where try !rowsOnly(in: index, limit: 1).isEmpty { return nil }
                // Otherwise the name of a collation or a table would do, too.
                for index in damaged { try execute(sql: "REINDEX main.\(index.name.quotedIdentifier)") }
                remade += damaged
                problems = try integrityProblems()
            } while !problems.isEmpty
            return try ContentsDigest(self) == before ? remade : nil
        } catch let error as DatabaseError where Self.isOfDamage(error) {
            return nil
        }
    }

    /// The numbers of rows that an index has and its table does not: they were lost, or deleted behind the index's back.
    /// - Throws: SQLite's errors.
    func rowsOnly(in index: DamagedIndex, limit: Int) throws -> [Int64] {
        let (name, table) = (index.name.quotedIdentifier, index.table.quotedIdentifier)
        do {
            return try rows(
                """
                SELECT rowid FROM \(table) INDEXED BY \(name) EXCEPT SELECT rowid FROM \(table) NOT INDEXED
                ORDER BY 1 LIMIT \(limit)
                """
            ) { $0.integer(0) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // A table without row numbers, or an index of a part of it: SQLite does not read these so.
            return []
        }
    }

    /// The same of all indexes, by table.
    func rowsOnlyInIndexes() throws -> [(table: String, rows: [Int64])] {
        var found: [String: Set<Int64>] = [:]
        for index in try indexes() {
            found[index.table, default: []].formUnion(try rowsOnly(in: index, limit: 1_000))
        }
        return found.filter { !$0.value.isEmpty }.map { ($0.key, $0.value.sorted()) }.sorted(byBytesOf: \.table)
    }

    /// Also rows that a unique index cannot have, and an index that this SQLite cannot make.
    private static func isOfDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode)
    }

    /// Whether lines of SQLite's own check name indexes, so that perhaps nothing else is damaged.
    /// - Throws: SQLite's errors.
    package func nameIndexes(_ problems: [String]) throws -> Bool { try !indexes(namedBy: problems).isEmpty }

    /// In the order of the schema. Each line about an index ends with its name: https://www.sqlite.org/src/file/src/pragma.c
    private func indexes(namedBy problems: [String]) throws -> [DamagedIndex] {
        try indexes().filter { index in problems.contains { $0.hasSuffix(" index \(index.name)") } }
    }

    private func indexes() throws -> [DamagedIndex] {
        try rows("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' ORDER BY rowid") { row in
            let (name, table) = (row.bytes(0), row.bytes(1))
            return DamagedIndex(
                name: String(decoding: name, as: UTF8.self), table: String(decoding: table, as: UTF8.self))
        }
    }
}

extension StoreConnection {
    /// The indexes of the store at `path` that are all that is damaged in it: made again in a private copy, it is intact.
    /// Nil where more is damaged, or no copy can be made.
    /// - Throws: `StoreError` of kind `interrupted`.
    package static func damagedIndexes(at path: String) throws(StoreError) -> [DamagedIndex]? {
        do throws(StoreError) {
            return try scratchCopy(path).closing { copy throws(StoreError) in
                try copy.change { try $0.remakeDamagedIndexes() }
            }
        } catch {
            guard error.kind != .interrupted else { throw error }
            return nil
        }
    }
}
