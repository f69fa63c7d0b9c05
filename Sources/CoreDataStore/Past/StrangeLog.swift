internal import GRDB

// The `-wal` of another store beside a main file. Two devices with one version of the app have the same tables on the same
// pages, and SQLite lays one store's pages over the other's without a word.

extension StorePages {
    /// That the log begins in a file of another size, as a clause; nil where it does not, or it is not known.
    ///
    /// Whoever makes a file longer or shorter writes its new size into the first page. So a first commit without that page
    /// leaves as many pages as there were: as the first page says, or, in a file that is longer, as there are.
    func strangePageCount() throws(StoreError) -> String? {
        guard commitCount > 0, !pages(ofCommit: 1).contains(1), let before = try pageCount(at: 0),
            let after = try pageCount(at: 1), after != before, after != mainPageCount
        else { return nil }
        return "the log begins in a file of \(after) pages, and the main file has \(before)"
    }

    /// Whether nothing of the main file is seen.
    var hasAllInLog: Bool {
        guard commitCount > 0, let count = frames(ofCommit: commitCount).last.map({ frames[$0 - 1].pagesAfterCommit })
        else { return false }
        return count > 0 && (1...count).allSatisfy { versions[$0] != nil }
    }

    /// The rows on a table's last leaf before the log's first commit; none where that is not certain.
    /// - Parameter root: of the table.
    fileprivate func lastRows(from root: UInt32) throws(StoreError) -> [RowImage] {
        var number = root
        for _ in 1...TableHistory.deepest {
            guard let version = try version(of: number, at: 0),
                let page = BTreePage(try bytes(of: number, version), number: number, usableSize: usableSize)
            else { return [] }
            switch page.kind {
            case .interiorTable: number = page.children.last ?? 0
            case .leafTable:
                return page.leafCells().filter { $0.overflow == nil }.map {
                    RowImage(number: $0.row, record: Array(page.bytes[$0.local]))
                }
            case .interiorIndex, .leafIndex: return []
            }
        }
        return []
    }
}

extension StoreDescription {
    /// A transaction that the main file and the log both have and that was made at two times, as a clause; nil where there is
    /// none. Nobody changes a transaction once it is saved, and no number is given twice.
    func strangeTransaction(in pages: StorePages, _ database: Database) throws -> String? {
        guard let table = schema.tables["ATRANSACTION"], table.rowNumberColumn == "Z_PK",
            let time = table.position(of: "ZTIMESTAMP"), let root = try database.rootPage(of: "ATRANSACTION")
        else { return nil }
        let statement = try PreparedStatement(database, "SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?")
        for row in try pages.lastRows(from: root).reversed() {
            guard let before = row.real(time) else { continue }
            var after = before
            try statement.forEachRow([.integer(row.number)]) { after = $0.realOrNil(0) ?? before }
            if after != before {
                return "transaction \(row.number) was made at another time in the main file than in its log, which is "
                    + "another store's"
            }
        }
        return nil
    }

    /// That the mirror's history token was written into the log by another store's mirror, as a clause; nil where it was not.
    /// A token of an earlier identity of this store may be left over: then the main file has it too.
    /// - Parameters:
    ///   - tokens: of the main file.
    ///   - uuid: the store's identity, in the main file and in the log.
    func strangeToken(than tokens: [[UInt8]], of uuid: String, _ database: Database) throws -> String? {
        guard let shown = try mirror?.storesOfToken(database), let stranger = shown.min(), !shown.contains(uuid),
            shown.isDisjoint(with: tokens.flatMap { HistoryToken.stores(in: $0) ?? [] })
        else { return nil }
        return "the main file is of the store \(uuid), and the mirror's history token in its log is of \(stranger)"
    }
}

extension Database {
    /// Where a table begins; nil where there is none.
    func rootPage(of table: String) throws -> UInt32? {
        try first("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?", [.string(table)]) {
            UInt32(exactly: $0.integer(0))
        }
    }
}
