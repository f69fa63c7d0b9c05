internal import GRDB

/// Damage below SQL of which only SQLite's own integrity check learns: the store still opens, and its rows still read.
package enum ByteDamage {
    /// Changes the last entry of a small index so that it no longer agrees with its table.
    package static func misleadLastEntry(of index: String, in path: String) throws {
        try change(rootOf: index, in: path, kind: 10) { page in
            func number(at offset: Int) -> Int { Int(page[offset]) << 8 | Int(page[offset + 1]) }
            let cell = number(at: 8 + 2 * (number(at: 3) - 1))
            // A cell is its length, the length of its header, the types of key and row number, then both. Type 1 is one byte.
            guard page[cell + 1] == 3, page[cell + 2] == 1 else {
                throw FixtureError(description: "the last key of \(index) is not a number of one byte")
            }
            page[cell + 4] = 0x7F
        }
    }

    /// Changes the number of unused bytes between the rows on the only page of a table.
    package static func miscountFragments(ofTable table: String, in path: String) throws {
        try change(rootOf: table, in: path, kind: 13) { $0[7] += 1 }
    }

    /// Changes the only page of a table or an index in the main file.
    private static func change(
        rootOf name: String, in path: String, kind leaf: UInt8, _ body: (inout [UInt8]) throws -> Void
    ) throws {
        var configuration = Configuration()
        configuration.readonly = true
        // Otherwise SQLite would take the empty log away.
        let queue = try DatabaseQueue(path: "file://\(path)?immutable=1", configuration: configuration)
        let root = try queue.read { database in
            try Int.fetchOne(
                database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name])
        }
        try queue.close()
        let (pageSize, start) = (4096, ((root ?? 0) - 1) * 4096)
        var bytes = try FileBytes.read(path)
        guard start > 0, bytes.count >= start + pageSize, bytes[start] == leaf else {
            throw FixtureError(description: "\(name) is not on one page")
        }
        var page = Array(bytes[start..<start + pageSize])
        try body(&page)
        bytes.replaceSubrange(start..<start + pageSize, with: page)
        try FileBytes.write(bytes, to: path)
    }
}
