internal import GRDB

/// Writes what a damaged store still has into a new file.
struct SalvagedCopy {
    private let store: DamagedStore
    private let isWAL: Bool
    private let forms: ColumnForms
    private var warnings: [String] = []
    private var leftOut: [String] = []
    private var leavesOutValues = false
    private var partlyRead: [(page: UInt32, table: SQLName)] = []
    /// Pages that a tree lacks, or that are read in part, although every row that can have been on them was found.
    private var replaced: Set<UInt32> = []

    init(_ store: DamagedStore, forms: ColumnForms, isWAL: Bool) {
        self.store = store
        self.forms = forms
        self.isWAL = isWAL
    }

    /// - Parameters:
    ///   - date: noted in the new file where something may be missing in it; nil for nothing.
    ///   - mayLackRows: whether that is so in any case.
    mutating func write(
        to copy: String, output: String, marking date: Double?, mayLackRows: Bool
    ) throws -> Salvage {
        leftOut += store.unreadable.map {
            StoreSchema.makesVirtualTable($0.sql)
                ? "the virtual table \($0.name)" : "the table \($0.name), whose statement cannot be read"
        }
        leftOut += store.withoutRowNumbers.map { "the table \($0), which has no row numbers (WITHOUT ROWID)" }
        leavesOutValues =
            !store.withoutRowNumbers.isEmpty
            || store.unreadable.contains { !StoreSchema.makesVirtualTable($0.sql) }
        var written: Salvage?
        do {
            try DatabaseQueue.writeStore(to: copy, isWAL: isWAL, setting: store.store.setting) { target in
                let tables = try fill(target)
                let salvage = salvage(of: tables)
                if let date, mayLackRows || !salvage.hasEverything { try StoreRecovery.note(at: date, in: target) }
                written = salvage
            }
        } catch let error as DatabaseError {
            throw StoreError(error, at: output)
        }
        return written!
    }

    private func salvage(of tables: [Salvage.Table]) -> Salvage {
        let pages = store.store
        return Salvage(
            isWAL: isWAL, pageSize: pages.pageSize, pages: Int(pages.count),
            missingPages: max(0, Int(pages.expectedCount ?? 0) - Int(pages.count)), broken: broken, tables: tables,
            unassignedPages: store.unassigned.count, isSchemaFromModel: store.isSchemaFromModel,
            leftOut: leftOut, leavesOutValues: leavesOutValues, warnings: warnings)
    }

    private mutating func fill(_ target: Database) throws -> [Salvage.Table] {
        var tables: [Salvage.Table] = []
        var made: Set<SQLName> = []
        let entries = Dictionary(
            store.schema.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for table in store.tables {
            guard let entry = entries[table.name] else { continue }
            let isFromModel = entry.root == nil || store.replaced.contains(table.name)
            let found = try store.rows(of: table)
            // The history of the model's own making, where the store may never have had one.
            if isFromModel, found.rows.isEmpty, found.ambiguous == 0, table.name.hasPrefix("A") { continue }
            try target.makeStatement(sql: entry.sql).execute()
            made.insert(table.name)
            partlyRead += found.partlyRead.map { ($0, table.name) }
            let lost = (store.trees[table.name]?.lost ?? []).filter { $0.page > 0 }
            let foundElsewhere = lost.filter(found.hasEveryRow)
            replaced.formUnion(foundElsewhere.map(\.page))
            let bounds = bounds(ofLeavesOf: table.name)
            let wholeAfterAll = found.partlyRead.filter { bounds[$0].map(found.hasEveryRow) ?? false }
            replaced.formUnion(wholeAfterAll)
            var places = table.record
            // Nothing is appended to a table of the history.
            if isFromModel, table.name.hasPrefix("Z"), !table.name.hasPrefix("Z_"), table.has("Z_ENT") {
                let told = ColumnPlaces(found.rows, of: table, forms: forms[table.name] ?? [:])
                if let note = told.note(about: table.name) { warnings.append(note) }
                places = told.columns
            }
            let longer = found.rows.count { ($0.places?.count ?? 0) > places.count }
            if longer > 0 {
                leavesOutValues = true
                leftOut.append("the last values of \(longer) rows of \(table.name), whose statement has fewer columns")
            }
            let refused = try insert(found.rows, into: table, in: places, target)
            tables.append(
                Salvage.Table(
                    name: table.name.text, read: found.rows.count - refused, possiblyDeleted: found.possiblyDeleted,
                    ambiguous: found.ambiguous + refused,
                    lostPages: lost.count - foundElsewhere.count + found.partlyRead.count - wholeAfterAll.count,
                    isFromModel: isFromModel))
        }
        if let index = tables.firstIndex(where: { $0.name == "Z_PRIMARYKEY" && !$0.isWhole }),
            let model = try StoredModel(target, schema: StoreSchema(target)).model
        {
            tables[index].rebuiltKeys = try target.restoreEntities(of: model)
        }
        let readable = store.schema.entries.filter { entry in
            // The store itself may never have had an index that only the model has.
            entry.isHarmless && (entry.kind != "index" || entry.root != nil || made.contains(entry.table))
        }
        leftOut += store.schema.entries.filter { $0.kind != "table" && !$0.isHarmless }
            .map { "the \($0.kind) \($0.name), whose statement cannot be read" }
        let attachments = SchemaAttachments(of: readable, beside: made)
        leftOut += attachments.leftOut
        for entry in attachments.makeable {
            if let lack = try entry.make(as: entry.sql, in: target) { leftOut.append(lack) }
        }
        return tables
    }

    /// Which rows the leaves of a table can have, by page.
    private func bounds(ofLeavesOf table: SQLName) -> [UInt32: TreeWalk.Part] {
        let leaves = store.trees[table]?.leaves ?? []
        return Dictionary(leaves.map { ($0.page, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter places: the columns that a row's values stand in; a value of no column is left out.
    /// - Returns: how many rows break a constraint of the table.
    private func insert(
        _ rows: [RowImage], into table: StoreSchema.Table, in places: [SQLName?], _ target: Database
    ) throws -> Int {
        var statements: [Int: PreparedStatement] = [:]
        var refused = 0
        let columns = places.map { name in table.columns.first { $0.name == name } }
        for (number, row) in rows.enumerated() {
            var values: [SQLiteBinding] = []
            row.forEachValue { place, value in
                guard columns.indices.contains(place), let column = columns[place] else { return }
                values.append(column.name == table.rowNumberColumn ? .integer(row.number) : SQLiteBinding(value))
            }
            // Columns that were added after the row was written have their defaults.
            let names = columns.lazy.compactMap(\.self).prefix(values.count).map(\.name.quotedIdentifier)
            let statement =
                try statements[values.count]
                ?? PreparedStatement(
                    target,
                    "INSERT INTO \(table.name.quotedIdentifier) (\(names.joined(separator: ", "))) "
                        + "VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))")
            statements[values.count] = statement
            do {
                try statement.run(values)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                refused += 1
            }
            if number & 0x3FF == 0 { WorkProgress.advance(.records, by: 0x400) }
        }
        return refused
    }

    // MARK: - Pages

    private var broken: [Salvage.BrokenPage] {
        var broken: [UInt32: Salvage.BrokenPage] = [:]
        func add(_ page: UInt32, _ table: String?, _ loss: Salvage.BrokenPage.Loss, _ bounds: TreeWalk.Part? = nil) {
            guard page > 0, broken[page].map({ $0.loss == .nothing }) ?? true else { return }
            broken[page] = Salvage.BrokenPage(
                page: page, table: table, loss: loss, after: bounds?.after, through: bounds?.through)
        }
        func add(_ tree: TreeWalk, _ name: String) {
            for loss in tree.lost { add(loss.page, name, replaced.contains(loss.page) ? .nothing : .rows, loss) }
            for page in tree.bypassed { add(page, name, .nothing) }
        }
        for (name, tree) in store.trees { add(tree, name.text) }
        for (name, pages) in Dictionary(grouping: partlyRead, by: \.table) {
            let bounds = bounds(ofLeavesOf: name)
            for (page, _) in pages {
                add(page, name.text, replaced.contains(page) ? .nothing : .someRows, bounds[page])
            }
        }
        add(store.schema.tree, "sqlite_master")
        for page in store.schema.account.partlyRead { add(page, "sqlite_master", .someRows) }
        for (page, table) in store.brokenOfIndexes { add(page, table.text, .nothing) }
        for page in store.store.map.broken { add(page, nil, .nothing) }
        if store.store.header == nil || !store.store.isFreelistWhole { add(1, nil, .nothing) }
        return broken.values.sorted { $0.page < $1.page }
    }
}

extension SQLiteBinding {
    fileprivate init(_ value: SQLiteRow.Value) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let bytes): self = .text(Array(bytes))
        case .blob(let bytes): self = .blob(Array(bytes))
        }
    }
}
