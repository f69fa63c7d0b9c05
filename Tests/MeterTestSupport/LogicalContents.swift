internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterModel

/// What a file says, apart from how SQLite laid it out: the same on every machine that makes the same store.
package struct LogicalContents: Equatable, Sendable {
    /// A line a fact; for a file that is not a database one line with all its bytes.
    package let lines: [String]

    /// Reads a copy; the folder of `path` stays as it is.
    package init(of path: String) throws {
        let bytes = try FileBytes.read(path)
        let manager = FileManager.default
        let log = path + "-wal"
        let hasLog = manager.fileExists(atPath: log)
        var lines = ["-wal: \(hasLog)", "-shm: \(manager.fileExists(atPath: path + "-shm"))"]
        if bytes.count >= 100 { lines.append("write and read version: \(bytes[18]) \(bytes[19])") }

        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let copy = folder.path + "/store.sqlite"
        do {
            try FileBytes.write(bytes, to: copy)
            lines.append("main file alone")
            let alone = try Self.rows(of: copy)
            lines += alone
            if hasLog, try !FileBytes.read(log).isEmpty {
                for suffix in ["", "-wal", "-shm"] { try FileBytes.removeIfThere(copy + suffix) }
                try FileBytes.write(bytes, to: copy)
                try FileBytes.write(try FileBytes.read(log), to: copy + "-wal")
                lines.append("with -wal")
                lines += try Self.rows(of: copy)
            }
            self.lines = lines
        } catch is DatabaseError {
            // Damaged databases still bear SQLite's version and counters; only their size is comparable.
            let isDatabase = bytes.starts(with: Array("SQLite format 3".utf8))
            self.lines = lines + [isDatabase ? "damaged database of \(bytes.count) bytes" : Hexadecimal.text(of: bytes)]
        }
    }

    /// The first line in which two contents differ; nil where they are equal.
    package func firstDifference(from other: LogicalContents) -> String? {
        for index in 0..<max(lines.count, other.lines.count) {
            let left = index < lines.count ? lines[index] : "(nothing)"
            let right = index < other.lines.count ? other.lines[index] : "(nothing)"
            if left != right {
                let start = max(0, left.commonPrefix(with: right).count - 60)
                return "\(left.dropFirst(start).prefix(160)), instead of \(right.dropFirst(start).prefix(160))"
            }
        }
        return nil
    }

    private static func rows(of path: String) throws -> [String] {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let lines = try queue.read { database in
            var lines: [String] = []
            for pragma in ["page_size", "auto_vacuum", "user_version"] {
                let value = try Int.fetchOne(database, sql: "PRAGMA \(pragma)")
                lines.append("\(pragma): \(value ?? -1)")
            }
            // SQLite's versions word their complaints differently.
            let isIntact = try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"]
            lines.append("intact: \(isIntact)")
            lines += try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL")
            let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            for table in tables {
                let quoted = table.inQuotes
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(quoted) ORDER BY rowid") {
                    lines.append(table + ": " + row.map { text(of: $0.1, in: $0.0) }.joined(separator: ", "))
                }
            }
            return lines
        }
        try queue.close()
        return lines
    }

    private static func text(of value: DatabaseValue, in column: String) -> String {
        switch value.storage {
        case .null: "NULL"
        case .int64(let number): String(number)
        case .double(let number): "\(number) (real)"
        case .string(let text): "'\(text)'"
        // Another zlib compresses to other bytes.
        case .blob(let bytes) where column == "Z_CONTENT":
            (try? ManagedObjectModel(modelCache: [UInt8](bytes))).map { "\($0)" }
                ?? Hexadecimal.text(of: [UInt8](bytes))
        case .blob(let bytes) where column == "Z_PLIST":
            (try? PropertyList(binary: [UInt8](bytes))).map(described) ?? Hexadecimal.text(of: [UInt8](bytes))
        case .blob(let bytes): "x'\(Hexadecimal.text(of: [UInt8](bytes)))'"
        }
    }
}

/// With the keys of dictionaries in order.
private func described(_ list: PropertyList) -> String {
    switch list {
    case .dictionary(let values):
        "{" + values.sorted { $0.key < $1.key }.map { "\($0): \(described($1))" }.joined(separator: ", ") + "}"
    case .array(let values): "[" + values.map(described).joined(separator: ", ") + "]"
    case .data(let bytes): Hexadecimal.text(of: bytes)
    default: "\(list)"
    }
}
