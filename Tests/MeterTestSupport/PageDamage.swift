internal import Foundation
package import GRDB

/// Damage to one page of a store's main file.
package enum PageDamage: String, CaseIterable, Sendable {
    case zeros
    case noise
    case flippedBit
    /// The file ends before this page.
    case cut

    /// Damages a page of the main file at `path`, drawn from `seed`.
    /// - Parameter page: from one; within the file.
    package func apply(to page: Int, of path: String, pageSize: Int = 4096, seed: UInt64 = 1) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try FileBytes.read(path)
        let range = (page - 1) * pageSize..<page * pageSize
        guard range.upperBound <= bytes.count else { throw FixtureError(description: "there is no page \(page)") }
        switch self {
        case .zeros: for index in range { bytes[index] = 0 }
        case .noise: for index in range { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        case .flippedBit:
            let bit = UInt8.random(in: 0..<8, using: &generator)
            bytes[Int.random(in: range, using: &generator)] ^= 1 << bit
        case .cut: bytes.removeSubrange(range.lowerBound...)
        }
        try FileBytes.write(bytes, to: path)
    }
}

/// What is on which page of a store that is intact.
package struct PageOwners: Sendable {
    package struct Page: Sendable {
        /// Of a table or an index.
        package let owner: String
        package let isLeaf: Bool
        package let isOverflow: Bool
        package let cells: Int
    }

    /// By their numbers; free pages and those of the pointer map are missing.
    package let pages: [Int: Page]
    /// The first page of each table and index.
    package let roots: [String: Int]

    /// Reads a store without changing it. All contents are in the main file.
    package init(of path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: "file://\(path)?immutable=1", configuration: configuration)
        (pages, roots) = try queue.read { database in
            var pages: [Int: Page] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT name, pageno, pagetype, ncell FROM dbstat") {
                let kind: String = row[2]
                pages[row[1]] = Page(
                    owner: row[0], isLeaf: kind == "leaf", isOverflow: kind == "overflow", cells: row[3])
            }
            var roots: [String: Int] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0") {
                roots[row[0]] = row[1]
            }
            return (pages, roots)
        }
        try queue.close()
    }
}

/// Every row of every table.
package struct TableContents: Equatable, Sendable {
    /// By table and row number, the values of all columns.
    package let tables: [String: [Int64: [DatabaseValue]]]

    /// Reads a copy; the folder of `path` stays as it is.
    package init(of path: String) throws {
        let folder = try TemporaryFolder()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileBytes.write(FileBytes.read(path + suffix), to: folder.path + "/store" + suffix)
        }
        let queue = try DatabaseQueue(path: folder.path + "/store")
        tables = try queue.read { database in
            var tables: [String: [Int64: [DatabaseValue]]] = [:]
            let names = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            for name in names {
                var rows: [Int64: [DatabaseValue]] = [:]
                for row in try Row.fetchAll(database, sql: "SELECT rowid, * FROM \"\(name)\"") {
                    rows[row[0]] = Array(row.databaseValues.dropFirst())
                }
                tables[name] = rows
            }
            return tables
        }
        try queue.close()
    }
}
