internal import MeterModel

extension FieldValue {
    /// The value in a message: text is quoted, but not escaped: control characters are escaped where it is printed.
    package var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "the number \(value)"
        case .real(let value): "the number \(value)"
        case .text(let value): "\"\(value)\""
        case .malformedText(let bytes): "\(bytes.count) bytes of text that is not UTF-8"
        case .blob(let bytes): "\(bytes.count) bytes that are not text"
        }
    }
}
