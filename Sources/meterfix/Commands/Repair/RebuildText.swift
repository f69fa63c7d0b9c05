internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A rebuild: each meter's records side by side, what is kept and why, and what it costs; for first aid, what is filled
/// and what is left as it is.
extension ChangeResult {
    /// Meters that are shown without `--verbose`.
    private static let most = 20

    func blocksOfRebuild(_ times: ShownTimes) -> [Block] {
        let (plan, isPlanned) = (report.plan, report.outcome == .planned)
        let discarded = DiscardedText(report, times, backupWords: backupWords)
        var blocks = [headline(plan)] + .section("to decide first", isPlanned ? discarded.blocks : [])
        // A rebuild changes no record without an address.
        blocks += merging(of: Array(plan.changedMeters), times)
        blocks += plan.notes.map { .note(.warning, "\(times.sentence($0))") }
        let outcome = ending(
            report.inUse ? plan.summary.numbersOfFirstAid : plan.summary.numbers,
            (isPlanned ? [] : discarded.blocks) + discarded.proof + [cost(plan.cloud)], nothing: nothing(plan.summary))
        return blocks + [.group(outcome)] + report.remaining(times)
    }

    /// What becomes of the records of some meters.
    func merging(of meters: [MeterPlan], _ times: ShownTimes) -> [Block] {
        let shown = ShownPart(of: meters, most: Self.most, showsAll: times.showsAll)
        let blocks = shown.elements.flatMap { meter in
            MeterText(
                meter: meter, letterCase: report.letterCase, names: report.names, isFirstAid: report.inUse, times: times
            ).blocks
        }
        return blocks + Inline.rest(shown.rest, of: "meters").map { .group([.paragraph($0)]) }
    }

    func headline(_ plan: Plan) -> Block {
        let summary = plan.summary
        let isMigrated = report.plan.schemaChanges.contains(where: \.isOfModel)
        let schema = report.schemaVersion.map { "schema v\($0)\(isMigrated ? " after this" : ""), " } ?? ""
        return .heading(
            "\(report.store): \(schema)\(Phrase.count(summary.records, "record")), \(Phrase.count(summary.groups, "meter")) with several; addresses in \(report.letterCase.rawValue) case"
        )
    }

    /// Why there is nothing to do.
    private func nothing(_ summary: Summary) -> Inline {
        guard summary.groups > 0 else { return .tone(.good, "nothing to do: each meter has one record") }
        guard report.inUse else { return "nothing to do: each of the meters asked for has one record" }
        return report.leavesRepairs
            ? "nothing can be filled"
            : .tone(.good, "nothing to do: where a record has a name or a unit, the app shows one")
    }

    func cost(_ cost: CloudCost) -> Block {
        cost.recreateDeletes > 0 || report.isMirrored
            ? "cost in CloudKit, on the account and on each other device: \(Phrase.count(cost.updates, "update")) and \(Phrase.count(cost.deletes, "delete")) in \(Phrase.count(cost.batches, "batch", "batches"))"
            : "CloudKit: no record of this store is mirrored, so nothing is sent"
    }
}

extension Summary {
    /// What a rebuild changes.
    var numbers: String {
        "\(Phrase.count(updated, "record")) updated, \(deleted) deleted, "
            + "\(unchanged) unchanged, \(Phrase.count(conflicts, "conflict"))"
    }

    fileprivate var numbersOfFirstAid: String {
        "\(Phrase.count(updated, "record")) filled, none deleted, \(unchanged) unchanged"
    }
}
