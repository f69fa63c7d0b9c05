internal import GRDB

/// Damage below SQL: what a failing disk or a half-finished copy does to an index.
enum IndexDamage {
    /// Changes the last entry of a small index so that it no longer agrees with its table. The store still opens, its
    /// rows still read; only SQLite's own integrity check notices.
    static func misleadLastEntry(of index: String, in path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        // Otherwise SQLite would take the empty log away.
        let queue = try DatabaseQueue(path: "file://\(path)?immutable=1", configuration: configuration)
        let root = try queue.read { database in
            try Int.fetchOne(
                database, sql: "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND name = ?",
                arguments: [index])
        }
        try queue.close()

        var bytes = try FileBytes.read(path)
        let pageSize = 4096
        let page = ((root ?? 0) - 1) * pageSize
        let indexLeaf: UInt8 = 10
        guard page > 0, bytes.count >= page + pageSize, bytes[page] == indexLeaf else {
            throw FixtureError(description: "\(index) is not an index of one page")
        }
        func number(at offset: Int) -> Int { Int(bytes[page + offset]) << 8 | Int(bytes[page + offset + 1]) }
        let cellCount = number(at: 3)
        let cell = page + number(at: 8 + 2 * (cellCount - 1))
        // A cell is its length, the length of its header, the types of key and row number, then both. Type 1 is one byte.
        guard bytes[cell + 1] == 3, bytes[cell + 2] == 1 else {
            throw FixtureError(description: "the last key of \(index) is not a number of one byte")
        }
        bytes[cell + 4] = 0x7F
        try FileBytes.write(bytes, to: path)
    }
}
