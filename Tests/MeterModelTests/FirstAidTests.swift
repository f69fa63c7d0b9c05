import MeterModel
import MeterTestSupport
import Testing

@Suite("first aid for a meter with several records")
struct FirstAidTests {
    private static let cases = LetterCase.allCases

    private func aid(_ records: [DeviceSettings], in letterCase: LetterCase = .upper) -> FirstAid {
        FirstAid(for: records, at: meter, in: letterCase)
    }

    /// The records after the aid.
    private func records(_ records: [DeviceSettings], after aid: FirstAid) -> [DeviceSettings] {
        records.map { record in
            guard record.row == aid.found?.row else { return record }
            var values = Array(record.values)
            for change in aid.changes { values[record.layout.position(of: change.field)!] = change.after }
            return DeviceSettings(
                row: record.row, layout: record.layout, values: values, cloudRecord: record.cloudRecord,
                lockBlob: record.lockBlob, discoveryBlob: record.discoveryBlob)
        }
    }

    /// The first seed of which something does not hold is named.
    private func expectAlways(_ holds: (RandomGroup, LetterCase, FirstAid) -> Bool) {
        var helped = 0
        for group in RandomGroup.all {
            for letterCase in Self.cases {
                let aid = aid(group.records, in: letterCase)
                if !aid.changes.isEmpty { helped += 1 }
                guard holds(group, letterCase, aid) else {
                    Issue.record("seed \(group.seed), \(letterCase): \(aid)")
                    return
                }
            }
        }
        #expect(helped > 100)
    }

    // MARK: - Laws

    @Test("the order of the records does not matter")
    func order() {
        expectAlways { group, letterCase, aid in
            var random = SeededGenerator(seed: group.seed)
            return self.aid(group.records.shuffled(using: &random), in: letterCase) == aid
        }
    }

    @Test("changes an empty name or unit into that of another record, and nothing else")
    func emptyOnly() {
        expectAlways { group, _, aid in
            aid.changes.allSatisfy { change in
                let donor = group.records.first { $0.row == change.donor }
                return [.meterName, .tc66TemperatureUnit].contains(change.field.known) && change.before.isEmpty
                    && !change.after.isEmpty && change.rule == .newestNonEmpty
                    && aid.found.map { $0.values[$0.layout.position(of: change.field)!] } == change.before
                    && donor.map { $0.values[$0.layout.position(of: change.field)!] } == change.after
            }
        }
    }

    @Test("is for the first record with exactly the text that the app looks for, without a mark where there is one")
    func found() {
        expectAlways { group, letterCase, aid in
            let text = letterCase == .upper ? "AA:BB:CC:DD:EE:FF" : "aa:bb:cc:dd:ee:ff"
            let records = group.records.filter { $0[.macAddress] == .text(text) }
            let visible = records.filter { !$0.isMarked }
            let rows = (visible.isEmpty ? records : visible).map(\.row)
            return aid.found?.row == rows.min() && MeterPlan(aid)?.update?.row ?? rows.min() == rows.min()
        }
    }

    @Test("done twice changes nothing, and leaves nothing lacking where the app finds a record")
    func twice() {
        expectAlways { group, letterCase, aid in
            let after = self.aid(records(group.records, after: aid), in: letterCase)
            return after.changes.isEmpty && after.showsEverything == (aid.found != nil)
        }
    }

    /// Where two records were changed at the same moment, the more complete one counts, and the aid may decide that.
    @Test("leaves to a rebuild the values that it would have kept before, unless two records have the same updatedAt")
    func rebuildAfterwards() {
        var compared = 0
        expectAlways { group, letterCase, aid in
            guard Set(group.records.map(\.updatedAt)).count == group.records.count else { return true }
            if !aid.changes.isEmpty { compared += 1 }
            let after = records(group.records, after: aid)
            return WinnerPolicy.allCases.allSatisfy { policy in
                let early = group.merges[policy]!.survivor
                let late = merge(after, policy: policy, in: letterCase).survivor
                return SettingsField.userData.allSatisfy { field in
                    early[field] == late[field] || early[field].isEmpty && late[field].isEmpty
                }
            }
        }
        #expect(compared > 20)
    }

    @Test("and what verify asks of one record after the other agree")
    func level() {
        expectAlways { group, letterCase, aid in
            var random = SeededGenerator(seed: group.seed)
            let level = DisplayStatus(of: group.records.shuffled(using: &random), in: letterCase)
            return level.foundRow == aid.found?.row && level.showsEverything == aid.showsEverything
                && level.lacking == aid.changes.compactMap(\.field.known)
        }
    }

    // MARK: - Cases

    @Test("takes the newest value that is not empty; white space is empty, and a missing date the oldest")
    func donors() throws {
        let nameless = record(1, [.meterName: "\u{A0} ", .updatedAt: 900])
        let undated = record(2, [.meterName: "Attic"])
        let older = record(3, [.meterName: "Kitchen", .tc66TemperatureUnit: "celsius", .updatedAt: 100])
        let newer = record(4, [.meterName: "Lab", .tc66TemperatureUnit: " ", .updatedAt: 200])
        let aid = aid([nameless, undated, older, newer])
        #expect(aid.found == nameless)
        #expect(aid.changes.map(\.field.name) == ["meterName", "tc66TemperatureUnit"])
        #expect(aid.changes.map(\.after) == ["Lab", "celsius"])
        #expect(aid.changes.map(\.donor) == [4, 3])
        #expect(aid.changes.map(\.before) == ["\u{A0} ", .null])
        #expect(try #require(MeterPlan(aid)?.update).fields == aid.changes)
        #expect(self.aid([undated, nameless.with(row: 9)]).showsEverything)
    }

    @Test("leaves a record that shows another name than the others as it is")
    func conflict() {
        let shown = record(1, [.meterName: "Lab", .updatedAt: 100])
        let aid = aid([shown, record(2, [.meterName: "Kitchen", .modelType: "TC66C", .updatedAt: 200])])
        #expect(aid.showsEverything && MeterPlan(aid) == nil)
    }

    @Test("leaves a meter alone of which no record has the text that the app looks for")
    func notFound() {
        let records = [
            record(1, [.macAddress: "aa:bb:cc:dd:ee:ff"]), record(2, [.macAddress: "AABBCCDDEEFF", .meterName: "Lab"]),
            record(3, [.macAddress: " AA:BB:CC:DD:EE:FF"]),
        ]
        let aid = aid(records)
        #expect(aid.found == nil && aid.changes.isEmpty && MeterPlan(aid) == nil && !aid.showsEverything)
        #expect(self.aid(records, in: .lower).changes.map(\.after) == ["Lab"])
    }

    @Test("is not needed for a single record, nor in a store without the attributes")
    func nothing() {
        #expect(aid([record(1)]).showsEverything)
        let layout = RecordLayout(named: ["macAddress", "modelType"])
        #expect(aid([record(1, layout: layout), record(2, [.modelType: "TC66C"], layout: layout)]).showsEverything)
    }
}

extension DeviceSettings {
    fileprivate func with(row: Int64) -> DeviceSettings {
        DeviceSettings(row: row, layout: layout, values: values, cloudRecord: cloudRecord)
    }
}
