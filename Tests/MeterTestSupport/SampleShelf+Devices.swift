/// Two devices of one user: each met the same meter, and made a record of it before it had that of the other.
extension SampleShelf {
    package static let devices: [Sample] = [
        Sample(
            "two-devices-phone",
            "The iPhone's store: it made a record of a meter on Thursday, and on Friday the iPad's came.",
            expects: ["duplicate-mac"],
            store([phonesRecord(row: 1), padsRecord(row: 2)], uuid: 1)
                .told([.made(1, at: met), .came(2, at: metAgain + 3_600)])),
        Sample(
            "two-devices-pad",
            "The iPad's store: it was offline, made another record of the meter, and imported the iPhone's afterwards.",
            expects: ["duplicate-mac"],
            store([padsRecord(row: 1), phonesRecord(row: 2)], uuid: 2)
                .told([.made(1, at: metAgain), .came(2, at: metAgain + 1_800)])),
    ]

    /// When the iPhone met the meter, in seconds since 2001, and when the iPad did.
    private static let met = FixtureClock.now - 2 * FixtureClock.day
    private static let metAgain = FixtureClock.now - FixtureClock.day

    private static func store(_ records: [FixtureRecord], uuid: UInt64) -> StoreFixture {
        StoreFixture(records: records).with {
            $0.mirror = .current
            $0.marker = nil
            $0.storeUUID = FixtureUUID(700 + uuid).text
        }
    }

    private static func phonesRecord(row: Int64) -> FixtureRecord {
        record(row, "Kitchen charger", 1, at: met).seen(by: .anasPhone, at: met)
    }

    private static func padsRecord(row: Int64) -> FixtureRecord {
        record(row, "Chargeur cuisine", 2, at: metAgain).seen(by: .chloesPad, at: metAgain)
    }

    private static func record(_ row: Int64, _ name: String, _ number: UInt64, at time: Double) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:21", meterName: name).with {
            $0.modelType = "UM25C"
            $0.id = FixtureUUID(710 + number).bytes
            $0.cloudRecordName = FixtureUUID(720 + number).text
            $0.createdAt = time
            $0.updatedAt = time
        }
    }
}
