internal import Foundation
internal import GRDB

/// What was read of a damaged store, and written into a new one.
package struct Salvage: Sendable {
    /// A page that is not as it should be.
    package struct BrokenPage: Hashable, Sendable {
        package enum Loss: String, Sendable {
            /// The rows on it, or below it, are lost.
            case rows
            /// A part of the rows on it could not be read.
            case someRows = "some-rows"
            /// Nothing: what it says is said elsewhere too.
            case nothing
        }

        package let page: UInt32
        /// Nil for a page that is no table's.
        package let table: String?
        package let loss: Loss
        /// The rows that were on it have numbers larger than this, as far as known.
        package let after: Int64?
        /// The largest number that a row on it could have, as far as known.
        package let through: Int64?
    }

    package struct Table: Hashable, Sendable {
        package let name: String
        /// Rows that are in the new store.
        package internal(set) var read: Int
        /// Of those, rows that may have been deleted: nobody can tell any more which pages are free.
        package let possiblyDeleted: Int
        /// Rows that are there and were not taken: they contradict themselves, or each other.
        package internal(set) var ambiguous: Int
        /// Broken pages with rows of it.
        package let lostPages: Int
        /// Whether its columns are those of the model, because its own statement is lost.
        package let isFromModel: Bool
        /// Rows of `Z_PRIMARYKEY` that were lost and are made again from the model and the rows of its entities.
        package internal(set) var rebuiltKeys = 0
        /// Rows that SQLite can read, from the first to where it gives up.
        package internal(set) var readBySQLite: Int?

        /// Whether every row that it had is in the new store.
        package var isWhole: Bool { ambiguous == 0 && lostPages == 0 && possiblyDeleted == 0 && !isFromModel }
    }

    package let isWAL: Bool
    /// Bytes of a page.
    package let pageSize: Int
    /// Pages of the store.
    package let pages: Int
    /// Pages that should be there, behind the end of the file.
    package let missingPages: Int
    /// By their numbers.
    package let broken: [BrokenPage]
    /// In the order in which the store made them.
    package internal(set) var tables: [Table]
    /// Pages with rows of which nobody knows the table.
    package let unassignedPages: Int
    /// Where the statements of the tables are from.
    package let isSchemaFromModel: Bool
    /// What else is not in the new store, as fragments for a person.
    package internal(set) var leftOut: [String]
    /// Whether one of ``leftOut`` has values that no other part has: an index, a view or a search index has none.
    let leavesOutValues: Bool
    /// What else must be known, likewise.
    package internal(set) var warnings: [String]
    /// What SQLite says of the damaged store; nil if it finds nothing wrong.
    package internal(set) var problem: String?
    /// Why SQLite does not read a store of which that says nothing about damage: a newer SQLite wrote it.
    package internal(set) var incompatibility: StoreError?

    /// Rows that an index has and no table any more.
    package internal(set) var lostByIndexes = 0

    /// Rows in the new store.
    package var read: Int { tables.reduce(0) { $0 + $1.read } }
    package var ambiguous: Int { tables.reduce(0) { $0 + $1.ambiguous } }
    package var possiblyDeleted: Int { tables.reduce(0) { $0 + $1.possiblyDeleted } }

    /// Whether one of ``warnings`` tells of damage.
    package internal(set) var hasDamageInWords = false

    /// Whether the store had no damage.
    package var isIntact: Bool {
        problem == nil && broken.isEmpty && missingPages == 0 && hasEveryRow && !hasDamageInWords
    }

    /// Whether everything that the store had is in the new one.
    package var isWhole: Bool { hasEveryRow && leftOut.isEmpty }

    /// Whether it is certain that every value is in the new one: no page is missing, and nothing else is to be known.
    var hasEverything: Bool { hasEveryRow && !leavesOutValues && missingPages == 0 && warnings.isEmpty }

    /// Whether every row of the tables that were read is in the new one.
    private var hasEveryRow: Bool {
        tables.allSatisfy(\.isWhole) && unassignedPages == 0 && lostByIndexes == 0 && !isSchemaFromModel
            && !broken.contains { $0.loss != .nothing }
    }

    /// Writes everything that can be read of a store into a new one, and leaves no trace in the store.
    /// - Parameters:
    ///   - copy: where there is no file, in a folder that nobody else uses. An error may leave one there.
    ///   - output: what it will be called, for errors.
    ///   - models: of the app, the oldest version first, for a store that has lost its own.
    ///   - forms: what tells the columns of a table apart whose statement is lost.
    ///   - date: noted in the new store where something may be missing in it, so that every later command knows how it
    ///     came about; seconds since 2001. Nil to note nothing.
    ///   - mayLackRows: whether that is so in any case.
    /// - Throws: `StoreError`; `damaged` if nothing can be read.
    package static func write(
        _ path: String, to copy: String, output: String, models: [ManagedObjectModel] = [], forms: ColumnForms = [:],
        marking date: Double? = nil, mayLackRows: Bool = false
    ) throws(StoreError) -> Salvage {
        var salvage = try StableSnapshot.at(path) { _ throws(StoreError) in
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
            return try salvaged(path, to: copy, output: output, models, forms, marking: date, mayLackRows: mayLackRows)
        }
        try salvage.compareWithSQLite(path, copy: copy)
        return salvage
    }

    private static func salvaged(
        _ path: String, to copy: String, output: String, _ models: [ManagedObjectModel], _ forms: ColumnForms,
        marking date: Double?, mayLackRows: Bool
    ) throws(StoreError) -> Salvage {
        let files = try FilesOnDisk(path: path)
        let frames = try files.wal.flatMap { $0.size > 0 ? $0 : nil }.map { _ throws(StoreError) in
            try WALFrames(beside: files.resolvedPath, shownAs: path)
        }
        let journal = try files.journal.flatMap { $0.size > 0 ? $0 : nil }.flatMap { _ throws(StoreError) in
            try RollbackJournal(at: files.resolvedPath + "-journal", shownAs: path)
        }
        guard
            let pages = try DamagedPages(
                at: files.resolvedPath, shownAs: path, frames: frames, journal: frames == nil ? journal : nil)
        else {
            // What it is instead.
            _ = try StoreFiles(path: path)
            throw nothing(at: path)
        }
        do {
            var store = try DamagedStore(pages)
            // One damaged bit of the header says so too: then the store's own statements are in UTF-8.
            if let encoding = pages.encoding, pages.header != nil, encoding == 2 || encoding == 3,
                !store.schema.entries.contains(where: { $0.root != nil })
            {
                throw StoreError(
                    .unsuitable, at: path, "its text is in UTF-16; meterfix reads only UTF-8, which Core Data writes",
                    hint: "another tool recreated this file; ask for the store as the app left it")
            }
            if store.lacksModel {
                // The one that finds most, and of these the last: the newest version of the app demands least.
                for model in models {
                    let other = try DamagedStore(pages, fallback: model)
                    if other.leafCount >= store.leafCount { store = other }
                }
            }
            guard !store.tables.isEmpty else { throw nothing(at: path) }
            guard store.tables.contains(where: { $0.name.hasPrefix("Z_") || $0.has("Z_PK") }) else {
                throw StoreError.notCoreData(path)
            }
            var writer = SalvagedCopy(store, forms: forms, isWAL: pages.isWAL || (files.wal?.size ?? 0) > 0)
            let isLogDamaged =
                frames.map { $0.last < $0.lastUnreadable ?? 0 || $0.header == nil || $0.breaksOff } ?? false
            var salvage = try writer.write(
                to: copy, output: output, marking: date,
                mayLackRows: mayLackRows || isLogDamaged || !store.corrected.isEmpty || !store.hasWholeTrees)
            salvage.hasDamageInWords = isLogDamaged || !store.corrected.isEmpty
            if !store.corrected.isEmpty {
                salvage.warnings.append(
                    "damaged in their statements or names, and made by the model: "
                        + store.corrected.map(\.text).joined(separator: ", "))
            }
            if let frames, isLogDamaged {
                salvage.warnings.append(
                    "its -wal is damaged: SQLite reads \(frames.last) of its \(frames.frames.count) pages, and the rows are "
                        + "those of the last commit in these")
            }
            return salvage
        } catch {
            throw StoreError(error, at: path)
        }
    }

    private static func nothing(at path: String) -> StoreError {
        StoreError(
            .damaged, at: path, "nothing can be read: neither the schema nor a model is left",
            hint: "ask for the store again, with its -wal file")
    }

    /// What indexes still have and the new store does not.
    /// - Parameter lost: rows that only indexes have, by what SQLite reads of their tables.
    private mutating func addLost(_ lost: [(table: String, rows: [Int64])], copy: String) throws(StoreError) {
        for (table, rows) in lost where tables.contains(where: { $0.name == table && $0.isWhole }) {
            // Rows that SQLite does not see were perhaps found on their pages.
            let found = try StoreConnection.look(at: copy) { _, database in
                Set(try database.rows("SELECT rowid FROM \(table.quotedIdentifier)") { $0.integer(0) })
            }
            let missing = rows.filter { !found.contains($0) }
            guard !missing.isEmpty else { continue }
            lostByIndexes += missing.count
            let numbers = missing.prefix(8).map(String.init).joined(separator: ", ")
            warnings.append(
                "an index still has rows \(numbers)\(missing.count > 8 ? ", …" : "") of \(table), which the table has not: "
                    + "they were lost, or deleted before an older page came back")
        }
    }

    /// Reads the store as every other tool would.
    private mutating func compareWithSQLite(_ path: String, copy: String) throws(StoreError) {
        do throws(StoreError) {
            let tables = tables
            // No more cells are in as many pages. A damaged tree can lead in circles.
            let most = (pages + missingPages) * pageSize / 6
            let (found, counts, lost) = try StoreConnection.look(at: path) { _, database in
                let problem = try database.integrityProblems(limit: 1).first
                return (
                    problem, try tables.map { try Self.count($0.name, most: most, database) },
                    problem == nil ? [] : (try? database.rowsOnlyInIndexes()) ?? []
                )
            }
            problem = found
            try addLost(lost, copy: copy)
            for (index, count) in counts.enumerated() { self.tables[index].readBySQLite = count }
        } catch {
            if error.kind == .unsuitable {
                incompatibility = error
                return
            }
            guard error.kind == .damaged else { throw error }
            problem = error.message
        }
    }

    /// How many rows of a table SQLite reads.
    private static func count(_ table: String, most: Int, _ database: Database) throws -> Int {
        var count = 0
        do {
            try database.forEachRow("SELECT * FROM \(table.quotedIdentifier) NOT INDEXED LIMIT \(most)") { row in
                // Where a record goes on is read only for its values.
                for column in 0..<row.columnCount { _ = row[column] }
                count += 1
            }
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            return count
        }
        return count
    }
}
