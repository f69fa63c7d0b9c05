internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A migration as text: each statement, what differs afterwards, the version hashes, and the proof that no row did.
struct MigrateText {
    private let report: Report
    private let style: Style
    private let showsAll: Bool
    /// The command that does what the dry run said, without the store, as words for a shell.
    private let command: [String]

    init(_ report: Report, _ style: Style, showsAll: Bool, command: [String]) {
        self.report = report
        self.style = style
        self.showsAll = showsAll
        self.command = command
    }

    var lines: [String] {
        guard let plan = report.plan else { return [] }
        let isUnchanged = report.outcome == .unchanged
        let schema = report.schemaVersion.map { ", schema v\($0)\(isUnchanged ? "" : " after this")" } ?? ""
        var lines = [
            style.bold("\(Escaped.text(report.store)): \(Phrase.count(report.summary.records, "record"))\(schema)")
        ]
        lines += plan.notes.map { "  \(Escaped.text($0))" }
        if !isUnchanged {
            lines += section("the steps, in one transaction", steps(plan))
            lines += section("the schema", schemaLines(plan))
            lines += section("the version hashes", hashLines(plan))
            lines += section("the rows", tableLines)
        }
        lines += [""] + outcome(plan)
        return lines + VerifyText.remaining(report, style, showsAll: showsAll)
    }

    private func section(_ title: String, _ body: [String]) -> [String] {
        body.isEmpty ? [] : ["", style.bold(title)] + body.map { "  \($0)" }
    }

    private func steps(_ plan: Plan) -> [String] {
        var steps: [String] = []
        for case .schema(let change) in plan.changes {
            var step = Escaped.text(change.statement)
            switch change {
            case .modelCache: step += "  -- the model, compressed"
            case .addEntity(let number, let name, _): step += "  -- \(Escaped.text(name)), number \(number)"
            default: break
            }
            steps.append(step)
        }
        let keys = metadataChanges(plan).map(\.key)
        if !keys.isEmpty { steps.append("UPDATE Z_METADATA SET Z_PLIST = ?  -- \(keys.joined(separator: ", "))") }
        return steps.enumerated().map { "\($0.offset + 1). \($0.element)" }
    }

    private func schemaLines(_ plan: Plan) -> [String] {
        var lines: [String] = []
        for case .schema(let change) in plan.changes {
            switch change {
            case .dropIndex(let name, let table, let sql):
                lines.append("- " + Escaped.text(sql ?? "INDEX \(name) ON \(table)"))
            case .addColumn(let table, let column, let type):
                lines.append("+ " + Escaped.text("\(table): \(column) \(type)"))
            case .createTable, .createIndex: lines.append("+ " + Escaped.text(change.statement))
            case .addEntity, .modelCache: break
            }
        }
        return lines
    }

    private func hashLines(_ plan: Plan) -> [String] {
        guard let change = metadataChanges(plan).first(where: { if case .hashes = $0.after { true } else { false } }),
            case .hashes(let after) = change.after
        else { return [] }
        var before: [String: [UInt8]] = [:]
        if case .hashes(let hashes)? = change.before { before = hashes }
        var table = TextTable()
        for (name, hash) in after.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        where before[name] != hash {
            table.add([Escaped.text(name), before[name].map(Self.start) ?? "none", "→", Self.start(of: hash)])
        }
        let rest = after.count { before[$0.key] == $0.value }
        return table.lines(indent: "", style) + (rest > 0 ? ["\(Phrase.count(rest, "other")) the same"] : [])
    }

    /// Enough of a hash to recognise it, in hex.
    private static func start(of hash: [UInt8]) -> String { Hexadecimal.text(of: hash.prefix(8)) + "…" }

    private var tableLines: [String] {
        guard !report.tables.isEmpty else { return [] }
        let rows = report.tables.reduce(0) { $0 + $1.rows }
        var lines = [
            "\(Phrase.count(rows, "row")) in \(Phrase.count(report.tables.count, "table")): the same before and after"
        ]
        if showsAll {
            var table = TextTable()
            for contents in report.tables {
                table.add([Escaped.text(contents.name), "\(contents.rows)", Self.start(of: contents.after)])
            }
            lines += table.lines(indent: "  ", style)
        }
        return lines
    }

    private func metadataChanges(_ plan: Plan) -> [MetadataChange] {
        plan.changes.compactMap { if case .metadata(let change) = $0 { change } else { nil } }
    }

    private func outcome(_ plan: Plan) -> [String] {
        guard report.outcome != .unchanged else { return [style.good("nothing to do: the schema is as it should be")] }
        let numbers = "\(Phrase.count(plan.changes.count, "change")) of the schema and the metadata, no row touched"
        var lines = [report.outcome == .planned ? "planned: \(numbers)" : style.good("done: \(numbers)")]
        if let backup = report.backup { lines.append("backup: \(Escaped.text(backup))") }
        if report.outcome == .planned {
            lines.append(NextStep.line(command, on: report.store))
        }
        return lines
    }
}
