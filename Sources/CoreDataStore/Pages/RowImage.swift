internal import Foundation

/// A row of a table as one version of its page has it, in SQLite's record format
/// (https://www.sqlite.org/fileformat2.html#record_format): read without SQLite, from pages that SQLite would not show.
package struct RowImage: Hashable, Sendable {
    /// SQLite's rowid: `Z_PK` in the tables of Core Data, whose own column then is NULL.
    package let number: Int64
    let record: [UInt8]

    /// Where a value is, and of which serial type.
    struct Place: Hashable, Sendable {
        let type: Int64
        let offset: Int

        /// Bytes; nil for the types that are reserved.
        static func size(ofType type: Int64) -> Int? {
            switch type {
            case 0, 8, 9: 0
            case 1...4: Int(type)
            case 5: 6
            case 6, 7: 8
            case 12...: Int((type - 12) / 2)
            default: nil
            }
        }
    }

    /// One for each value, in the order of the table's columns; nil if the record contradicts itself.
    var places: [Place]? {
        record.withUnsafeBytes { bytes in
            guard let (headerSize, start) = bytes.varint(at: 0), let end = Int(exactly: headerSize),
                end >= start, end <= bytes.count
            else { return nil }
            var places: [Place] = []
            var (position, offset) = (start, end)
            while position < end {
                guard let (type, next) = bytes.varint(at: position), next <= end,
                    let size = Place.size(ofType: type), size <= bytes.count - offset
                else { return nil }
                places.append(Place(type: type, offset: offset))
                (position, offset) = (next, offset + size)
            }
            return position == end && offset == bytes.count ? places : nil
        }
    }

    /// Hands each value to `body`, with the index of its column. A row that is older than a column has no value there.
    /// - Returns: false if the record contradicts itself; then `body` was not called.
    @discardableResult
    package func forEachValue(_ body: (_ column: Int, SQLiteRow.Value) -> Void) -> Bool {
        guard let places else { return false }
        record.withUnsafeBytes { bytes in
            for (column, place) in places.enumerated() { body(column, Self.value(in: bytes, at: place)) }
        }
        return true
    }

    /// What `body` makes of the value in a column; nil without such a column.
    private func value<Result>(_ column: Int, _ body: (SQLiteRow.Value) -> Result?) -> Result? {
        guard let places, places.indices.contains(column) else { return nil }
        return record.withUnsafeBytes { body(Self.value(in: $0, at: places[column])) }
    }

    /// A number in a column; nil for anything else.
    package func integer(_ column: Int) -> Int64? {
        value(column) { if case .integer(let value) = $0 { value } else { nil } }
    }

    /// A number in a column, whole or not; nil for anything else.
    func real(_ column: Int) -> Double? {
        value(column) { value in
            switch value {
            case .integer(let value): Double(value)
            case .real(let value): value
            case .null, .text, .blob: nil
            }
        }
    }

    /// A text in a column; nil for anything else. Bytes that are not UTF-8 become U+FFFD.
    func text(_ column: Int) -> String? {
        value(column) { if case .text(let text) = $0 { String(decoding: text, as: UTF8.self) } else { nil } }
    }

    /// The bytes of a BLOB in a column; nil for anything else.
    func blob(_ column: Int) -> [UInt8]? {
        value(column) { if case .blob(let bytes) = $0 { Array(bytes) } else { nil } }
    }

    /// The columns whose values differ, in ascending order; nil if one of the two contradicts itself.
    func columnsDiffering(from other: RowImage) -> [Int]? {
        guard let places, let otherPlaces = other.places else { return nil }
        return (0..<max(places.count, otherPlaces.count)).filter { column in
            // A row that is older than a column has NULL there.
            let (place, otherPlace) = (
                places.indices.contains(column) ? places[column] : Place(type: 0, offset: 0),
                otherPlaces.indices.contains(column) ? otherPlaces[column] : Place(type: 0, offset: 0)
            )
            guard place.type == otherPlace.type, let size = Place.size(ofType: place.type) else { return true }
            return record[place.offset..<place.offset + size]
                != other.record[otherPlace.offset..<otherPlace.offset + size]
        }
    }

    /// - Parameter place: in bounds, of a type that is not reserved.
    static func value(in bytes: UnsafeRawBufferPointer, at place: Place) -> SQLiteRow.Value {
        func text() -> UnsafeBufferPointer<UInt8> {
            let size = Place.size(ofType: place.type) ?? 0
            return UnsafeRawBufferPointer(rebasing: bytes[place.offset..<place.offset + size]).bindMemory(
                to: UInt8.self)
        }
        switch place.type {
        case 1...6:
            let size = Place.size(ofType: place.type) ?? 0
            var number = Int64(Int8(bitPattern: bytes[place.offset]))
            for index in 1..<max(size, 1) { number = number << 8 | Int64(bytes[place.offset + index]) }
            return .integer(number)
        case 7:
            let bits = bytes.loadUnaligned(fromByteOffset: place.offset, as: UInt64.self)
            return .real(Double(bitPattern: UInt64(bigEndian: bits)))
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 12...: return place.type % 2 == 0 ? .blob(text()) : .text(text())
        default: return .null
        }
    }
}

/// SQLite's numbers of one to nine bytes (https://www.sqlite.org/fileformat2.html#varint).
extension UnsafeRawBufferPointer {
    /// The number, and the offset of what follows; nil if it does not end within the bytes.
    func varint(at offset: Int) -> (value: Int64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard offset + index < count else { return nil }
            let byte = self[offset + index]
            guard index < 8 else { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return (Int64(bitPattern: value), offset + index + 1) }
        }
        return nil
    }
}

extension [UInt8] {
    /// The shortest form of a number.
    init(varint number: Int) {
        self = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            insert(UInt8(rest & 0x7F | 0x80), at: 0)
            rest >>= 7
        }
    }
}
