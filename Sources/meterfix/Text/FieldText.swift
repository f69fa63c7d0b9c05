internal import Answer
internal import MeterInspect
internal import MeterModel

/// A stored value as a person reads it.
enum FieldText {
    /// A dash for NULL, quotes around mere white space.
    static func value(_ value: FieldValue, _ kind: FieldKind) -> String {
        guard !value.isNull else { return "–" }
        let shown = value.display(as: kind)
        return value.isEmpty ? "\"\(shown)\"" : shown
    }

    /// The same in quotes, where white space and emptiness must be seen.
    static func quoted(_ value: FieldValue, _ kind: FieldKind) -> String { value.quoted(as: kind) }

    static func cell(_ value: FieldValue, _ kind: FieldKind) -> Block.Cell {
        Block.Cell(self.value(value, kind), kind == .date && !value.isNull ? .moment : .text)
    }
}
