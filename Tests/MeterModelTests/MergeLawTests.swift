import MeterModel
import Testing

@Suite struct MergeLawTests {
    @Test("the order of the records does not matter", arguments: WinnerPolicy.allCases)
    func orderRecords(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            var random = SplitMix64(seed: seed)
            let shuffled = records.shuffled(using: &random)
            guard group.merges[policy] == merge(shuffled, policy: policy) else {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    @Test("other row numbers change neither which record survives nor what it says", arguments: WinnerPolicy.allCases)
    func otherRow(policy: WinnerPolicy) {
        for group in RandomGroup.distinct {
            let (seed, records) = (group.seed, group.records)
            var random = SplitMix64(seed: seed)
            let rows = (100..<200).map(Int64.init).shuffled(using: &random)
            let elsewhere = zip(records, rows).map { record, row in
                DeviceSettings(
                    row: row, layout: record.layout, values: record.values, cloudRecord: record.cloudRecord,
                    lockBlob: record.lockBlob, discoveryBlob: record.discoveryBlob)
            }
            let here = group.merges[policy]!
            let there = merge(elsewhere, policy: policy)
            guard here.winner[.id] == there.winner[.id], here.survivor.values == there.survivor.values,
                here.losers.map({ $0[.id] }) == there.losers.map({ $0[.id] }),
                here.conflicts.map(\.kept) == there.conflicts.map(\.kept),
                here.conflicts.map({ $0.dropped.map(\.value) }) == there.conflicts.map({ $0.dropped.map(\.value) })
            else {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    @Test("merging what was merged changes nothing, whatever the time is then", arguments: WinnerPolicy.allCases)
    func mergingMerged(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let seed = group.seed
            let survivor = group.merges[policy]!.survivor
            for policy in WinnerPolicy.allCases {
                let again = merge([survivor], policy: policy, now: Timestamp(secondsSince2001: 2_000_000))
                guard again.changes.isEmpty, again.losers.isEmpty, again.conflicts.isEmpty else {
                    Issue.record("seed \(seed): \(again.changedNames)")
                    return
                }
            }
        }
    }

    @Test("nothing the user typed disappears without being kept or reported", arguments: WinnerPolicy.allCases)
    func nothingUser(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            let merge = group.merges[policy]!
            let survivor = merge.survivor
            for field in SettingsField.userData {
                let conflict = merge.conflicts.first { $0.field.known == field }
                for record in records where !record[field].isEmpty {
                    let isKept = survivor[field] == record[field]
                    let isReported =
                        conflict?.dropped.contains { $0.row == record.row && $0.value == record[field] } ?? false
                    guard isKept != isReported else {
                        Issue.record("seed \(seed): \(field) of row \(record.row)")
                        return
                    }
                }
                if let conflict, conflict.kept != survivor[field] {
                    Issue.record("seed \(seed): \(field) is not what was kept")
                    return
                }
            }
        }
    }

    @Test(
        "a change changes something, names its source truly, and never touches the record's identity",
        arguments: WinnerPolicy.allCases)
    func changeChanges(
        policy: WinnerPolicy
    ) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            let merge = group.merges[policy]!
            for change in merge.changes {
                let position = merge.winner.layout.fields.firstIndex(of: change.field)!
                let donor = records.first { $0.row == change.donor }
                let isTrue =
                    switch change.rule {
                    case .now: donor == nil && change.after == .real(now.secondsSince2001)
                    case .canonicalText: donor == merge.winner && change.field.known == .macAddress
                    default: donor?.values[position] == change.after
                    }
                guard isTrue, change.before != change.after, change.before == merge.winner.values[position],
                    change.field.known != .id, change.field.known != .cloudKitRecordID
                else {
                    Issue.record("seed \(seed): \(change)")
                    return
                }
            }
            let positions = merge.changes.map { merge.winner.layout.fields.firstIndex(of: $0.field)! }
            guard positions == positions.sorted(), Set(positions).count == positions.count else {
                Issue.record("seed \(seed): changes out of order \(merge.changedNames)")
                return
            }
        }
    }

    @Test("each record is the winner or a loser, and none is both", arguments: WinnerPolicy.allCases)
    func eachRecord(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            let merge = group.merges[policy]!
            guard ([merge.winner] + merge.losers).map(\.row).sorted() == records.map(\.row).sorted() else {
                Issue.record("seed \(seed)")
                return
            }
        }
    }
}
