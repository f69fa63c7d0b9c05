/// The meters the samples are about.
package enum SampleRecords {
    private typealias Clock = FixtureClock

    /// A record without lock or discovery, made `age` days ago and changed `change` days ago.
    static func meter(
        _ row: Int64, _ address: String?, _ name: String?, _ type: String? = nil, unit: String? = nil,
        age: Double, change: Double
    ) -> FixtureRecord {
        var record = FixtureRecord(row: row, macAddress: address, meterName: name)
        record.modelType = type
        record.tc66TemperatureUnit = unit
        record.id = FixtureUUID(100 + UInt64(row)).bytes
        record.createdAt = Clock.now - age * Clock.day + 0.25
        record.updatedAt = Clock.now - change * Clock.day + 0.5
        return record
    }

    /// Meters of one household and its garage, with nothing wrong.
    package static let household = [
        meter(1, "A4:C1:38:0B:7E:21", "Kitchen charger", "UM25C", age: 310, change: 12)
            .seen(by: .anasPhone, at: Clock.now - 12 * Clock.day),
        meter(2, "A4:C1:38:5D:02:9F", "Bench UM34C", "UM34C", age: 295, change: 3.5)
            .seen(by: .bogdansMac, at: Clock.now - 3.5 * Clock.day),
        meter(3, "00:15:A6:00:3C:E8", "Lab TC66", "TC66C", unit: "celsius", age: 200, change: 1.25)
            .seen(by: .bogdansMac, at: Clock.now - 1.25 * Clock.day),
        meter(4, "88:4A:18:C7:D1:54", "Încărcător birou", "UM24C", age: 120, change: 40),
        meter(5, "98:DA:C0:11:AB:0E", "Зарядка в машине", "TC66C", unit: "fahrenheit", age: 66, change: 7)
            .seen(by: .chloesPad, at: Clock.now - 7 * Clock.day),
    ]

    /// Two records of one meter, the newer one nameless.
    static let pair = [
        meter(6, "A4:C1:38:70:12:DD", "Balcony solar", "UM25C", age: 90, change: 30),
        meter(7, "A4:C1:38:70:12:DD", nil, "UM25C", age: 2, change: 0.5)
            .seen(by: .chloesPad, at: Clock.now - 0.5 * Clock.day),
    ]

    /// With a record in CloudKit each.
    package static func mirrored(_ records: [FixtureRecord]) -> [FixtureRecord] {
        records.map { record in record.with { $0.cloudRecordName = cloudName($0.row) } }
    }

    static func cloudName(_ row: Int64) -> String { FixtureUUID(500 + UInt64(row)).text }

    /// The household with a change in one record.
    package static func household(_ row: Int64, _ change: (inout FixtureRecord) -> Void) -> [FixtureRecord] {
        household.map { $0.row == row ? $0.with(change) : $0 }
    }
}
