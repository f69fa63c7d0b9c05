internal import MeterStore

/// One sample a check of clocks, locks, JSON texts and identities.
extension SampleShelf {
    private typealias Clock = FixtureClock

    static let recordChecks = [
        one("check-updated-missing", "Row 4 was never given a date of change.", "updated-missing", row: 4) {
            $0.updatedAt = nil
        },
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
        one("check-lock-ttl", "A lock for an hour, where the app writes 120 seconds.", "lock-ttl", row: 2) {
            $0 = $0.locked(by: .anasPhone, at: Clock.now - 60, for: Clock.hour)
        },
        one("check-lock-expired", "A lock that ran out an hour ago; nobody cleared it.", "lock-expired", row: 2) {
            $0 = $0.locked(by: .bogdansMac, at: Clock.now - Clock.hour - 120)
        },
        Sample(
            "check-metadata-blob-malformed", "The lock's JSON breaks off.", expects: ["metadata-blob-malformed"],
            StoreFixture(
                records: SampleRecords.household(2) { $0.connectionMetadata = #"{"device":"Ana's iPhone","timest"# }
            ).with { $0.lockEncoding = .blobWithBinaryDiscovery }),
        one("check-id-duplicate", "Rows 2 and 4 have the same id.", "id-duplicate", row: 4) {
            $0.id = SampleRecords.household[1].id
        },
        one(
            "check-device-name-generic", "The device that saw row 2 last goes by the name iPad.", "device-name-generic",
            row: 2
        ) {
            $0.lastSeenByDeviceName = "iPad"
        },
    ]
}
