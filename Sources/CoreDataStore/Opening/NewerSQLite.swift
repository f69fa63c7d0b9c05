internal import Foundation
internal import GRDB
private import GRDBSQLite

/// A schema that this SQLite cannot read because a newer one wrote it: a view or a trigger with newer syntax. SQLite
/// calls it malformed, as it calls a damaged one.
struct NewerSQLite {
    /// The SQLite that last wrote to the store, as `sqlite3_libversion_number` counts.
    private let writer: UInt32
    /// What cannot be read, and why.
    private let object: SchemaStatement
    private let reason: Substring

    /// Nil for every other error. For a store that nobody else has open.
    /// - Parameter path: of the main file.
    init?(_ error: DatabaseError, in path: String) {
        let beginning = "malformed database schema ("
        guard error.resultCode == .SQLITE_CORRUPT, let message = error.message, message.hasPrefix(beginning),
            let end = message.range(of: ") - ", options: .backwards),
            let pages = try? DamagedPages(
                at: path, shownAs: path, frames: try? WALFrames(beside: path, shownAs: path), journal: nil),
            // https://www.sqlite.org/fileformat2.html#validfor
            let writer = pages.header?.bigEndian(at: 96), writer > Self.own,
            let schema = try? DamagedSchema(of: pages), schema.isWhole
        else { return nil }
        let name = SQLName(String(message.dropFirst(beginning.count)[..<end.lowerBound]))
        // Core Data makes no views, and the statements of its tables and indexes are as old as SQLite.
        guard let object = schema.entries.first(where: { $0.name == name }), ["view", "trigger"].contains(object.kind)
        else { return nil }
        self.writer = writer
        self.object = object
        reason = message[end.upperBound...]
    }

    private static var own: UInt32 { UInt32(bitPattern: sqlite3_libversion_number()) }

    func error(at path: String) -> StoreError {
        let (newer, name) = (Self.text(writer), object.name.quotedIdentifier)
        return StoreError(
            .unsuitable, at: path,
            "a newer SQLite is needed: SQLite \(newer) wrote this store, and the \(Self.text(Self.own)) of this meterfix "
                + "cannot read the \(object.kind) \(name) (\(reason))",
            hint: "use a meterfix with SQLite \(newer) or later; or, with such a SQLite and on a copy of the store: "
                + "DROP \(object.kind.uppercased()) \(name)")
    }

    /// `3.54.1` of 3054001.
    private static func text(_ number: UInt32) -> String {
        "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }
}
