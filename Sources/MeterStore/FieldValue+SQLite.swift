package import CoreDataStore
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
            if let text = String(validating: bytes, as: UTF8.self) {
                self = .text(text)
            } else {
                self = .malformedText(Array(bytes))
            }
        }
    }

    /// The value to bind, with every byte it was read with.
    package var binding: SQLiteBinding {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .text(Array(value.utf8))
        case .malformedText(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}
