internal import Foundation
internal import Texts

/// What the rows of one table of Core Data look like in SQLite's record format, so that they can be found among bytes
/// that no page points to any more.
struct RowPattern: Sendable {
    private enum Kind: Sendable {
        /// `Z_ENT`.
        case entity
        /// `Z_OPT`: 1 on insert, and 1 more with each update.
        case version
        case integer
        case date
        case number
        case text
        case uuid
        case bytes
    }

    /// Of each column after `Z_PK`.
    private let kinds: [Kind]
    /// Columns after `Z_PK` of a row that is older than those that were added to the table.
    private let fewest: Int
    private let entities: Set<Int64>
    /// Whether a byte may be the serial type of `Z_ENT`.
    private let isEntityType: [Bool]

    /// Nil for a table that does not begin as those of Core Data do.
    /// - Parameter uuids: the columns with UUIDs. A `BLOB` may have anything in it.
    init?(of table: StoreSchema.Table, entities: Set<Int64>, uuids: Set<SQLName>) {
        guard table.rowNumberColumn == "Z_PK", table.record.count == table.columns.count,
            table.columns.prefix(3).map(\.name) == ["Z_PK", "Z_ENT", "Z_OPT"]
        else { return nil }
        kinds =
            [.entity, .version]
            + table.columns.dropFirst(3).map { column in
                switch column.declaredType {
                case "INTEGER": .integer
                case "TIMESTAMP": .date
                case "FLOAT", "DECIMAL": .number
                case "VARCHAR": .text
                default: uuids.contains(column.name) ? .uuid : .bytes
                }
            }
        fewest = max(2, kinds.count - table.addedColumns.count)
        self.entities = entities
        var isEntityType = [Bool](repeating: false, count: 256)
        for number in entities { isEntityType[Self.type(of: number)] = true }
        self.isEntityType = isEntityType
    }

    /// The serial type of a whole number.
    private static func type(of number: Int64) -> Int {
        switch number {
        case 0, 1: Int(number) + 8
        case -0x80...0x7F: 1
        case -0x8000...0x7FFF: 2
        case -0x80_0000...0x7F_FFFF: 3
        case -0x8000_0000...0x7FFF_FFFF: 4
        case -0x8000_0000_0000...0x7FFF_FFFF_FFFF: 5
        default: 6
        }
    }

    /// Bytes of the smallest cell; a smaller gap is not looked at.
    var smallestCell: Int { 4 + fewest }

    /// Whether every value of a row is one that Core Data writes.
    func isPlausible(_ row: RowImage) -> Bool {
        row.record.withUnsafeBytes { bytes in
            guard let head = head(of: bytes) else { return false }
            return plausibleRow(bytes, typesAt: head.types, count: head.count)?.end == bytes.count
        }
    }

    /// Whether the part of a record that is in its cell begins like a row of this table: how many columns, of which
    /// types, and `Z_ENT`.
    func beginsRow(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let head = head(of: bytes) else { return false }
        var end = head.types
        for kind in kinds.prefix(head.count) {
            guard let (type, next) = bytes.varint(at: end), type >= 0, allows(kind, type) else { return false }
            end = next
        }
        guard let (type, _) = bytes.varint(at: head.types) else { return false }
        return Self.integer(bytes, type, at: end).map(entities.contains) ?? false
    }

    /// Where the types after that of `Z_PK` begin, which is always NULL, and how many there are.
    private func head(of bytes: UnsafeRawBufferPointer) -> (types: Int, count: Int)? {
        guard let (size, start) = bytes.varint(at: 0), start < size, size <= bytes.count, bytes[start] == 0
        else { return nil }
        var (position, count) = (start + 1, 0)
        while position < size, let (_, next) = bytes.varint(at: position) {
            (position, count) = (next, count + 1)
        }
        return position == size && (fewest...kinds.count).contains(count) ? (start + 1, count) : nil
    }

    // MARK: - Types and values

    private func allows(_ kind: Kind, _ type: Int64) -> Bool {
        switch kind {
        case .entity: type < 0x80 && isEntityType[Int(type)]
        case .version: type == 9 || (1...3).contains(type)
        case .integer: type <= 6 || type == 8 || type == 9
        case .date: type == 0 || type == 4 || type == 7
        case .number: type <= 9
        case .text: type == 0 || type >= 13 && type % 2 == 1
        case .uuid: type == 0 || type == 44
        case .bytes: type == 0 || type >= 12 && type % 2 == 0
        }
    }

    /// Where the values of a row begin and end whose types begin somewhere; nil where there is no row of which every value
    /// is one that Core Data writes.
    private func plausibleRow(
        _ bytes: UnsafeRawBufferPointer, typesAt start: Int, count: Int
    ) -> (values: Int, end: Int)? {
        var (position, size) = (start, 0)
        for index in 0..<count {
            guard let (type, next) = bytes.varint(at: position), type >= 0, allows(kinds[index], type),
                let bytesOfValue = RowImage.Place.size(ofType: type), bytesOfValue <= bytes.count
            else { return nil }
            position = next
            size += bytesOfValue
            guard size <= bytes.count - position else { return nil }
        }
        let values = position
        var offset = values
        position = start
        for index in 0..<count {
            guard let (type, next) = bytes.varint(at: position), let size = RowImage.Place.size(ofType: type),
                isPlausible(kinds[index], type, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
            else { return nil }
            (position, offset) = (next, offset + size)
        }
        return (values, offset)
    }

    /// Seconds since 2001, from 2010 to 2064.
    private static let dates = 3e8...2e9
    private static let mostSaves: Int64 = 1 << 20

    private func isPlausible(_ kind: Kind, _ type: Int64, _ value: UnsafeRawBufferPointer) -> Bool {
        switch kind {
        case .entity: return Self.integer(value, type, at: 0).map(entities.contains) ?? false
        case .version: return Self.integer(value, type, at: 0).map { (1...Self.mostSaves).contains($0) } ?? false
        case .integer, .bytes: return true
        case .date:
            if type == 0 { return true }
            return (Self.real(value, type) ?? Self.integer(value, type, at: 0).map(Double.init)).map(
                Self.dates.contains)
                ?? false
        case .number: return Self.real(value, type)?.isFinite ?? true
        case .text:
            let text = value.bindMemory(to: UInt8.self)
            return !text.contains { $0 < 0x20 || $0 == 0x7F } && UTF8Check.isValid(text)
        case .uuid: return type == 0 || value[6] >> 4 == 4 && value[8] >> 6 == 2
        }
    }

    private static func integer(_ bytes: UnsafeRawBufferPointer, _ type: Int64, at offset: Int) -> Int64? {
        guard let size = RowImage.Place.size(ofType: type), offset + size <= bytes.count,
            case .integer(let number) = RowImage.value(in: bytes, at: RowImage.Place(type: type, offset: offset))
        else { return nil }
        return number
    }

    private static func real(_ bytes: UnsafeRawBufferPointer, _ type: Int64) -> Double? {
        guard type == 7, case .real(let number) = RowImage.value(in: bytes, at: RowImage.Place(type: type, offset: 0))
        else { return nil }
        return number
    }
}

extension RowPattern {
    /// Looks for whole rows among bytes that no cell of a page uses.
    ///
    /// SQLite overwrites the first four bytes of a cell that becomes a free block: the size, the row's number, and often
    /// the beginning of the record, whose types from `Z_ENT` on stay. It cuts new cells from the end of a free block.
    /// - Parameter body: is handed each, whether the size of its cell, or of the free block that the cell became, is the
    ///   row's, and where the cell is, as far as it is known.
    func forEachRow(
        in page: [UInt8], _ area: Range<Int>, usableSize: Int,
        _ body: (_ row: RowImage, _ hasSize: Bool, _ cell: Range<Int>) -> Void
    ) {
        page.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<area.upperBound])
            // What is left of a cell begins four bytes after it.
            var offset = area.lowerBound + 4
            while offset < bytes.count {
                guard isEntityType[Int(bytes[offset])], let found = row(bytes, typesAt: offset, area, usableSize) else {
                    offset += 1
                    continue
                }
                body(found.row, found.hasSize, found.cell)
                offset = found.hasSize ? found.cell.upperBound : offset + 1
            }
        }
    }

    private func row(
        _ bytes: UnsafeRawBufferPointer, typesAt start: Int, _ area: Range<Int>, _ usableSize: Int
    ) -> (row: RowImage, hasSize: Bool, cell: Range<Int>)? {
        for count in (fewest...kinds.count).reversed() {
            guard let (values, end) = plausibleRow(bytes, typesAt: start, count: count) else { continue }
            let record = Self.head(ofTypes: values - start) + Array(bytes[start..<end])
            guard BTreePage.localSize(ofRecord: record.count, usableSize: usableSize) == record.count else { continue }
            let number = number(of: record, typesAt: start, bytes, area)
            // Without the size of its cell nobody can tell that a row has fewer columns.
            guard number != nil || count == kinds.count else { continue }
            return (RowImage(number: number?.row ?? 0, record: record), number != nil, (number?.cell ?? start)..<end)
        }
        return nil
    }

    /// The size of a record's head, and the type of `Z_PK`.
    private static func head(ofTypes count: Int) -> [UInt8] {
        [UInt8](varint: count + (count + 2 < 0x80 ? 2 : 3)) + [0]
    }

    /// The number of a row whose cell the bytes before its types are those of, or 0 where it was overwritten, and where the
    /// cell begins; nil if the size of the cell, or of the free block that it became, is another one.
    private func number(
        of record: [UInt8], typesAt start: Int, _ bytes: UnsafeRawBufferPointer, _ area: Range<Int>
    ) -> (row: Int64, cell: Int)? {
        let size = [UInt8](varint: record.count)
        let head = record.prefix(record[0] < 0x80 ? 2 : 3)
        let beginning = start - head.count
        for numberSize in 1...9 {
            let cell = beginning - numberSize - size.count
            guard cell >= area.lowerBound else { return nil }
            guard zip(beginning..., head).allSatisfy({ $0 < cell + 4 || bytes[$0] == $1 }) else { continue }
            let sizeOfBlock = Int(bytes[cell + 2]) << 8 | Int(bytes[cell + 3])
            if sizeOfBlock == size.count + numberSize + record.count { return (0, cell) }
            if bytes[cell...].starts(with: size), bytes[beginning...].starts(with: head),
                let (number, end) = bytes.varint(at: cell + size.count), end == beginning, number > 0
            {
                return (number, cell)
            }
        }
        return nil
    }
}
