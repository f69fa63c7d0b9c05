internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The whole repair: what is to be decided, the migration, each meter that is merged, what else is fixed, and what is left.
extension ChangeResult {
    /// - Parameters:
    ///   - cures: what is fixed besides.
    ///   - filter: of which meters.
    func blocksOfWholeRepair(_ cures: [FixableCheck], _ filter: MeterFilter, _ times: ShownTimes) -> [Block] {
        let (plan, isPlanned) = (report.plan, report.outcome == .planned)
        let discarded = DiscardedText(report, times, backupWords: backupWords)
        let others = plan.meters.filter { $0.deletions.isEmpty }
        let isMigrated = plan.schemaChanges.contains(where: \.isOfModel)
        var blocks = [headline(plan)] + .section("to decide first", isPlanned ? discarded.blocks : [])
        blocks += .section("the migration", isMigrated ? [.list(steps(plan), marker: .number)] : [])
        blocks += merging(of: plan.meters.filter { !$0.deletions.isEmpty }, times) + updates(of: others, times)
        blocks += numbers(plan, times) + plan.notes.map { .note(.warning, "\(times.sentence($0))") }
        let details = plan.changesRecords ? discarded.proof + [cost(plan.cloud)] : []
        let outcome = ending(
            plan.numbersOfFixes, (isPlanned ? [] : discarded.blocks) + details,
            nothing: nothing("no finding that fix --all can fix", cures, filter))
        return blocks + [.group(outcome)] + left(times)
    }

    /// What the repair leaves, and what of it only a name carries out.
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
