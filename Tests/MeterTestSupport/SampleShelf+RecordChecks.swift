internal import CoreDataStore
internal import MeterStore

/// One sample a check of clocks, locks, JSON texts and identities.
extension SampleShelf {
    private typealias Clock = FixtureClock

    static let recordChecks = [
        one("check-created-missing", "Row 4 does not say when it was created.", "created-missing", row: 4) {
            $0.createdAt = nil
        },
        one("check-updated-missing", "Row 4 was never given a date of change.", "updated-missing", row: 4) {
            $0.updatedAt = nil
        },
        one(
            "check-updated-behind", "Row 2 was last seen an hour after its last change.", "updated-behind", row: 2
        ) {
            $0 = $0.seen(by: .bogdansMac, at: Clock.now - 3.5 * Clock.day + Clock.hour)
        },
        Sample(
            "check-identity-changed", "The app gave row 4 a new id, long after it had made the record.",
            expects: ["identity-changed"],
            StoreFixture(records: SampleRecords.household).with {
                $0.savedInLog = [
                    .update(4, ["id": .blob(FixtureUUID(900).bytes)], at: Clock.now - 2 * Clock.day + 0.25)
                ]
            }),
        Sample(
            "check-discovery-flood", "The app saved each sighting of row 2, one every twenty seconds.",
            expects: ["discovery-flood"],
            StoreFixture(records: SampleRecords.household).with {
                $0.savedInLog = (0..<5).map { number in
                    let time = Clock.now - Clock.day + Double(number) * 20
                    return .update(2, ["lastSeenAt": .real(time), "updatedAt": .real(time + 0.5)], at: time + 0.75)
                }
            }),
        one("check-date-implausible", "Row 4 was created in year 1: Date.distantPast.", "date-implausible", row: 4) {
            $0.createdAt = -63_114_076_800
        },
        Sample(
            "check-record-marked-deleted",
            "A later version of the app hides meters instead of deleting them: row 4 is hidden.",
            expects: ["record-marked-deleted"],
            StoreFixture(
                records: SampleRecords.household.map { record in
                    record.with { $0.extra = ["isHidden": record.row == 4 ? 1 : 0] }
                }
            ).with { $0.extraAttributes = [Attribute("isHidden", .boolean)] }),
        one("check-clock-in-future", "Row 2 was changed by a clock a year ahead.", "clock-in-future", row: 2) {
            $0.updatedAt = Clock.now + 365 * Clock.day + 0.5
        },
        one("check-created-after-updated", "Row 1 was created after it was changed.", "created-after-updated", row: 1) {
            $0.createdAt = Clock.now - 5 * Clock.day
        },
        one("check-lock-torn", "Row 2 says which device holds the meter, but not since when.", "lock-torn", row: 2) {
            $0.connectedByDeviceID = FixtureDevice.anasPhone.id
            $0.connectedByDeviceName = FixtureDevice.anasPhone.name
        },
        Sample(
            "check-lock-ttl", "A lock for an hour and one for 30 days, where the app writes 120 seconds.",
            expects: ["lock-ttl"],
            StoreFixture(
                records: SampleRecords.household.map { record in
                    switch record.row {
                    case 2: record.locked(by: .anasPhone, at: Clock.now - 60, for: Clock.hour).savedWithLock
                    case 4:
                        record.locked(by: .chloesPad, at: Clock.now - 3 * Clock.day, for: 30 * Clock.day).savedWithLock
                    default: record
                    }
                })),
        one("check-lock-expired", "A lock that ran out an hour ago; nobody cleared it.", "lock-expired", row: 2) {
            $0 = $0.locked(by: .bogdansMac, at: Clock.now - Clock.hour - 120).savedWithLock
        },
        Sample(
            "check-metadata-blob-malformed", "The lock's JSON breaks off.", expects: ["metadata-blob-malformed"],
            StoreFixture(
                records: SampleRecords.household(2) { $0.connectionMetadata = #"{"device":"Ana's iPhone","timest"# }
            ).with { $0.lockEncoding = .blobWithBinaryDiscovery }),
        Sample(
            "check-value-type",
            "Somebody took the table through CSV: the ids are texts, and a missing date is an empty one.",
            expects: ["value-type"],
            StoreFixture(records: SampleRecords.household).damaged(
                """
                UPDATE ZDEVICESETTINGS SET ZID = printf('D5BACB55-3739-4490-BECF-%012d', Z_PK);
                UPDATE ZDEVICESETTINGS SET ZCONNECTEDAT = '', ZCONNECTEDEXPIRYAT = '' WHERE Z_PK = 2
                """)),
        one("check-id-missing", "Row 4 has no id.", "id-missing", row: 4) { $0.id = nil },
        one("check-id-duplicate", "Rows 2 and 4 have the same id.", "id-duplicate", row: 4) {
            $0.id = SampleRecords.household[1].id
        },
        Sample(
            "check-record-id-shared",
            "The app keeps the names of CloudKit records: row 4 has that of row 2, of which it is a copy.",
            expects: ["record-id-shared"],
            StoreFixture(
                records: SampleRecords.mirrored(SampleRecords.household).map { record in
                    record.with { record in
                        record.cloudKitRecordID =
                            record.row == 4 ? SampleRecords.cloudName(2) : record.cloudRecordName
                    }
                }
            ).with { $0.mirror = .current }),
        one(
            "check-device-name-generic", "The device that saw row 2 last is called iPad.", "device-name-generic",
            row: 2
        ) {
            $0.lastSeenByDeviceName = "iPad"
        },
        Sample(
            "check-device-id-shared",
            "A new iPad was set up from the backup of an iPhone: both use one device id, and see meters in turns.",
            expects: ["device-id-shared"],
            StoreFixture(
                records: SampleRecords.household.map { record in
                    var device = FixtureDevice.anasPhone
                    if record.row % 2 == 0 { device.name = "Ana's iPad" }
                    let day = Clock.now - Double(10 - record.row) * Clock.day
                    return record.seen(by: device, at: day).with { $0.updatedAt = day + 0.5 }
                })),
        Sample(
            "check-written-without-history",
            "Somebody corrected two names with a SQLite editor: the -wal has the change, and no transaction says so.",
            expects: ["written-without-history"],
            StoreFixture(records: SampleRecords.mirrored(SampleRecords.household)).with {
                $0.mirror = .current
                $0.savedInLog = [
                    .sql("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'By hand' WHERE Z_PK = 1"),
                    .sql("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'By hand, too' WHERE Z_PK = 2"),
                ]
            }),
        Sample(
            "check-names-lost",
            "In the -wal a meter was renamed twice and another one deleted: the names are still there.",
            expects: ["names-lost"],
            StoreFixture(records: SampleRecords.household).with {
                $0.savedInLog = [
                    .update(1, ["meterName": "Küche"], at: Clock.now - 2 * Clock.day + 0.25),
                    .update(1, ["meterName": "Labor"], at: Clock.now - Clock.day + 0.5),
                    .delete(2, at: Clock.now - Clock.hour + 0.75),
                ]
            }),
    ]
}
