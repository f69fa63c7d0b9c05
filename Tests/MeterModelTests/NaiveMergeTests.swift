import MeterModel
import Testing

@Suite struct NaiveMergeTests {
    @Test("both implementations of the rules agree on random groups", arguments: WinnerPolicy.allCases)
    func sameOutcome(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let letterCase: LetterCase = group.seed % 2 == 0 ? .upper : .lower
            let merge = merge(group.records, policy: policy, in: letterCase)
            let naive = NaiveMerge(
                of: group.records, lower: letterCase == .lower, newest: policy == .newest, now: now.secondsSince2001)
            if let difference = difference(merge, naive) {
                Issue.record("seed \(group.seed), \(policy): \(difference)")
                return
            }
        }
    }

    private func difference(_ merge: Merge, _ naive: NaiveMerge) -> String? {
        if merge.winner.row != naive.winner { return "winner \(merge.winner.row) or \(naive.winner)" }
        if merge.losers.map(\.row) != naive.losers { return "losers \(merge.losers.map(\.row)) or \(naive.losers)" }
        let survivor = merge.survivor
        for (field, value) in zip(survivor.layout.fields, survivor.values) {
            let expected = naive.after[field.name]
            if !NaiveMerge.isSame(value, expected) {
                return "\(field.name): \(value) or \(String(describing: expected))"
            }
            let before = merge.winner.values[merge.winner.layout.fields.firstIndex(of: field)!]
            let change = merge.changes.first { $0.field == field }
            if (change == nil) != NaiveMerge.isSame(before, expected) { return "\(field.name) changed or not" }
            if let change, !NaiveMerge.isSame(change.before, before) { return "\(field.name) was \(change.before)" }
            if let change, let source = naive.source[field.name], change.donor != source {
                return "\(field.name) from \(String(describing: change.donor)) or \(source)"
            }
        }
        let conflicts = merge.conflicts.map {
            NaiveMerge.Conflict(
                field: $0.field.name, kept: $0.kept, keptFrom: $0.keptFrom, dropped: $0.dropped.map(\.value),
                droppedFrom: $0.dropped.map(\.row))
        }
        return conflicts == naive.conflicts ? nil : "conflicts \(conflicts) or \(naive.conflicts)"
    }
}
