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
    ///   - isAll: whether as all that lose nothing.
    func blocks(of cures: [FixableCheck], isAll: Bool, _ times: ShownTimes) -> [Block] {
        let plan = report.plan
        return deletions(plan, times) + updates(plan, times) + numbers(plan, times)
            + plan.notes.map { .note(.warning, "\(times.sentence($0))") }
            + [.group(ending(summary(of: plan), nothing: nothing(plan, cures, isAll: isAll)))]
            + (isAll ? left(times) : [])
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

    private func updates(_ plan: Plan, _ times: ShownTimes) -> [Block] {
        let updates = plan.meters.flatMap { meter in meter.records.map { (meter, $0) } }
        let shown = ShownPart(of: updates, most: Self.most, showsAll: times.showsAll)
        return shown.elements.flatMap { blocks(of: $1, $0, times) } + shown.remark
    }

    /// Core Data's numbers, and the marker.
    private func numbers(_ plan: Plan, _ times: ShownTimes) -> [Block] {
        var rows = ShownRows(most: times.showsAll ? .max : Self.most)
        for change in plan.schemaChanges {
            switch change {
            case .lastRow(let entity, _, let before, let after):
                rows.add(["Z_MAX of \(entity)", "\(before)", "→", "\(after)"])
            case .entityNumber(let table, let row, let before, let after):
                rows.add([
                    "Z_ENT of row \(row) of \(table)", "\(before.map { "\($0)" } ?? "no number")", "→", "\(after)",
                ])
            case .dropIndex, .addColumn, .createTable, .createIndex, .addEntity, .modelCache: break
            }
        }
        for change in plan.metadataChanges {
            rows.add([.text(change.key), .text(Self.shown(change.before)), "→", .text(Self.shown(change.after))])
        }
        let blocks = rows.blocks
        return blocks.isEmpty
            ? [] : [.heading("\(report.store): numbers and markers beside the records")] + blocks
    }

    private static func shown(_ value: MetadataChange.Value?) -> String {
        if case .number(let number)? = value { "\(number)" } else { "none" }
    }

    private func nothing(_ plan: Plan, _ cures: [FixableCheck], isAll: Bool) -> Inline {
        guard plan.notes.isEmpty else { return "nothing can be done yet" }
        guard !report.hasFindings(of: cures) else { return "nothing to do for the meters asked for" }
        let absence = isAll ? "no finding that fix --all can fix" : Phrase.list(cures.map(\.absence))
        return .tone(.good, "nothing to do: \(absence)")
    }

    private func summary(of plan: Plan) -> String {
        let lastRows = plan.schemaChanges.count { if case .lastRow = $0 { true } else { false } }
        let entityNumbers = plan.schemaChanges.count { if case .entityNumber = $0 { true } else { false } }
        var parts: [String] = []
        if plan.summary.updated > 0 { parts.append("\(Phrase.count(plan.summary.updated, "record")) updated") }
        if plan.cloud.deletes > 0 {
            parts.append("\(Phrase.count(plan.cloud.deletes, "delete")) for CloudKit written into the history")
        }
        if entityNumbers > 0 { parts.append("\(Phrase.count(entityNumbers, "entity number")) corrected") }
        if lastRows > 0 { parts.append("\(Phrase.count(lastRows, "last row number")) raised") }
        if !plan.metadataChanges.isEmpty { parts.append("the rebuild marker set") }
        if plan.summary.updated == 0 && entityNumbers == 0 { parts.append("no row touched") }
        return parts.joined(separator: ", ")
    }

    /// What `fix --all` leaves, and what of it only a name carries out.
    private func left(_ times: ShownTimes) -> [Block] {
        // Those that this store takes.
        let named = Set(report.findings.byCheck.compactMap(\.first).filter { $0.cure.command != nil }.map(\.id))
        let optIn = FixableCheck.allCases.filter { $0.isOptIn && named.contains($0.rawValue) }.map(\.rawValue)
        let remark: [Block] =
            optIn.isEmpty
            ? []
            : [.remark("(--all leaves out fixes that remove something; to run them, name them: \(Phrase.list(optIn)))")]
        return report.remaining(times) + remark
    }
}
