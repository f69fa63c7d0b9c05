internal import GRDB

extension PersistentHistory {
    /// Makes saves of rows, each once: the changes of one transaction come one after the other.
    package final class Saves {
        /// Of the rows, without the tombstones.
        static let columns = 11
        /// The column of the transaction's number; its time and `nameColumns` follow.
        static let number = 5

        private let history: PersistentHistory
        var hasStrings: Bool { history.hasStrings }
        private let database: Database
        /// By number: a history has few, and each transaction names several.
        private var known: [Int64: String?] = [:]
        private static let most = 4_096
        private var last: Save?

        init(_ history: PersistentHistory, _ database: Database) {
            (self.history, self.database) = (history, database)
        }

        /// Nil for a transaction that is not there.
        /// - Throws: SQLite's errors.
        package func save(_ number: Int64) throws -> Save? {
            try database.first(
                "SELECT \(PersistentHistory.time), \(history.names) FROM ATRANSACTION t WHERE t.Z_PK = ?",
                [.integer(number)]
            ) { try save(number, $0, isThere: true, timeIn: 0) }
        }

        func save(_ row: SQLiteRow, isThere: Bool) throws -> Save {
            let number = row.storageClass(Self.number) == .integer ? row.integer(Self.number) : nil
            return try save(number, row, isThere: isThere, timeIn: Self.number + 1)
        }

        /// - Parameter column: of the time; the names follow.
        private func save(
            _ number: Int64?, _ row: SQLiteRow, isThere: Bool, timeIn column: Int
        ) throws -> Save {
            if let last, last.transaction == number, last.isThere == isThere { return last }
            let save = Save(
                transaction: number, isThere: isThere, time: row.realOrNil(column), author: try text(row, column + 1),
                bundle: try text(row, column + 2), process: try text(row, column + 3),
                context: try text(row, column + 4))
            last = save
            return save
        }

        private func text(_ row: SQLiteRow, _ column: Int) throws -> String? {
            guard hasStrings else { return row.text(column) }
            guard row.storageClass(column) == .integer else { return nil }
            let number = row.integer(column)
            if let text = known[number] { return text }
            let text = try database.first(
                "SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ?", [.integer(number)]
            ) { $0.text(0) }
            if known.count < Self.most { known[number] = .some(text) }
            return text
        }
    }

    /// The time of a transaction, unless it is no number.
    static let time = "CASE WHEN typeof(t.ZTIMESTAMP) IN ('integer', 'real') THEN t.ZTIMESTAMP END"

    /// `nameColumns` of a transaction.
    var names: String { nameColumns.map { "t.\($0)" }.joined(separator: ", ") }
}
