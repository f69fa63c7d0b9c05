internal import Answer
internal import MeterModel

/// How an answer names a meter: by its address, and beside it the name that the user gave it.
enum MeterLabel {
    /// Columns after which a name is cut.
    private static let widest = 32

    /// `A4:C1:38:0B:7E:21 "Kitchen"`.
    /// - Parameter name: nil, or only white space, where the meter has none.
    static func inline(_ mac: String, _ name: String?) -> Inline {
        guard let name = quoted(name) else { return .code(mac) }
        return "\(.code(mac)) \(name)"
    }

    /// The same in a table.
    static func cell(_ mac: String, _ name: String?) -> Block.Cell {
        quoted(name).map { .text("\(mac) \($0)") } ?? .code(mac)
    }

    /// `"Kitchen"`; nil where there is no name.
    static func quoted(_ name: String?) -> String? {
        guard let name, !FieldValue.text(name).isEmpty else { return nil }
        return "\"\(Escaped.start(of: name, columns: widest))\""
    }
}
