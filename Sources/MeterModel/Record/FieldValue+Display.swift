extension FieldValue {
    /// The value as a person reads it, without quotes; empty for NULL. Control characters are as they are: who shows
    /// it escapes them.
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
            let hex = Hexadecimal.text(of: bytes)
            guard kind == .uuid, bytes.count == 16 else { return hex }
            // 8-4-4-4-12, in upper case as Foundation prints it.
            let digits = Array(hex.uppercased())
            let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            return groups.map { String(digits[$0]) }.joined(separator: "-")
        }
    }
}
