internal import LegacyKeyValue
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// An import as text: meter by meter what is filled, created and kept, and what cannot be used.
struct ImportText {
    /// The dump the values are from.
    struct Source {
        let dump: KeyValueDump
        let name: String
        let values: LegacyValues
    }

    private let report: Report
    /// Nil where a plan is carried out that was made from it.
    private let source: Source?
    private let style: Style
    private let showsAll: Bool
    /// The command that carries out the plan of a dry run, without the store, as words for a shell; nil where the plan was
    /// not written down.
    private let application: [String]?
    /// Lines of each kind that are shown without `--verbose`.
    private static let most = 40

    init(_ report: Report, _ source: Source?, _ style: Style, showsAll: Bool, application: [String]? = nil) {
        self.report = report
        self.source = source
        self.style = style
        self.showsAll = showsAll
        self.application = application
    }

    var lines: [String] {
        guard let plan = report.plan else { return [] }
        let sections = [
            headline, table { addChanges(plan, to: &$0) }, rejectLines(plan), respellings, outcome(plan) + next,
        ]
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// What to run after it.
    private var next: [String] {
        let word = ShellWord.quoted(report.store)
        let errors = report.findings.count { $0.severity == .error }
        var lines: [String] = []
        if report.outcome == .planned {
            lines.append(NextStep.line(application, on: report.store))
        } else if report.findings.contains(where: { $0.id == "duplicate-mac" }) {
            lines.append("meters of this store have several records; next: meterfix rebuild \(word)")
        }
        if errors > 0 {
            lines.append("\(Phrase.count(errors, "error")) in the store itself, see meterfix verify \(word)")
        }
        return lines
    }

    private var store: String { Escaped.text(report.store) }

    private var headline: [String] {
        guard let source else { return [] }
        let dump = source.dump
        let names = dump.entries.count { $0.dictionary == .meterNames }
        var text =
            "\(Escaped.text(source.name)): \(Escaped.text(dump.format.description)); \(Phrase.count(names, "name")), "
        text += Phrase.count(dump.entries.count - names, "unit")
        if source.values.empty > 0 { text += ", \(source.values.empty) of them empty" }
        if dump.ignoredKeys > 0 { text += "; \(Phrase.count(dump.ignoredKeys, "other key")) ignored" }
        return [style.bold(text)]
    }

    private func addChanges(_ plan: Plan, to rows: inout ShownRows) {
        for change in plan.changes {
            switch change {
            case .insert(let insertion):
                rows.add {
                    let fields = insertion.fields.filter { $0.rule == .legacyFill }.map(assignment)
                    return [mac(insertion.address), "new record, row \(insertion.row)", fields.joined(separator: ", ")]
                }
            case .update(let update):
                for field in update.fields where field.rule != .now {
                    rows.add { [mac(update.address), verb(field) + ", row \(update.row)", assignment(field)] }
                }
            case .delete, .schema, .metadata: break
            }
        }
        for conflict in plan.conflicts {
            guard let row = conflict.keptFrom, let dropped = conflict.dropped.first else { continue }
            let kind = conflict.field.kind
            rows.add {
                [
                    mac(conflict.address), "kept, row \(row)",
                    "\(conflict.field.name) \(Escaped.quoted(conflict.kept, kind)); the dump has "
                        + Escaped.quoted(dropped.value, kind),
                ]
            }
        }
    }

    private func verb(_ change: FieldChange) -> String {
        switch change.rule {
        case .legacyReplace: "replaced"
        case .newestNonEmpty: "taken from \(change.donor.map { "row \($0)" } ?? "another record")"
        default: "filled"
        }
    }

    private func assignment(_ change: FieldChange) -> String {
        let kind = change.field.kind
        let before = change.rule == .legacyReplace ? " instead of \(Escaped.quoted(change.before, kind))" : ""
        return "\(change.field.name) \(Escaped.quoted(change.after, kind))\(before)"
    }

    private func table(_ fill: (inout ShownRows) -> Void) -> [String] {
        var rows = ShownRows(most: showsAll ? .max : Self.most)
        fill(&rows)
        return rows.table.lines(indent: "  ", style)
            + (rows.rest > 0 ? ["  … and \(rows.rest) more, see --verbose or --json"] : [])
    }

    /// The first rows of a table, and how many more there are; those are not even made.
    private struct ShownRows {
        let most: Int
        private(set) var table = TextTable()
        private(set) var rest = 0
        private var count = 0

        init(most: Int) { self.most = most }

        mutating func add(_ row: () -> [String]) {
            if count < most {
                count += 1
                table.add(row())
            } else {
                rest += 1
            }
        }
    }

    private func rejectLines(_ plan: Plan) -> [String] {
        guard !plan.rejects.isEmpty else { return [] }
        let rows = table { rows in
            for reject in plan.rejects {
                rows.add {
                    [
                        reject.dictionary.rawValue, "\"\(Escaped.text(reject.key))\"", reject.reason.rawValue,
                        reject.reason.explanation + value(of: reject),
                    ]
                }
            }
        }
        let count = Phrase.count(plan.rejects.count, "entry", "entries")
        return [style.severity(.warning, "cannot be used: \(count)")] + rows
    }

    private func value(of reject: Reject) -> String {
        switch reject.value {
        case .text(let text): ": \"\(Escaped.text(text))\""
        case .malformedText: ": \(reject.value.kind)"
        case .null, .bool, .integer, .real, .date, .data, .reference, .list, .dictionary: ""
        }
    }

    /// What was understood though it was written otherwise.
    private var respellings: [String] {
        guard let values = source?.values else { return [] }
        let units = values.meters.count { $0.unit?.isRespelled == true }
        let names = values.meters.count { $0.name?.isRespelled == true }
        var lines: [String] = []
        if units > 0 { lines.append("\(Phrase.count(units, "unit")) written otherwise, such as °C, understood") }
        if names > 0 { lines.append("white space around \(Phrase.count(names, "name")) taken off") }
        return lines
    }

    private func outcome(_ plan: Plan) -> [String] {
        let summary = plan.summary
        let numbers =
            "\(Phrase.count(summary.updated, "record")) updated, \(summary.inserted) created, "
            + "\(Phrase.count(plan.conflicts.count, "conflict")), \(summary.rejects) rejected"
        switch report.outcome {
        case .unchanged, .stale, nil: return [style.good("nothing to do: \(numbers)")]
        case .planned:
            let made = report.createdStore ? ", in a new store" : ""
            return ["planned: \(numbers)\(made)"]
        case .applied:
            var lines = [style.good("done: \(numbers)")]
            if report.createdStore { lines.append("created \(store)") }
            if let backup = report.backup { lines.append("backup: \(Escaped.text(backup))") }
            return lines
        }
    }

    private func mac(_ address: MACAddress) -> String { address.text(in: report.letterCase) }
}
