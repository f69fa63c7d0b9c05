import MeterModel
import Testing

@Suite("a merge with a value that a person chose")
struct ChosenMergeTests {
    private static let fields = [SettingsField.meterName, .tc66TemperatureUnit]

    /// What the records of a group have in a field, and a value that none of them has.
    private func candidates(_ field: SettingsField, _ group: RandomGroup) -> [FieldValue] {
        var values: [FieldValue] = ["from the past"]
        for record in group.records where !record.isEmpty(field) && record[field].text != nil {
            if !values.contains(record[field]) { values.append(record[field]) }
        }
        return values
    }

    private func choosing(
        _ value: FieldValue, _ field: SettingsField, _ group: RandomGroup, _ policy: WinnerPolicy
    ) -> Merge {
        Merge(of: group.records, at: meter, in: .upper, policy: policy, choosing: [field: value], now: now)
    }

    @Test("has exactly that value, and nothing else differs", arguments: WinnerPolicy.allCases)
    func onlyThat(policy: WinnerPolicy) {
        var tried = 0
        for group in RandomGroup.all where group.records.count > 1 {
            let plain = group.merges[policy]!
            for field in Self.fields where plain.winner.layout.has(field) {
                for value in candidates(field, group) {
                    let merge = choosing(value, field, group, policy)
                    let others = SettingsField.allCases.filter { $0 != field && $0 != .updatedAt }
                    tried += 1
                    guard merge.survivor[field] == value,
                        others.allSatisfy({ merge.change($0) == plain.change($0) }),
                        merge.changes.filter({ $0.field.known == nil })
                            == plain.changes.filter({ $0.field.known == nil }),
                        merge.winner == plain.winner, merge.losers == plain.losers,
                        merge.advantages == plain.advantages,
                        merge.conflicts.filter({ $0.field.known != field })
                            == plain.conflicts.filter({ $0.field.known != field }),
                        // The date moves if and only if something else does.
                        (merge.change(.updatedAt) != nil)
                            == (merge.changes.contains { $0.field.known != .updatedAt }
                                && merge.winner.layout.has(.updatedAt)
                                && merge.winner[.updatedAt] != .real(now.secondsSince2001))
                    else {
                        Issue.record("seed \(group.seed): \(field) \(value)")
                        return
                    }
                }
            }
        }
        #expect(tried > 1_000)
    }

    @Test("is the same as without it where it would be kept anyway", arguments: WinnerPolicy.allCases)
    func same(policy: WinnerPolicy) {
        for group in RandomGroup.all {
            let plain = group.merges[policy]!
            for field in Self.fields where !plain.survivor[field].isEmpty && group.records.count > 1 {
                guard choosing(plain.survivor[field], field, group, policy) == plain else {
                    Issue.record("seed \(group.seed): \(field)")
                    return
                }
            }
        }
    }

    @Test("reports every other value as dropped, and names the record that has the one kept")
    func conflicts() {
        let old = record(3, [.meterName: "Kitchen", .updatedAt: 1])
        let new = record(7, [.meterName: "Lab", .modelType: "TC66C", .updatedAt: 2])
        let kept = Merge(
            of: [old, new], at: meter, in: .upper, policy: .mostComplete, choosing: [.meterName: "Kitchen"], now: now)
        #expect(kept.change(.meterName)?.donor == 3 && kept.change(.meterName)?.rule == .byHand)
        #expect(kept.conflicts.map(\.keptFrom) == [3] && kept.conflicts[0].dropped.map(\.row) == [7])
        let past = Merge(
            of: [old, new], at: meter, in: .upper, policy: .mostComplete, choosing: [.meterName: "Bench"], now: now)
        #expect(past.change(.meterName)?.after == "Bench" && past.change(.meterName)?.donor == nil)
        #expect(past.conflicts.map(\.keptFrom) == [nil] && past.conflicts[0].dropped.map(\.row) == [7, 3])
    }

    @Test("chooses nothing for a meter with one record")
    func single() {
        let only = record(3, [.meterName: "Kitchen", .updatedAt: 1])
        let merge = Merge(
            of: [only], at: meter, in: .upper, policy: .mostComplete, choosing: [.meterName: "Lab"], now: now)
        #expect(merge.changes.isEmpty && merge.conflicts.isEmpty)
    }

    @Test("is named by the options of the rebuild, one choice in place of another")
    func words() {
        var chosen = ValueOverrides()
        chosen[meter, .meterName] = "Kitchen charger"
        chosen[meter, .tc66TemperatureUnit] = "celsius"
        let asked = RebuildRequest(["--winner newest"], chosen)
        let name = RecordLayout.Field(name: "meterName", kind: .text)
        #expect(
            asked.keeping("Lab", as: name, of: meter, in: .upper, "a b.sqlite")?.description
                == "meterfix rebuild --keep AA:BB:CC:DD:EE:FF=Lab --keep-unit AA:BB:CC:DD:EE:FF=celsius --winner newest 'a b.sqlite'"
        )
        let model = RecordLayout.Field(name: "modelType", kind: .text)
        #expect(asked.keeping("TC66C", as: model, of: meter, in: .upper, "s") == nil)
        #expect(asked.keeping(7, as: name, of: meter, in: .upper, "s") == nil)
    }
}
