internal import Foundation

/// The rows of any table of Core Data whose long values may have bytes in them that look like a row of another: an
/// attachment that is a database itself, a text that somebody pasted.
///
/// Such a row is told by its head alone: how many columns, of which types, and its size. What its values say does not
/// matter.
struct EnclosingRows: Sendable {
    private enum Kind: Sendable {
        case number, text, bytes

        func allows(_ type: Int64) -> Bool {
            switch self {
            case .number: type <= 9
            case .text: type == 0 || type >= 13 && type % 2 == 1
            case .bytes: type == 0 || type >= 12
            }
        }
    }

    /// Of the columns after `Z_PK`, table by table, each once.
    private let tables: Set<[Kind]>

    init(of tables: [StoreSchema.Table]) {
        self.tables = Set(
            tables.filter { table in
                table.columns.first?.name == "Z_PK" && table.rowNumberColumn == "Z_PK"
                    && table.record.count == table.columns.count
            }.flatMap { table -> [[Kind]] in
                let kinds = table.columns.dropFirst().map { column -> Kind in
                    switch column.declaredType {
                    case "INTEGER", "TIMESTAMP", "FLOAT", "DECIMAL": .number
                    case "VARCHAR": .text
                    default: .bytes
                    }
                }
                // A row that is older than the last columns does not have them.
                return (0...min(table.addedColumns.count, kinds.count)).map { Array(kinds.dropLast($0)) }
            }.filter { $0.contains { $0 != .number } })
    }

    /// Where the long values of such rows are among bytes that no cell of a page uses.
    func values(in page: [UInt8], _ area: Range<Int>, usableSize: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        page.withUnsafeBytes { page in
            let bytes = UnsafeRawBufferPointer(rebasing: page[..<area.upperBound])
            for cell in area.dropLast(Self.shortest) {
                found += whole(bytes, cell, usableSize) ?? []
                found += freed(bytes, cell, usableSize)
            }
        }
        return found
    }

    /// No shorter cell, and no shorter value, has a row in it.
    private static let shortest = 16

    /// Of a cell of which every byte of its head is there.
    private func whole(_ bytes: UnsafeRawBufferPointer, _ cell: Int, _ usableSize: Int) -> [Range<Int>]? {
        guard let (size, afterSize) = bytes.varint(at: cell), size >= Self.shortest,
            let (number, record) = bytes.varint(at: afterSize), number > 0,
            let (head, types) = bytes.varint(at: record), head > 1, head < size, types < bytes.count,
            bytes[types] == 0
        else { return nil }
        for kinds in tables {
            guard let row = row(bytes, kinds, record: record, types: types), row.head == head, row.size == size else {
                continue
            }
            return values(of: row, kinds, bytes, end: record + local(row, usableSize))
        }
        return nil
    }

    /// Of a cell that became a free block, and lost its first four bytes to the place of the next one and its own size. The
    /// block is the cell's, or what is left of it: new cells are cut from its end.
    private func freed(_ bytes: UnsafeRawBufferPointer, _ cell: Int, _ usableSize: Int) -> [Range<Int>] {
        let block = Int(bytes[cell + 2]) << 8 | Int(bytes[cell + 3])
        guard block >= Self.shortest, block <= bytes.count - cell else { return [] }
        // Its size has two bytes or three, its number one to nine, that of its head one or two.
        for types in cell + 4..<min(cell + 14, bytes.count) where bytes[types] == 0 {
            for headSize in 1...2 {
                for kinds in tables {
                    guard let row = row(bytes, kinds, record: types - headSize, types: types) else { continue }
                    let end = types - headSize + local(row, usableSize) + (local(row, usableSize) == row.size ? 0 : 4)
                    let saysHead =
                        types - headSize >= cell + 4
                        && bytes.varint(at: types - headSize).map { $0.0 == row.head && $0.1 == types } == true
                    guard end == cell + block || saysHead && end > cell + block else { continue }
                    return values(of: row, kinds, bytes, end: cell + block)
                }
            }
        }
        return []
    }

    private struct Row {
        /// Bytes of the record's head.
        let head: Int
        /// Where the values begin.
        let values: Int
        /// Bytes of the record.
        let size: Int
        /// Of each column after `Z_PK`.
        let sizes: [Int]
    }

    /// - Parameters:
    ///   - record: where it begins.
    ///   - types: where they do, with that of `Z_PK`.
    private func row(_ bytes: UnsafeRawBufferPointer, _ kinds: [Kind], record: Int, types: Int) -> Row? {
        var position = types + 1
        var sizes: [Int] = []
        for kind in kinds {
            guard let (type, next) = bytes.varint(at: position), type >= 0, kind.allows(type),
                let size = RowImage.Place.size(ofType: type), size <= Self.largest
            else { return nil }
            sizes.append(size)
            position = next
        }
        let head = position - record
        return Row(head: head, values: position, size: head + sizes.reduce(0, +), sizes: sizes)
    }

    /// Bytes of a value: SQLite allows no more (https://www.sqlite.org/limits.html).
    private static let largest = 1 << 31

    private func local(_ row: Row, _ usableSize: Int) -> Int {
        BTreePage.localSize(ofRecord: row.size, usableSize: usableSize)
    }

    /// - Parameter end: of what is there of the row.
    private func values(
        of row: Row, _ kinds: [Kind], _ bytes: UnsafeRawBufferPointer, end: Int
    ) -> [Range<Int>] {
        var (offset, found) = (row.values, [Range<Int>]())
        for (kind, size) in zip(kinds, row.sizes) {
            let last = min(offset + size, end, bytes.count)
            if kind != .number, last - offset >= Self.shortest { found.append(offset..<last) }
            offset += size
        }
        return found
    }
}
