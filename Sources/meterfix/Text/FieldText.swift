internal import Answer
internal import MeterInspect
internal import MeterModel

/// A stored value as a person reads it.
enum FieldText {
    /// A dash for NULL, quotes around mere white space.
    static func value(_ value: FieldValue, _ kind: FieldKind = .text) -> String {
        guard !value.isNull else { return "–" }
        let shown = value.display(as: kind)
        return value.isEmpty ? "\"\(shown)\"" : shown
    }

    /// The same in quotes, where white space and emptiness must be seen.
    static func quoted(_ value: FieldValue, _ kind: FieldKind = .text) -> String { value.quoted(as: kind) }

    /// Values of one attribute that are read beside one another, in quotes.
    static func quoted(_ values: [FieldValue], _ kind: FieldKind, _ times: ShownTimes) -> [String] {
        dates(values, kind, times) ?? values.map { quoted($0, kind) }
    }

    /// A text.
    static func cell(_ value: FieldValue) -> Block.Cell { .text(self.value(value)) }

    /// Values of one attribute that are read beside one another.
    static func cells(_ values: [FieldValue], _ kind: FieldKind, _ times: ShownTimes) -> [Block.Cell] {
        guard let dates = dates(values, kind, times) else { return values.map { .text(value($0, kind)) } }
        return zip(values, dates).map { $0.isNull ? .text($1) : .moment($1) }
    }

    /// Nil where they are no dates.
    private static func dates(_ values: [FieldValue], _ kind: FieldKind, _ times: ShownTimes) -> [String]? {
        guard kind == .date else { return nil }
        var shown = times.short(values.compactMap(\.timestamp))[...]
        return values.map { $0.timestamp == nil ? value($0, kind) : shown.removeFirst() }
    }
}
