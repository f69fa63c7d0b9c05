package import CoreDataStore
internal import Foundation
package import MeterModel

extension FieldValue {
    /// The value of a column as SQLite has it.
    package init(_ row: SQLiteRow, _ column: Int) {
        switch row.storageClass(column) {
        case .null: self = .null
        case .integer: self = .integer(row.integer(column))
        case .real: self = .real(row.real(column))
        case .blob: self = .blob(Array(row.bytes(column)))
        case .text:
            let bytes = row.bytes(column)
            self =
                UTF8Text.isValid(bytes)
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
    /// Whether a column has a value that equals `value`; makes no object.
    package func holds(_ value: FieldValue, at column: Int) -> Bool {
        switch (storageClass(column), value) {
        case (.null, .null): true
        case (.text, .text(var text)): text.withUTF8 { hasBytes(UnsafeRawBufferPointer($0), at: column) }
        case (.text, .malformedText(let bytes)), (.blob, .blob(let bytes)):
            bytes.withUnsafeBytes { hasBytes($0, at: column) }
        case (.integer, .integer), (.real, .real), (.integer, .real), (.real, .integer):
            FieldValue(self, column) == value
        default: false
        }
    }

    private func hasBytes(_ expected: UnsafeRawBufferPointer, at column: Int) -> Bool {
        let bytes = bytes(column)
        guard bytes.count == expected.count, let start = bytes.baseAddress, let expectedStart = expected.baseAddress
        else { return bytes.count == expected.count }
        return memcmp(start, expectedStart, bytes.count) == 0
    }
}
