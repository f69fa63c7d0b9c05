extension FieldValue {
    /// The value for a person, without quotes; empty for NULL. Control characters are not escaped: that is up to
    /// whoever shows it.
    package func display(as kind: FieldKind) -> String {
        switch self {
        case .null: return ""
        case .integer(let value):
            if kind == .date, let timestamp { return timestamp.description }
            return String(value)
        case .real(let value):
            if kind == .date, let timestamp { return timestamp.description }
            return String(value)
        case .text(let text): return text
        case .malformedText(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes):
            return kind == .uuid && bytes.count == 16 ? Hexadecimal.uuidText(of: bytes) : Hexadecimal.text(of: bytes)
        }
    }
}
