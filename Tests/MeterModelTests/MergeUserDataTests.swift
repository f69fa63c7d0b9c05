import MeterModel
import Testing

@Suite struct MergeUserDataTests {
    @Test("a nameless record that a heartbeat made last does not lose the name")
    func namelessHeartbeat() {
        let named = record(1, [.meterName: "Kitchen", .updatedAt: 100])
        let heartbeat = record(2, [.updatedAt: 900, .connectedAt: 900])
        for policy in WinnerPolicy.allCases {
            let merge = merge([named, heartbeat], policy: policy)
            #expect(merge.survivor[.meterName] == "Kitchen")
            #expect(merge.conflicts.isEmpty)
        }
        #expect(merge([named, heartbeat], policy: .mostComplete).winner == named)
        let newest = merge([named, heartbeat], policy: .newest)
        #expect(newest.winner == heartbeat)
        #expect(newest.change(.meterName)?.donor == 1)
        #expect(newest.change(.meterName)?.before == .null)
        #expect(newest.change(.meterName)?.rule == .newestNonEmpty)
    }

    @Test("the name written last wins, also over the winner's own")
    func latestName() {
        let full = record(1, [.meterName: "Old", .tc66TemperatureUnit: "celsius", .updatedAt: 100])
        let renamed = record(2, [.meterName: "New", .updatedAt: 200])
        let merge = merge([full, renamed])
        #expect(merge.winner == full)
        #expect(merge.survivor[.meterName] == "New")
        #expect(merge.survivor[.tc66TemperatureUnit] == "celsius")
        #expect(merge.changedNames == ["meterName", "updatedAt"])
    }

    @Test("a conflict names both values, where they came from and which was kept")
    func conflictReport() throws {
        let full = record(7, [.meterName: "Old", .tc66TemperatureUnit: "celsius", .updatedAt: 100])
        let renamed = record(3, [.meterName: "New", .updatedAt: 200])
        let third = record(5, [.meterName: "Oldest", .updatedAt: 50])
        let conflict = try #require(merge([third, renamed, full]).conflicts.first)
        #expect(conflict.address == meter)
        #expect(conflict.field.known == .meterName)
        #expect(conflict.kept == "New")
        #expect(conflict.keptFrom == 3)
        #expect(conflict.dropped.map(\.value) == ["Old", "Oldest"])
        #expect(conflict.dropped.map(\.row) == [7, 5])
    }

    @Test("the same value twice is no conflict")
    func sameValue() {
        let merge = merge([
            record(1, [.meterName: "Lab", .updatedAt: 100]), record(2, [.meterName: "Lab", .updatedAt: 200]),
        ])
        #expect(merge.conflicts.isEmpty)
        #expect(merge.changes.isEmpty)
        #expect(merge.winner.row == 2)
    }

    @Test("a dropped value is listed once for each record that had it")
    func everyDroppedValue() {
        let merge = merge([
            record(1, [.meterName: "A", .updatedAt: 100]), record(2, [.meterName: "A", .updatedAt: 100]),
            record(3, [.meterName: "B", .updatedAt: 300]),
        ])
        #expect(merge.conflicts.map { $0.dropped.map(\.row) } == [[1, 2]])
    }

    @Test("values that read the same are no conflict, and the later one is kept byte for byte")
    func sameToTheEye() {
        let merge = merge([
            record(1, [.meterName: "K\u{FC}che", .updatedAt: 100]),
            record(2, [.meterName: " Ku\u{308}CHE", .updatedAt: 200]),
        ])
        #expect(merge.conflicts.isEmpty)
        #expect(merge.survivor[.meterName] == " Ku\u{308}CHE")
    }

    @Test("a unit that the app does not know beats nothing but nothing")
    func unusableUnit() {
        let old = record(1, [.tc66TemperatureUnit: "fahrenheit", .updatedAt: 100])
        let new = record(2, [.tc66TemperatureUnit: "Kelvin", .updatedAt: 200])
        #expect(merge([old, new]).winner == old && merge([old, new]).survivor[.tc66TemperatureUnit] == "fahrenheit")
        #expect(merge([old, new]).conflicts.first?.dropped.map(\.value) == ["Kelvin"])
        #expect(merge([new, record(3, [.updatedAt: 300])]).survivor[.tc66TemperatureUnit] == "Kelvin")
    }

    @Test("a mark is never copied and never a conflict, and values flow out of a marked record as from any other")
    func marks() {
        let marked = record(1, [.meterName: "Lab", .updatedAt: 200], extras: ["isHidden": 1])
        let plain = record(2, [.updatedAt: 100], extras: ["isHidden": 0])
        let merge = merge([marked, plain])
        #expect(merge.winner == plain && merge.survivor[.meterName] == "Lab" && !merge.survivor.isMarked)
        #expect(merge.conflicts.isEmpty && merge.change(extra: "isHidden") == nil)
        let hidden = record(3, [.meterName: "Lab", .updatedAt: 300], extras: ["isHidden": 1])
        #expect(
            Merge(of: [marked, hidden], at: meter, in: .upper, policy: .mostComplete, now: now).survivor.isMarked,
            "where all are marked, the mark stays")
    }

    @Test("a name of only white space does not count", arguments: ["", " ", "\t\n", "\u{A0}", "\u{2003}\u{3000}"])
    func blankName(blank: String) {
        let merge = merge(
            [
                record(1, [.meterName: "Lab", .updatedAt: 100]),
                record(2, [.meterName: .text(blank), .updatedAt: 200]),
            ],
            policy: .newest)
        #expect(merge.winner.row == 2)
        #expect(merge.survivor[.meterName] == "Lab")
        #expect(merge.conflicts.isEmpty)
    }

    @Test("white space around a name stays as the user typed it")
    func whiteSpaceKept() {
        let merge = merge(
            [record(1, [.meterName: " Lab ", .updatedAt: 100]), record(2, [.updatedAt: 200])], policy: .newest)
        #expect(merge.survivor[.meterName] == " Lab ")
    }

    @Test("where no record has a name, the winner keeps its blank one")
    func noName() {
        let merge = merge([record(1, [.meterName: "  ", .updatedAt: 200]), record(2, [.meterName: ""])])
        #expect(merge.survivor[.meterName] == "  ")
        #expect(merge.changes.isEmpty)
    }

    @Test(
        "unit and model type follow the rule of the name", arguments: [SettingsField.tc66TemperatureUnit, .modelType])
    func unitAndModelType(field: SettingsField) {
        let older = record(1, [field: "one", .meterName: "Lab", .updatedAt: 100])
        let newer = record(2, [field: "two", .updatedAt: 200])
        let empty = record(3, [field: "", .updatedAt: 300])
        let merge = merge([older, newer, empty])
        #expect(merge.winner == older)
        #expect(merge.survivor[field] == "two")
        #expect(merge.conflicts.map(\.field.known) == [field])
        #expect(merge.conflicts.first?.dropped.map(\.value) == ["one"])
    }

    @Test("the latest writer is found for each field")
    func fieldByField() {
        let merge = merge([
            record(1, [.meterName: "Lab", .updatedAt: 100]),
            record(2, [.tc66TemperatureUnit: "celsius", .updatedAt: 200]),
            record(3, [.modelType: "TC66C", .updatedAt: 300]),
        ])
        #expect(merge.survivor[.meterName] == "Lab")
        #expect(merge.survivor[.tc66TemperatureUnit] == "celsius")
        #expect(merge.survivor[.modelType] == "TC66C")
        #expect(merge.change(.meterName)?.donor == 1)
        #expect(merge.change(.tc66TemperatureUnit)?.donor == 2)
    }

    @Test("for writers with the same date, or without one, the winner's order decides")
    func equalDates() {
        let full = record(9, [.meterName: "A", .modelType: "TC66C", .updatedAt: 100])
        let other = record(1, [.meterName: "B", .updatedAt: 100])
        #expect(merge([other, full]).survivor[.meterName] == "A")
        let dateless = [record(1, [.meterName: "B"]), record(9, [.meterName: "A", .modelType: "TC66C"])]
        #expect(merge(dateless).survivor[.meterName] == "A")
        #expect(merge(dateless).conflicts.first?.keptFrom == 9)
    }

    @Test("a value without a date is older than one with")
    func withoutDate() {
        let dated = record(1, [.meterName: "Dated", .updatedAt: -9_000_000])
        let undated = record(2, [.meterName: "Undated", .modelType: "TC66C"])
        #expect(merge([dated, undated]).winner == undated)
        #expect(merge([dated, undated]).survivor[.meterName] == "Dated")
    }

    @Test("text that is not UTF-8 is kept byte for byte")
    func notUTF8() {
        let merge = merge(
            [record(1, [.meterName: .malformedText([0x4C, 0xFF])]), record(2, [.updatedAt: 200])], policy: .newest)
        #expect(merge.survivor[.meterName] == .malformedText([0x4C, 0xFF]))
    }

    @Test("a store without one of the attributes merges the others")
    func missingAttributes() {
        let layout = RecordLayout(named: ["macAddress", "meterName", "updatedAt"])
        let merge = merge(
            [
                record(1, [.meterName: "Lab", .updatedAt: 100], layout: layout),
                record(2, [.updatedAt: 200], layout: layout),
            ], policy: .newest)
        #expect(merge.changedNames == ["meterName", "updatedAt"])
        #expect(merge.survivor[.meterName] == "Lab")
    }
}
