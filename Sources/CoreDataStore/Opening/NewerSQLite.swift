private import CSQLiteOptions
internal import Foundation
internal import GRDB
private import GRDBSQLite

/// A schema that this SQLite cannot read because a newer one wrote it: a view or a trigger with newer syntax. SQLite
/// calls it malformed, as it calls a damaged one.
struct NewerSQLite {
    /// The SQLite that last wrote to the store, as `sqlite3_libversion_number` counts.
    private let writer: UInt32
    /// What cannot be read, `view` or `trigger`, and why.
    private let kind: String
    private let name: SQLName
    private let reason: Substring

    /// Nil for every other error. For a store that nobody else has open.
    /// - Parameters:
    ///   - path: of the main file.
    ///   - open: opens it as before, with what it is handed as the last thing to set.
    init?(
        _ error: DatabaseError, in path: String,
        opening open: (@escaping @Sendable (Database) throws -> Void) throws -> DatabaseQueue
    ) {
        let beginning = "malformed database schema ("
        guard error.resultCode == .SQLITE_CORRUPT, let message = error.message, message.hasPrefix(beginning),
            let end = message.range(of: ") - ", options: .backwards),
            let writer = Self.writer(of: path), writer > Self.own
        else { return nil }
        let name = SQLName(String(message.dropFirst(beginning.count)[..<end.lowerBound]))
        // Core Data makes no views, and the statements of its tables and indexes are as old as SQLite.
        let kinds = try? open { try $0.passOverMalformedSchema() }.inDatabase { database in
            var kinds: [SQLName: String] = [:]
            try database.forEachRow("SELECT name, type FROM sqlite_master WHERE type IN ('view', 'trigger')") { row in
                if let name = row.text(0) { kinds[SQLName(name)] = row.text(1) }
            }
            return kinds
        }
        guard let kind = kinds?[name] else { return nil }
        self.writer = writer
        self.kind = kind
        self.name = name
        reason = message[end.upperBound...]
    }

    /// From the first page, which may be in the log (https://www.sqlite.org/fileformat2.html#validfor).
    private static func writer(of path: String) -> UInt32? {
        if let frames = try? WALFrames(beside: path, shownAs: path), let size = frames.header?.pageSize,
            let index = frames.frames[..<frames.last].lastIndex(where: { $0.page == 1 })
        {
            let place = WALFrame.offset(ofPageIn: index + 1, pageSize: size)
            return (try? FileInput(path + "-wal").bytes(at: place + 96, count: 4))?.bigEndian(at: 0)
        }
        return FileInput.beginning(of: path, count: 100).flatMap { $0.count < 100 ? nil : $0.bigEndian(at: 96) }
    }

    private static var own: UInt32 { UInt32(bitPattern: sqlite3_libversion_number()) }

    func error(at path: String) -> StoreError {
        let (newer, name) = (Self.text(writer), name.quotedIdentifier)
        return StoreError(
            .unsuitable, at: path,
            "a newer SQLite is needed: SQLite \(newer) wrote this store, and the \(Self.text(Self.own)) of this meterfix "
                + "cannot read the \(kind) \(name) (\(reason))",
            hint: "use a meterfix with SQLite \(newer) or later; or, with such a SQLite and on a copy of the store: "
                + "DROP \(kind.uppercased()) \(name)")
    }

    /// `3.54.1` of 3054001.
    private static func text(_ number: UInt32) -> String {
        "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }
}

extension Database {
    /// Before the first read: SQLite then reads of the schema what it can, and the table that it is in.
    fileprivate func passOverMalformedSchema() throws {
        meterfix_set_defensive(sqliteConnection, 0)
        try execute(sql: "PRAGMA writable_schema = ON")
    }
}
