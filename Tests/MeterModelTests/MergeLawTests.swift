import MeterModel
import MeterTestSupport
import Testing

@Suite struct MergeLawTests {
    @Test("the order of the records does not matter", arguments: WinnerPolicy.allCases)
    func orderDoesNotMatter(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            var random = SeededGenerator(seed: seed)
            let shuffled = records.shuffled(using: &random)
            guard group.merges[policy] == merge(shuffled, policy: policy) else {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    @Test("other row numbers change neither which record survives nor what it says", arguments: WinnerPolicy.allCases)
    func rowNumbersDoNotMatter(policy: WinnerPolicy) {
        for group in RandomGroup.distinct {
            let (seed, records) = (group.seed, group.records)
            var random = SeededGenerator(seed: seed)
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
    func idempotent(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let seed = group.seed
            let survivor = group.merges[policy]!.survivor
            for policy in WinnerPolicy.allCases {
                let again = merge([survivor], policy: policy, now: moment(2_000_000))
                guard again.changes.isEmpty, again.losers.isEmpty, again.conflicts.isEmpty else {
                    Issue.record("seed \(seed): \(again.changedNames)")
                    return
                }
            }
        }
    }

    @Test("nothing the user typed disappears without being kept or reported", arguments: WinnerPolicy.allCases)
    func nothingTypedDisappears(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            let merge = group.merges[policy]!
            let survivor = merge.survivor
            for field in SettingsField.userData {
                let conflict = merge.conflicts.first { $0.field.known == field }
                for record in records where !record[field].isEmpty {
                    // To the eye: `readsLike` has a test of its own.
                    let isKept = survivor[field].readsLike(record[field])
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
        "a change changes something, names its true source, and never touches the record's identity",
        arguments: WinnerPolicy.allCases)
    func soundChanges(
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
    func winnerAndLosers(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let (seed, records) = (group.seed, group.records)
            let merge = group.merges[policy]!
            guard ([merge.winner] + merge.losers).map(\.row).sorted() == records.map(\.row).sorted() else {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    /// Each record of these groups has its own value in every field, those included that meterfix does not know.
    private static let distinctlyFilled: [(seed: UInt64, records: [DeviceSettings])] = (0..<300).map { (seed: UInt64) in
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...6, using: &random)
        var numbers = (1...1_000).map(Double.init).shuffled(using: &random)
        let records = (0..<count).map { row in
            let values = RecordLayout.whole.fields.map { field -> FieldValue in
                let number = numbers.removeLast()
                if field.known == .macAddress { return .text(random.text(of: meter)) }
                switch field.kind {
                case .text: return .text("\(field.name) \(number)")
                case .uuid, .binary:
                    return .blob([UInt8(number / 256), UInt8(number.truncatingRemainder(dividingBy: 256))])
                case .date: return .real(moment(number).secondsSince2001)
                case .real: return .real(number)
                case .integer, .boolean: return .integer(Int64(number))
                }
            }
            return DeviceSettings(row: Int64(row + 1), layout: .whole, values: values)
        }
        return (seed, records)
    }

    /// Whether a value that is neither in the survivor nor in a conflict was given up by what MIGRATIONS.md says of its
    /// field.
    private func isDiscarded(
        _ value: FieldValue, of record: DeviceSettings, for field: RecordLayout.Field, _ merge: Merge
    ) -> Bool {
        let survivor = merge.survivor
        switch field.survivorship {
        case .kept, .mark:
            return survivor.values[survivor.layout.position(of: field)!]
                == merge.winner.values[survivor.layout.position(of: field)!]
        case .canonicalText: return value.text.flatMap(MACAddress.parse)?.0 == meter
        case .lock: return survivor.lockedAt! > record.lockedAt!
        case .discovery: return survivor.seenAt! > record.seenAt!
        case .earliest: return survivor.createdAt! < record.createdAt!
        case .stamped: return survivor.updatedAt == now || merge.changes.isEmpty
        case .userData, .unknown: return false
        }
    }

    @Test(
        "every value of every record is kept, or in conflict, or given up by a rule of its field",
        arguments: WinnerPolicy.allCases)
    func everyValueAccountedFor(policy: WinnerPolicy) {
        for (seed, records) in Self.distinctlyFilled {
            let merge = merge(records, policy: policy)
            for record in records {
                for (position, field) in record.layout.fields.enumerated() {
                    let value = record.values[position]
                    let isReported = merge.conflicts.contains { conflict in
                        conflict.field == field && conflict.dropped.contains(.init(value: value, row: record.row))
                    }
                    guard
                        merge.survivor.values[position] == value || isReported
                            || isDiscarded(value, of: record, for: field, merge)
                    else {
                        Issue.record("seed \(seed): \(field.name) of row \(record.row)")
                        return
                    }
                }
            }
        }
    }
}
