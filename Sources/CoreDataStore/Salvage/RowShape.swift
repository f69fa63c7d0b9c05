internal import Texts

/// What the rows of a table look like: how many values, of which types, and the numbers of the entities.
struct RowShape {
    /// What stands in a column.
    enum Values: CaseIterable {
        case null, whole, number, text, bytes, anything

        /// As the column is declared.
        init(_ column: StoreSchema.Table.Column) {
            switch column.declaredType {
            case "INTEGER": self = .whole
            case "TIMESTAMP", "FLOAT", "DECIMAL", "REAL": self = .number
            case "BLOB": self = .bytes
            case let type: self = type.hasPrefix("VARCHAR") || type == "TEXT" ? .text : .anything
            }
        }

        func fits(_ value: SQLiteRow.Value) -> Bool {
            switch (value, self) {
            case (.null, _), (_, .anything): true
            case (.integer, .whole), (.integer, .number), (.blob, .bytes): true
            case (.real(let number), .number): number.isFinite
            case (.text(let bytes), .text): UTF8Check.firstInvalid(in: Array(bytes)) == nil
            case (.integer, _), (.real, _), (.text, _), (.blob, _): false
            }
        }
    }

    private let columns: [Values]
    /// Rows from before `ALTER TABLE` have fewer values.
    private let fewest: Int
    private let entityColumn: Int?
    /// The numbers that `Z_ENT` may have; empty if nobody knows.
    let entityNumbers: Set<Int64>

    /// - Parameter isFromModel: whether its statement is lost. Then its columns may be in another order, and nobody knows
    ///   which were added; where the numbers of its entities are known, they tell its rows.
    init(_ table: StoreSchema.Table, entityNumbers: Set<Int64>, isFromModel: Bool = false) {
        let isOrderKnown = !isFromModel || entityNumbers.isEmpty
        let own = table.columns.count { $0.name.hasPrefix("Z_") }
        columns = table.record.map { name in
            guard let column = table.columns.first(where: { $0.name == name }) else { return .anything }
            if column.name == table.rowNumberColumn { return .null }
            return isOrderKnown || column.name.hasPrefix("Z_") ? Values(column) : .anything
        }
        fewest = isOrderKnown ? table.record.count - table.addedColumns.count : own
        entityColumn = table.rowNumberColumn == "Z_ENT" ? nil : table.record.firstIndex(of: "Z_ENT")
        self.entityNumbers = entityNumbers
    }

    /// Whether every value is of its column's type.
    func fits(_ row: RowImage) -> Bool { isTyped(row) == true }

    /// Whether rows from one page are this table's: each of them may be one, and either has the number of its entity, or
    /// half of them have only values of their columns' types. SQLite allows any value in any column.
    func fits(page rows: [RowImage]) -> Bool {
        let areTyped = rows.map(isTyped)
        guard !areTyped.contains(nil) else { return false }
        return !entityNumbers.isEmpty || 2 * areTyped.count { $0 == true } >= rows.count
    }

    /// Whether every value is of its column's type; nil for a row that is another table's by the number of its values, its
    /// row number or its entity.
    private func isTyped(_ row: RowImage) -> Bool? {
        var (isOutlined, areTyped) = (true, true)
        var count = 0
        let isReadable = row.forEachValue { column, value in
            count += 1
            guard columns.indices.contains(column) else { return }
            let fits = columns[column].fits(value)
            areTyped = areTyped && fits
            if columns[column] == .null { isOutlined = isOutlined && fits }
            guard column == entityColumn else { return }
            if case .integer(let number) = value {
                isOutlined =
                    isOutlined && number > 0 && (entityNumbers.isEmpty || entityNumbers.contains(number))
            } else {
                isOutlined = false
            }
        }
        guard isReadable, isOutlined, count >= fewest, count <= columns.count else { return nil }
        return areTyped
    }
}

extension [Int64] {
    /// The indexes of the longest run of numbers that ascend.
    var ascendingIndexes: [Int] {
        // For each length, the index of the smallest number that a run of that length ends with.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: count)
        for (index, number) in enumerated() {
            let low = ends.partitioningIndex { self[$0] >= number }
            before[index] = low == 0 ? -1 : ends[low - 1]
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Int] = []
        var next = ends.last ?? -1
        while next >= 0 {
            run.append(next)
            next = before[next]
        }
        return run.reversed()
    }
}
