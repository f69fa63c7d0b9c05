internal import Answer
internal import MeterInspect
internal import MeterModel

/// A stored value as a person reads it.
enum FieldText {
    /// A dash for NULL, quotes around mere white space, and of bytes in the place of a text only how many they are.
    static func value(_ value: FieldValue, _ kind: FieldKind = .text) -> String {
        guard !value.isNull else { return "–" }
        if case .blob = value, kind == .text { return value.shown }
        let shown = value.display(as: kind)
        return value.isEmpty ? "\"\(shown)\"" : shown
    }

    /// Values of one attribute that are read beside one another, in quotes.
    static func quoted(_ values: [FieldValue], _ kind: FieldKind, _ times: ShownTimes) -> [String] {
        dates(values, kind, times) ?? values.map { $0.quoted(as: kind) }
    }

    static func quoted(_ delta: FieldDelta, _ times: ShownTimes) -> [String] {
        quoted([delta.before, delta.after], delta.field.kind, times)
    }

    /// `"Kitchen"`, cut where it is long; nil where there is no name, or only white space.
    static func name(_ name: String?) -> String? {
        guard let name, !FieldValue.text(name).isEmpty else { return nil }
        return "\"\(Escaped.start(of: name, columns: 32))\""
    }

    /// A text.
    static func cell(_ value: FieldValue) -> Block.Cell { .text(self.value(value)) }

    /// Values of one attribute that are read beside one another.
    static func cells(_ values: [FieldValue], _ kind: FieldKind, _ times: ShownTimes) -> [Block.Cell] {
        guard let dates = dates(values, kind, times) else { return values.map { .text(value($0, kind)) } }
        return zip(values, dates).map { $0.isNull ? .text($1) : times.cell($1) }
    }

    /// Nil where they are no dates.
    private static func dates(_ values: [FieldValue], _ kind: FieldKind, _ times: ShownTimes) -> [String]? {
        guard kind == .date else { return nil }
        var shown = times.short(values.compactMap(\.timestamp))[...]
        return values.map { $0.timestamp == nil ? value($0, kind) : shown.removeFirst() }
    }
}

extension Inline {
    /// - Parameter words: of a command, without the program and the store.
    static func command(_ words: String, on store: String) -> Inline {
        .code(StoreCommand(words, stores: [store]).description)
    }

    /// How an answer names a meter: `A4:C1:38:0B:7E:21 "Kitchen"`.
    /// - Parameter name: that the user gave it; nil, or only white space, where it has none.
    static func meter(_ mac: String, _ name: String?) -> Inline {
        FieldText.name(name).map { "\(.code(mac)) \($0)" } ?? .code(mac)
    }
}

extension Block.Cell {
    /// How a table names a meter.
    static func meter(_ mac: String, _ name: String?) -> Block.Cell {
        FieldText.name(name).map { .text("\(mac) \($0)") } ?? .code(mac)
    }
}

/// `row 3`, `rows 3 and 7`, `rows 3, 7 and 9`.
func rowList(_ rows: [Int64]) -> String {
    "\(rows.count > 1 ? "rows" : "row") \(rows.isEmpty ? "–" : Phrase.list(rows.map(String.init)))"
}

/// The part of a long list that is shown, and what is said of the rest.
struct ShownPart<Element> {
    let elements: ArraySlice<Element>
    /// How many are not shown.
    let rest: Int

    /// - Parameter most: how many are shown without `--verbose`.
    init(of elements: [Element], most: Int, showsAll: Bool) {
        self.elements = showsAll ? elements[...] : elements.prefix(most)
        rest = elements.count - self.elements.count
    }

    /// Nothing where all are shown.
    var remark: [Block] { Block.remark(onRest: rest) }
}

/// The first rows of a table, and how many more there are; those are not even made.
struct ShownRows {
    let most: Int
    private var rows: [[Block.Cell]] = []
    private var rest = 0

    init(most: Int) { self.most = most }

    mutating func add(_ row: @autoclosure () -> [Block.Cell]) {
        if rows.count < most { rows.append(row()) } else { rest += 1 }
    }

    /// Nothing where there are no rows.
    var blocks: [Block] { rows.isEmpty ? [] : [.table(.init(rows: rows))] + Block.remark(onRest: rest) }
}

extension Block {
    /// What is said of what is not shown; nothing where all is.
    static func remark(onRest rest: Int) -> [Block] { Inline.rest(rest).map(Block.remark) }
}

extension Inline {
    /// What is said of what is not shown; nothing where all is.
    /// - Parameter things: what there is more of, where that is not plain.
    static func rest(_ count: Int, of things: String? = nil) -> [Inline] {
        count > 0 ? ["… and \(count) more\(things.map { " \($0)" } ?? ""), see --verbose or --json"] : []
    }
}

extension Tone {
    init(_ severity: Severity) {
        switch severity {
        case .error: self = .error
        case .warning: self = .warning
        case .note: self = .note
        }
    }
}
