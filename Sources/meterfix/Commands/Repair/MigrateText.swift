internal import Answer
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import Texts

/// A migration: each statement, what differs afterwards, the version hashes, and the proof that no row did.
extension ChangeResult {
    func blocksOfMigration(_ times: ShownTimes) -> [Block] {
        let plan = report.plan
        let isUnchanged = report.outcome == .unchanged
        let schema = report.schemaVersion.map { ", schema v\($0)\(isUnchanged ? "" : " after this")" } ?? ""
        var blocks: [Block] = [
            .heading("\(report.store): \(Phrase.count(report.summary.records, "record"))\(schema)"),
            .list(plan.notes.map { "\($0)" }),
        ]
        if !isUnchanged {
            blocks.append(.section("the steps, in one transaction", [.list(steps(plan), marker: .number)]))
            let schema = schemaLines(plan)
            if !schema.isEmpty { blocks.append(.section("the schema", [.code(schema)])) }
            blocks += .section("the version hashes", hashes(plan))
            blocks += .section("the rows", tables(showsAll: times.showsAll))
        }
        let outcome = ending(
            "\(Phrase.count(plan.changeCount, "change")) to the schema and the metadata, no row touched",
            nothing: .tone(.good, "nothing to do: the schema is correct"))
        return blocks + [.group(outcome)] + report.remaining(times)
    }

    /// The statements that change the schema and the metadata.
    func steps(_ plan: Plan) -> [Inline] {
        var steps: [Inline] = []
        for change in plan.schemaChanges where change.isOfModel {
            let step = Inline.code(change.statement)
            switch change {
            case .modelCache: steps.append("\(step)  -- the model, compressed")
            case .addEntity(let number, let name, _): steps.append("\(step)  -- \(name), number \(number)")
            case .dropIndex, .dropForeign, .addColumn, .createTable, .createIndex, .remakeIndex, .lastRow,
                .entityNumber:
                steps.append(step)
            }
        }
        let keys = plan.metadataChanges.map(\.key)
        if !keys.isEmpty {
            steps.append("\(.code("UPDATE Z_METADATA SET Z_PLIST = ?"))  -- \(keys.joined(separator: ", "))")
        }
        return steps
    }

    private func schemaLines(_ plan: Plan) -> [String] {
        var lines: [String] = []
        for change in plan.schemaChanges {
            switch change {
            case .dropIndex(let name, let table, let sql):
                lines.append("removed: " + (sql ?? "INDEX \(name) ON \(table)"))
            case .addColumn(let table, let column, let type): lines.append("added: \(column) \(type) to \(table)")
            case .createTable, .createIndex: lines.append("added: " + change.statement)
            case .dropForeign, .remakeIndex, .addEntity, .modelCache, .lastRow, .entityNumber: break
            }
        }
        return lines
    }

    private func hashes(_ plan: Plan) -> [Block] {
        guard let change = plan.metadataChanges.first(where: { if case .hashes = $0.after { true } else { false } }),
            case .hashes(let after) = change.after
        else { return [] }
        var before: [String: [UInt8]] = [:]
        if case .hashes(let hashes)? = change.before { before = hashes }
        let changed = after.sorted(byBytesOf: \.key).filter { before[$0.key] != $0.value }
        let rows: [[Block.Cell]] = changed.map { name, hash in
            [.text(name), .code(before[name].map(Self.start) ?? "none"), "→", .code(Self.start(of: hash))]
        }
        let rest = after.count - rows.count
        let blocks: [Block] = rows.isEmpty ? [] : [.table(.init(rows: rows))]
        return blocks + (rest > 0 ? [.remark("\(Phrase.count(rest, "other")) the same")] : [])
    }

    /// Enough of a hash to recognise it, in hex.
    private static func start(of hash: [UInt8]) -> String { Hexadecimal.text(of: Array(hash.prefix(8))) + "…" }

    private func tables(showsAll: Bool) -> [Block] {
        guard !report.tables.isEmpty else { return [] }
        let rows = report.tables.reduce(0) { $0 + $1.rows }
        var blocks: [Block] = [
            "\(Phrase.count(rows, "row")) in \(Phrase.count(report.tables.count, "table")): the same before and after"
        ]
        if showsAll {
            let rows: [[Block.Cell]] = report.tables.map {
                [.text($0.name), .number("\($0.rows)"), .code(Self.start(of: $0.after))]
            }
            blocks.append(.table(.init(rows: rows)))
        }
        return blocks
    }
}
