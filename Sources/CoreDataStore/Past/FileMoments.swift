package import GRDB

extension StoreDescription {
    /// Why the main file and the log of a store are of different moments; nil where nothing says so. A log that was put
    /// beside another main file is read by SQLite without a word (seen).
    ///
    /// Each save is one commit and makes one transaction, and Core Data notes the number of the last one in
    /// `Z_PRIMARYKEY` (seen). So the log of a main file begins where that file ends, and a checkpoint never brings more
    /// into it than the log has. A log that is torn, was begun anew or is partly in the main file contradicts none of
    /// that. The log of another device's store, which has the same pages for the same tables, may fit by these numbers; what
    /// tells it is in `StrangeLog`.
    /// - Throws: `StoreError` where the files cannot be read; SQLite's errors.
    package func contradiction(in files: StoreFiles, _ pages: StorePages, _ database: Database) throws -> String? {
        guard pages.commitCount > 0, pages.mainPageCount > 0, let path = files.pathOfContents else { return nil }
        var main = CoreDataTables(
            pages: try StorePages(
                in: path, shownAs: files.path, pageSize: files.header.pageSize, isMainEmpty: false, frames: nil))
        if let count = try pages.strangePageCount() { return count }
        guard let history else { return nil }
        let own = try main.uuid(schema)
        if let reason = try contradiction(of: history, &main, own, pages, database) { return reason }
        // A store that Core Data replaced has another history, and nothing of the main file is seen any more.
        if own == metadata.uuid || !pages.hasAllInLog, let reason = try strangeTransaction(in: pages, database) {
            return reason
        }
        guard let own, own == metadata.uuid else { return nil }
        return try strangeToken(than: main.tokens(mirror), of: own, database)
    }

    /// What the history says against the files.
    /// - Parameter own: the identity of the main file's store.
    private func contradiction(
        of history: PersistentHistory, _ main: inout CoreDataTables, _ own: String?, _ pages: StorePages,
        _ database: Database
    ) throws -> String? {
        // Core Data replaces a store in its place by one commit of all pages, with another identity and another history.
        if let own, let shown = metadata.uuid, own != shown {
            return try contradictingRows(history, database).map {
                "the main file is of the store \(own), its log is of the store \(shown), and \($0)"
            }
        }
        guard let last = CoreDataTables.lastTransaction(in: try main.rows(of: "Z_PRIMARYKEY"), schema) else {
            return nil
        }
        let logged = try Self.transactions(in: pages, schema, database)
        guard let first = logged.first, let highest = logged.max() else {
            return try rowSetBack(from: &main, history, database)
        }
        if highest > 0, last > highest {
            return "the history in the main file goes up to transaction \(last), and its log only to \(highest)"
        }
        guard last < first, last + 1 < first else { return nil }
        // Another tool may have written several transactions at once, but it leaves out none of them and none of their rows.
        let lack = try Self.missingTransaction(after: last, before: first, database)
        return try (lack ?? contradictingRows(history, database)).map {
            "the main file ends with transaction \(last) and its log begins with \(first), and \($0)"
        }
    }

    /// The number of the last transaction, after each commit of the log that says it.
    private static func transactions(
        in pages: StorePages, _ schema: StoreSchema, _ database: Database
    ) throws -> [Int64] {
        guard let root = try database.rootPage(of: "Z_PRIMARYKEY") else { return [] }
        var keys = TableHistory(in: pages)
        var numbers: [Int64] = []
        for state in 0...pages.commitCount {
            try Interruption.check(pages.path)
            let written = state == 0 ? [] : pages.pages(ofCommit: state)
            let visit = try keys.visit(state, root: root, written: written)
            guard state > 0 else { continue }
            switch visit {
            case .changes(let changes):
                if let number = CoreDataTables.lastTransaction(in: changes.compactMap(\.after), schema) {
                    numbers.append(number)
                }
            case .begins:
                if let number = CoreDataTables.lastTransaction(in: try keys.rows(), schema) { numbers.append(number) }
            case .unknown: break
            }
        }
        return numbers
    }

    /// That one of the transactions between two is not in a history that goes further back, as a clause; nil where none is.
    private static func missingTransaction(
        after last: Int64, before first: Int64, _ database: Database
    ) throws -> String? {
        var (isOlderThere, present) = (false, Set<Int64>())
        try database.forEachRow("SELECT Z_PK FROM ATRANSACTION WHERE Z_PK < \(first)") {
            if $0.integer(0) <= last { isOlderThere = true } else { present.insert($0.integer(0)) }
        }
        guard isOlderThere, let missing = (last + 1..<first).first(where: { !present.contains($0) }) else { return nil }
        return "the history has nothing of transaction \(missing)"
    }

    /// What of the rows is older in a log without any save than in the main file, as a clause; nil where nothing is. Whoever
    /// saves a row counts its `Z_OPT` up (seen), and another tool that writes it leaves the count as it is.
    private func rowSetBack(
        from main: inout CoreDataTables, _ history: PersistentHistory, _ database: Database
    ) throws -> String? {
        for entity in entityTables where entity.table.rowNumberColumn == "Z_PK" {
            let name = entity.table.name
            guard let version = entity.table.position(of: "Z_OPT") else { continue }
            var saved: [Int64: Int64] = [:]
            for row in try main.rows(of: name) { saved[row.number] = row.integer(version) }
            let shown = try database.rows("SELECT Z_PK, Z_OPT FROM \(name.quotedIdentifier) ORDER BY Z_PK") {
                (row: $0.integer(0), version: $0.integerOrNil(1))
            }
            for (row, version) in shown {
                if let last = saved[row], let version, version < last {
                    return "row \(row) of \(name) is older in the log (Z_OPT \(version)) than in the main file "
                        + "(Z_OPT \(last))"
                }
            }
            let alive = try history.deniedRows(of: entity, database).alive
            if !saved.isEmpty, let row = alive.first(where: { saved[$0] == nil }) {
                return "row \(row) of \(name), which the main file has no more, is in the log"
            }
        }
        return nil
    }

    /// What of these rows the history's last word denies, as a clause; nil where nothing is.
    private func contradictingRows(_ history: PersistentHistory, _ database: Database) throws -> String? {
        for entity in entityTables {
            let denied = try history.deniedRows(of: entity, database)
            let name = entity.table.name
            if let row = denied.alive.first {
                return "row \(row) of \(name) is there although the history says that it was deleted"
            }
            if let row = denied.gone.first {
                return "row \(row) of \(name) is gone although the history says nothing of a delete"
            }
        }
        return nil
    }
}

/// Core Data's own tables in the pages of one file.
private struct CoreDataTables {
    let pages: StorePages
    /// The first page of each table; nil until it was read.
    var roots: [SQLName: UInt32]?

    /// Of a table; none where it cannot be read.
    mutating func rows(of table: SQLName) throws -> [RowImage] {
        if roots == nil {
            var found: [SQLName: UInt32] = [:]
            for row in try rows(from: 1) where row.text(0) == "table" {
                if let name = row.text(1), let root = row.integer(3).flatMap({ UInt32(exactly: $0) }) {
                    found[SQLName(name)] = root
                }
            }
            roots = found
        }
        return try roots?[table].map(rows) ?? []
    }

    private func rows(from root: UInt32) throws -> [RowImage] {
        var table = TableHistory(in: pages)
        _ = try table.visit(0, root: root, written: [])
        return try table.rows()
    }

    /// The values that the mirror's entry for its history token has.
    mutating func tokens(_ mirror: CloudKitMirror?) throws -> [[UInt8]] {
        guard let table = mirror?.table("METADATAENTRY"), let key = table.position(of: "ZKEY"),
            let value = table.position(of: "ZTRANSFORMEDVALUE")
        else { return [] }
        return try rows(of: table.name).filter { $0.text(key) == CloudKitMirror.tokenKey }.compactMap { $0.blob(value) }
    }

    /// `Z_UUID`; nil where it is not known.
    mutating func uuid(_ schema: StoreSchema) throws -> String? {
        guard let column = schema.tables["Z_METADATA"]?.position(of: "Z_UUID") else { return nil }
        return try rows(of: "Z_METADATA").first?.text(column)
    }

    static func lastTransaction(in rows: [RowImage], _ schema: StoreSchema) -> Int64? {
        guard let keys = schema.tables["Z_PRIMARYKEY"], let name = keys.position(of: "Z_NAME"),
            let last = keys.position(of: "Z_MAX")
        else { return nil }
        return rows.first { $0.text(name) == "TRANSACTION" }?.integer(last)
    }
}
