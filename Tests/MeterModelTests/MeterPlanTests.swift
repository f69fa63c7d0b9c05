import MeterModel
import Testing

@Suite("what becomes of a meter")
struct MeterPlanTests {
    private static let full = record(
        7, [.meterName: "Old", .tc66TemperatureUnit: "celsius", .updatedAt: 100], extras: ["notes": "a"],
        cloud: .init(name: "SEVEN"))
    private static let renamed = record(
        3, [.meterName: "New", .updatedAt: 200], extras: ["notes": "b"], cloud: .init(name: nil))
    private static var merged: MeterPlan { MeterPlan(merge([renamed, full])) }

    private func update(_ row: Int64, cloud: String? = nil) -> RecordUpdate {
        let record = record(row, cloud: .init(name: cloud))
        let name = FieldChange(
            field: record.layout.fields[record.layout.position(of: .meterName)!], before: .null, after: "Lab",
            donor: nil,
            rule: .byHand)
        return RecordUpdate(of: record, [name])
    }

    @Test("is after a merge the update of the record that is kept, and then the deletes with what decided them")
    func ofMerge() {
        let plan = Self.merged
        #expect(plan.winner == Self.full && plan.address == meter && plan.records.map(\.row) == [7, 3])
        #expect(plan.update?.row == 7 && plan.update?.cloudRecord == "SEVEN")
        #expect(plan.deletions == [RecordDeletion(Self.renamed, by: .completeness)])
        #expect(plan.conflicts.map(\.field.name) == ["meterName", "notes"])
        let single = MeterPlan(merge([record(1, [.macAddress: "aa:bb:cc:dd:ee:ff"])]))
        #expect(single.winner == nil && single.records.map(\.row) == [1] && single.deletions.isEmpty)
        #expect(MeterPlan(merge([record(1, [.meterName: "Lab"])])).records.isEmpty)
    }

    @Test("is told by the name that its record has then, if that is known")
    func name() {
        #expect(Self.merged.nameAfter == "New")
        #expect(MeterPlan(merge([record(1, [.meterName: "Lab"]), record(2)])).nameAfter == "Lab")
        #expect(MeterPlan(merge([record(1), record(2)])).nameAfter == nil)
        #expect(MeterPlan(merge([record(1, [.meterName: "Lab", .macAddress: "aabbccddeeff"])])).nameAfter == nil)
        #expect(MeterPlan(meter, [.update(update(1))]).nameAfter == "Lab")
    }

    @Test("is one plan for all of its updates, in the order of their first, and one for each record of no meter")
    func updating() {
        let other = MACAddress(bits: 1)
        let plans = MeterPlan.updating([
            (meter, update(1)), (nil, update(2)), (other, update(3)), (meter, update(4)), (nil, update(5)),
        ])
        #expect(plans.map(\.address) == [meter, nil, other, nil])
        #expect(plans.map { $0.records.map(\.row) } == [[1, 4], [2], [3], [5]])
    }

    @Test("gives up values, and what somebody typed is told first, of all meters")
    func discarded() {
        var values: [DiscardedValue] = []
        Plan(meters: [Self.merged, Self.merged], of: StoreSize(records: 4, groups: 2, mirrored: 0))
            .forEachDiscarded { values.append($0) }
        #expect(values.map(\.field.name) == ["meterName", "meterName", "notes", "notes"])
        #expect(values.map(\.row) == [7, 7, 3, 3] && values.map(\.isDeleted) == [false, false, true, true])
        #expect(values.map(\.value) == ["Old", "Old", "b", "b"] && values.map(\.kept) == ["New", "New", "a", "a"])
        #expect(Self.merged.discarded == [values[0], values[2]])
        #expect(MeterPlan(nil, [.delete(RecordDeletion(Self.full))]).discarded.isEmpty)
        // A value in the place of none gives up nothing.
        let filled = MeterPlan(merge([record(1, [.meterName: "Lab"]), record(2, [.tc66TemperatureUnit: "celsius"])]))
        #expect(filled.update?.fields.count == 2 && filled.discarded.isEmpty)
    }

    @Test("counts in the numbers of the plan, and in what it costs in CloudKit")
    func numbers() {
        let gone = CloudDeletion(entity: "DeviceSettings", entityNumber: 1, row: 9, cloudRecord: "NINE")
        let insertion = RecordInsertion(row: 8, fields: [])
        let conflict = MeterPlan(MACAddress(bits: 2), [], conflicts: Self.merged.conflicts)
        let plan = Plan(
            cloudDeletions: [gone],
            meters: [
                Self.merged, MeterPlan(meter, [.insert(insertion)]), MeterPlan(nil, [.update(update(2))]),
                MeterPlan(nil, [.delete(RecordDeletion(record(4, cloud: .init(name: "FOUR"))))]), conflict,
            ], of: StoreSize(records: 5, groups: 1, mirrored: 4))
        let summary = plan.summary
        #expect([summary.updated, summary.deleted, summary.inserted, summary.unchanged] == [2, 2, 1, 1])
        #expect(summary.conflicts == 4 && plan.conflicts.count == 4 && plan.changeCount == 6)
        // One of the three has never been in CloudKit, and goes up with the others.
        #expect(plan.cloud.updates == 3 && plan.cloud.deletes == 2)
        #expect(plan.cloud.recreateDeletes == 4 && plan.cloud.recreateInserts == 4)
        #expect(plan.writtenMeters.count == 2)
        #expect(plan.deletedRows == [3, 4] && plan.updatedRows(first: .max) == [7, 2])
        #expect(plan.changedMeters.map(\.records.count) == [2])
        // What no mirror knows costs nothing.
        let unmirrored = Plan(
            meters: [MeterPlan(meter, [.insert(insertion)])], of: StoreSize(records: 5, groups: 0, mirrored: 0))
        #expect(unmirrored.cloud.updates == 0 && unmirrored.cloud.recreateInserts == 0)
    }

    @Test("is nothing to do for a meter that only keeps its values, and something for whatever else changes")
    func emptiness() {
        let size = StoreSize(records: 1, groups: 0, mirrored: 0)
        let conflict = MeterPlan(meter, [], conflicts: Self.merged.conflicts)
        #expect(Plan(meters: [conflict], of: size).isEmpty && !Plan(meters: [conflict], of: size).changesRecords)
        let marker = MetadataChange(key: "x", before: nil, after: .number(1))
        for plan in [
            Plan(metadata: [marker], of: size), Plan(schema: [.modelCache(content: [])], of: size),
        ] {
            #expect(!plan.isEmpty && !plan.changesRecords)
        }
        let gone = CloudDeletion(entity: "DeviceSettings", entityNumber: 1, row: 9, cloudRecord: nil)
        for plan in [Plan(cloudDeletions: [gone], of: size), Plan(meters: [Self.merged], of: size)] {
            #expect(!plan.isEmpty && plan.changesRecords)
        }
    }
}
