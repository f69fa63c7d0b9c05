extension StoreFixture {
    /// A meter with two records for each step of the winners' order, in that order: the step decides between them.
    package static var twins: StoreFixture {
        typealias Edit = (inout FixtureRecord) -> Void
        let unmirrored: Edit = { $0.cloudRecordName = nil }
        let pairs: [(kept: Edit, other: Edit)] = [
            ({ _ in }, { $0.meterName = nil }),
            ({ $0.updatedAt = FixtureClock.now }, { _ in }),
            ({ _ in }, unmirrored),
            ({ $0.cloudRecordName = "A" }, { $0.cloudRecordName = "B" }),
            (
                {
                    unmirrored(&$0)
                    $0.createdAt = FixtureClock.now - 200
                }, unmirrored
            ),
            (unmirrored, unmirrored),
            (
                {
                    unmirrored(&$0)
                    $0.id = nil
                },
                {
                    unmirrored(&$0)
                    $0.id = nil
                }
            ),
        ]
        var records: [FixtureRecord] = []
        for (index, pair) in pairs.enumerated() {
            for (place, edit) in [pair.kept, pair.other].enumerated() {
                let row = Int64(2 * index + place + 1)
                var record = FixtureRecord(row: row, macAddress: "A4:C1:38:00:00:0\(index)", meterName: "Kitchen")
                record.id = FixtureUUID(UInt64(row)).bytes
                record.createdAt = FixtureClock.now - 100
                record.updatedAt = FixtureClock.now - 50
                record.cloudRecordName = "RECORD-\(row)"
                edit(&record)
                records.append(record)
            }
        }
        return StoreFixture(records: records).with { $0.mirror = .current }
    }
}
