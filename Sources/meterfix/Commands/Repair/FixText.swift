internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The cures of findings: what they do to which records and numbers, and what is left.
extension ChangeResult {
    /// Records and numbers of each kind that are shown without `--verbose`.
    private static let most = 20

    /// - Parameters:
    ///   - cures: what `fix` was asked for.
    ///   - filter: of which meters.
    func blocks(of cures: [FixableCheck], _ filter: MeterFilter, _ times: ShownTimes) -> [Block] {
        let plan = report.plan
        return deletions(plan, times) + updates(of: plan.meters, times) + numbers(plan, times)
            + plan.notes.map { .note(.warning, "\(times.sentence($0))") }
            + [.group(ending(plan.numbersOfFixes, nothing: nothing(Phrase.list(cures.map(\.absence)), cures, filter)))]
            + left(cures, filter, times)
    }

    /// What is left of what was asked for, where nothing has said why.
    private func left(_ cures: [FixableCheck], _ filter: MeterFilter, _ times: ShownTimes) -> [Block] {
        guard filter == .all, report.plan.notes.isEmpty else { return [] }
        let ids = cures.map(\.rawValue)
        return report.remaining(report.findings.filter { ids.contains($0.id) }, times)
    }

    private func deletions(_ plan: Plan, _ times: ShownTimes) -> [Block] {
        let deletions = plan.cloudDeletions
        guard !deletions.isEmpty else { return [] }
        let shown = ShownPart(of: deletions, most: Self.most, showsAll: times.showsAll)
        let rows: [[Block.Cell]] = shown.elements.map {
            [.text($0.entity), "row \($0.row)", $0.cloudRecord.map { .code($0) } ?? "unnamed"]
        }
        return [
            .heading("\(report.store): \(Phrase.count(deletions.count, "record")) in CloudKit without a row here"),
            .table(.init(["entity", "row", "CloudKit record"], rows: rows)),
        ] + shown.remark
    }

    func updates(of meters: [MeterPlan], _ times: ShownTimes) -> [Block] {
        let updates = meters.flatMap { meter in meter.records.map { (meter, $0) } }
        let shown = ShownPart(of: updates, most: Self.most, showsAll: times.showsAll)
        return shown.elements.flatMap { blocks(of: $1, $0, times) } + shown.remark
    }

    /// Core Data's numbers, the marker, and what another tool added.
    func numbers(_ plan: Plan, _ times: ShownTimes) -> [Block] {
        var rows = ShownRows(most: times.showsAll ? .max : Self.most)
        var foreign = rows
        for change in plan.schemaChanges {
            switch change {
            case .lastRow(let entity, _, let before, let after):
                rows.add(["Z_MAX of \(entity)", "\(before)", "→", "\(after)"])
            case .entityNumber(let table, let row, let before, let after):
                rows.add([
                    "Z_ENT of row \(row) of \(table)", "\(before.map { "\($0)" } ?? "no number")", "→", "\(after)",
                ])
            case .remakeIndex(let name, let table):
                rows.add(["the index \(name) of \(table)", "damaged", "→", "made again"])
            case .dropForeign(let kind, let name, let table, _):
                foreign.add([kind == .index ? "unique index" : "trigger", .text(name), "of", .text(table)])
            case .dropIndex, .addColumn, .createTable, .createIndex, .addEntity, .modelCache: break
            }
        }
        for change in plan.metadataChanges {
            guard change.key == RebuildMarker.key, case .number(let after) = change.after else { continue }
            let before = if case .number(let number)? = change.before { "\(number)" } else { "none" }
            rows.add([.text(change.key), .text(before), "→", "\(after)"])
        }
        return headed("what another tool added is dropped", foreign.blocks)
            + headed("numbers and markers beside the records", rows.blocks)
    }

    private func headed(_ heading: String, _ blocks: [Block]) -> [Block] {
        blocks.isEmpty ? [] : [.heading("\(report.store): \(heading)")] + blocks
    }

    /// Why there is nothing to do.
    func nothing(_ absence: String, _ cures: [FixableCheck], _ filter: MeterFilter) -> Inline {
        guard report.plan.notes.isEmpty else { return "nothing can be done yet" }
        let left = cures.map(\.rawValue).filter(report.findings.ids.contains)
        guard !left.isEmpty else { return .tone(.good, "nothing to do: \(absence)") }
        guard filter == .all else { return "nothing to do for the meters asked for" }
        return "fix can do nothing about \(Phrase.list(left)) here: see below what to do"
    }
}

extension Plan {
    /// What cures change.
    var numbersOfFixes: String {
        let lastRows = schemaChanges.count { if case .lastRow = $0 { true } else { false } }
        let entityNumbers = schemaChanges.count { if case .entityNumber = $0 { true } else { false } }
        let indexes = schemaChanges.count { if case .remakeIndex = $0 { true } else { false } }
        let foreign = schemaChanges.count { if case .dropForeign = $0 { true } else { false } }
        var parts = schemaChanges.contains(where: \.isOfModel) ? ["the schema migrated"] : []
        if indexes > 0 { parts.append("\(Phrase.count(indexes, "index", "indexes")) made again") }
        if summary.deleted > 0 {
            parts.append(summary.numbers)
        } else if summary.updated > 0 {
            parts.append("\(Phrase.count(summary.updated, "record")) updated")
        }
        if !cloudDeletions.isEmpty {
            parts.append("\(Phrase.count(cloudDeletions.count, "delete")) for CloudKit written into the history")
        }
        if entityNumbers > 0 { parts.append("\(Phrase.count(entityNumbers, "entity number")) corrected") }
        if foreign > 0 { parts.append("\(Phrase.count(foreign, "index or trigger", "indexes or triggers")) dropped") }
        if lastRows > 0 { parts.append("\(Phrase.count(lastRows, "last row number")) raised") }
        if metadataChanges.contains(where: { $0.key == RebuildMarker.key }) { parts.append("the rebuild marker set") }
        if summary.updated == 0, summary.deleted == 0, entityNumbers == 0 { parts.append("no row touched") }
        return parts.joined(separator: ", ")
    }
}
