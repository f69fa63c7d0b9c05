import Testing

@testable import MeterModel

/// Address, identity, dates, and attributes of other app versions.
@Suite struct MergeFieldTests {
    @Test("a single record in canonical text stays untouched")
    func untouched() {
        let whole = record(1, [.meterName: "Lab", .updatedAt: 100, .createdAt: 50])
        let merge = merge([whole])
        #expect(merge.changes.isEmpty)
        #expect(merge.losers.isEmpty)
        #expect(merge.conflicts.isEmpty)
    }

    @Test(
        "a single record in another notation is updated in place",
        arguments: ["aa:bb:cc:dd:ee:ff", "AABBCCDDEEFF", "AA-BB-CC-DD-EE-FF", " AA:BB:CC:DD:EE:FF", "aabb.ccdd.eeff"])
    func otherNotation(text: String) {
        let merge = merge([record(1, [.macAddress: .text(text), .updatedAt: 100])])
        #expect(merge.changedNames == ["macAddress", "updatedAt"])
        #expect(merge.change(.macAddress)?.after == "AA:BB:CC:DD:EE:FF")
        #expect(merge.change(.macAddress)?.rule == .canonicalText)
        #expect(merge.survivor[.updatedAt] == .real(now.secondsSince2001))
    }

    @Test("canonical text is in the case of the store")
    func storeCase() {
        let upper = record(1)
        #expect(merge([upper], in: .upper).changes.isEmpty)
        #expect(merge([upper], in: .lower).survivor[.macAddress] == "aa:bb:cc:dd:ee:ff")
    }

    @Test("a loser's notation does not matter")
    func loserNotation() {
        let merge = merge([record(1, [.updatedAt: 100]), record(2, [.macAddress: "aabbccddeeff"])])
        #expect(merge.changes.isEmpty)
    }

    @Test("createdAt is the earliest of all")
    func earliestCreatedAt() {
        let merge = merge([
            record(1, [.meterName: "Lab", .createdAt: 300]), record(2, [.createdAt: 100.5]),
            record(3, [.createdAt: 200]),
            record(4),
        ])
        #expect(merge.survivor[.createdAt] == FieldValue.real(100.5).asMoment)
        #expect(merge.change(.createdAt)?.donor == 2)
        #expect(merge.change(.createdAt)?.rule == .earliest)
    }

    @Test("a winner without createdAt gets one, and never loses its own")
    func winnerWithoutCreatedAt() {
        #expect(
            merge([record(1, [.meterName: "Lab"]), record(2, [.createdAt: 9])]).survivor[.createdAt]
                == FieldValue.integer(9).asMoment)
        #expect(merge([record(1, [.meterName: "Lab", .createdAt: 9]), record(2)]).changes.isEmpty)
    }

    @Test("the same createdAt stored as INTEGER and as REAL is no change")
    func sameCreatedAt() {
        #expect(merge([record(1, [.meterName: "Lab", .createdAt: 9.0]), record(2, [.createdAt: 9])]).changes.isEmpty)
    }

    @Test("updatedAt stays if nothing else changed")
    func updatedAtStays() {
        let merge = merge([record(1, [.meterName: "Lab", .updatedAt: 100]), record(2, [.updatedAt: 900])])
        #expect(merge.winner.row == 1)
        #expect(merge.changes.isEmpty)
        #expect(merge.survivor[.updatedAt] == FieldValue.integer(100).asMoment)
    }

    @Test("updatedAt becomes now if something else changed")
    func updatedAtNow() throws {
        let merge = merge([record(1, [.meterName: "Lab", .updatedAt: 100]), record(2, [.createdAt: 5])])
        let change = try #require(merge.change(.updatedAt))
        #expect(change.before == FieldValue.integer(100).asMoment)
        #expect(change.after == .real(now.secondsSince2001))
        #expect(change.rule == .now)
        #expect(change.donor == nil)
    }

    @Test("id and record name are the winner's own, even if it has none")
    func identity() {
        let donor = record(2, [.id: .blob([1]), .cloudKitRecordID: "r"], cloud: .init(name: "r"))
        let without = merge([record(1, [.meterName: "Lab"]), donor])
        #expect(without.winner.row == 1)
        #expect(without.changes.isEmpty)
        let with = merge([record(1, [.meterName: "Lab", .id: .blob([9]), .cloudKitRecordID: "s"]), donor])
        #expect(with.changes.isEmpty)
    }

    @Test("an unknown attribute keeps the winner's value, and another one is a conflict")
    func unknownAttributeConflict() {
        let merge = merge([
            record(1, [.meterName: "Lab", .updatedAt: 100], extras: ["notes": "mine", "zColour": 0]),
            record(2, [.updatedAt: 900], extras: ["notes": "theirs", "zColour": 0.0]),
            record(3, [.updatedAt: 800], extras: ["notes": ""]),
        ])
        #expect(merge.changes.isEmpty)
        #expect(
            merge.conflicts == [
                Conflict(
                    address: meter, field: RecordLayout.Field(name: "notes", kind: .text), kept: "mine", keptFrom: 1,
                    dropped: [.init(value: "theirs", row: 2), .init(value: "", row: 3)])
            ])
    }

    @Test("an unknown attribute is filled where the winner has NULL, from the record written last")
    func unknownAttributeFilled() {
        let merge = merge([
            record(1, [.meterName: "Lab", .modelType: "TC66C", .updatedAt: 900]),
            record(2, [.meterName: "Lab", .updatedAt: 100], extras: ["notes": "older"]),
            record(3, [.updatedAt: 200], extras: ["notes": "newer"]), record(4, [.updatedAt: 300]),
        ])
        #expect(merge.change(extra: "notes")?.after == "newer")
        #expect(merge.change(extra: "notes")?.donor == 3)
        #expect(merge.change(extra: "notes")?.rule == .fillNull)
        #expect(merge.conflicts.map(\.keptFrom) == [3])
        #expect(merge.conflicts.first?.dropped == [.init(value: "older", row: 2)])
        #expect(merge.changedNames == ["updatedAt", "notes"])
    }

    @Test("an unknown attribute that is empty but not NULL is not filled")
    func unknownAttributeEmpty() {
        let merge = merge([
            record(1, [.meterName: "Lab"], extras: ["notes": "", "zColour": .blob([])]),
            record(2, [.updatedAt: 900], extras: ["notes": "theirs", "zColour": .blob([1])]),
        ])
        #expect(merge.changes.isEmpty)
    }

    @Test("losers are in the winner's order")
    func orderOfLosers() {
        let merge = merge([
            record(1), record(2, [.updatedAt: 100]), record(3, [.updatedAt: 200]), record(4, [.meterName: "Lab"]),
        ])
        #expect(merge.winner.row == 4)
        #expect(merge.losers.map(\.row) == [3, 2, 1])
    }

    @Test("a store that has nothing but addresses merges too")
    func onlyAddresses() {
        let layout = RecordLayout(named: ["macAddress"])
        let merge = merge([
            record(2, [.macAddress: "aabbccddeeff"], layout: layout),
            record(1, [.macAddress: "aabbccddeeff"], layout: layout),
        ])
        #expect(merge.winner.row == 1)
        #expect(merge.changedNames == ["macAddress"])
    }
}
