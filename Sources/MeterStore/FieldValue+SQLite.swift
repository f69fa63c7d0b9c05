package import CoreDataStore
internal import Foundation
package import MeterModel
internal import Texts

extension FieldValue {
    /// The value of a column, as SQLite has it.
    package init(_ row: SQLiteRow, _ column: Int) { self.init(row[column]) }

    /// A copy of a value.
    package init(_ value: SQLiteRow.Value) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .blob(let bytes): self = .blob(Array(bytes))
        case .text(let bytes):
            self =
                UTF8Check.isValid(bytes)
                ? .text(String(decoding: bytes, as: UTF8.self)) : .malformedText(Array(bytes))
        }
    }

    /// The value to bind, with every byte it was read with.
    package var binding: SQLiteBinding {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        case .malformedText(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

extension SQLiteRow {
    /// Whether the value of a column equals `value`; makes no object.
    package func holds(_ value: FieldValue, at column: Int) -> Bool {
        switch (self[column], value) {
        case (.null, .null): true
        case (.text(let bytes), .text(let text)): Self.isEqual(bytes, text)
        case (.text(let bytes), .malformedText(let expected)), (.blob(let bytes), .blob(let expected)):
            expected.withUnsafeBytes { Self.isEqual(bytes, $0) }
        case (.integer, .integer), (.real, .real), (.integer, .real), (.real, .integer):
            FieldValue(self, column) == value
        default: false
        }
    }

    /// Whether the value of a column equals that of a column of another row; makes no object for a text or a blob.
    package func holds(_ other: SQLiteRow, _ otherColumn: Int, at column: Int) -> Bool {
        switch (self[column], other[otherColumn]) {
        case (.null, .null): true
        case (.text(let bytes), .text(let expected)), (.blob(let bytes), .blob(let expected)):
            Self.isEqual(bytes, UnsafeRawBufferPointer(expected))
        case (.integer, .integer), (.real, .real), (.integer, .real), (.real, .integer):
            FieldValue(self, column) == FieldValue(other, otherColumn)
        default: false
        }
    }

    /// Whether bytes are those of a text.
    static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: String) -> Bool {
        var text = text
        return bytes.count == text.utf8.count && text.withUTF8 { isEqual(bytes, UnsafeRawBufferPointer($0)) }
    }

    private static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ expected: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == expected.count, let start = bytes.baseAddress, let expectedStart = expected.baseAddress
        else { return bytes.count == expected.count }
        return memcmp(start, expectedStart, bytes.count) == 0
    }
}

extension RowImage {
    /// Its values, in the order of the table's columns; none if the record contradicts itself.
    package var values: [FieldValue] {
        var values: [FieldValue] = []
        forEachValue { _, value in values.append(FieldValue(value)) }
        return values
    }
}
