internal import CoreDataStore
internal import GRDB
internal import MeterStore

/// Stores as they come from customers: several things at once.
extension SampleShelf {
    private typealias Clock = FixtureClock
    private static let household = SampleRecords.household

    static let customers = [
        Sample(
            "healthy", "Nothing wrong: model v2, history, mirrored, rebuilt.",
            StoreFixture(records: SampleRecords.mirrored(household)).with { $0.mirror = .current }),
        Sample(
            "core-data-27", "Nothing wrong: a full-text index of Core Data 27, and its tables of the mirror.",
            refusal: 4,
            StoreFixture(records: SampleRecords.mirrored(household)).with { $0.mirror = .current }
                .damaged("\(StoreFixture.mirrorOfCoreData27); \(StoreFixture.fullTextIndex)")),
        Sample(
            "duplicates",
            "Duplicates of every kind: addresses written in four ways, nameless heartbeats, conflicts of names and of units, three of one "
                + "meter with equal clocks, a torn lock; records that are no meter's and must never be merged; "
                + "attributes of another app version.",
            expects: [
                "duplicate-mac", "mac-not-canonical", "mac-missing", "mac-placeholder", "lock-torn", "lock-expired",
                "mirror-pending", "name-machine-made", "rebuild-marker-lies",
            ],
            SampleDuplicates.fixture),
        Sample(
            "renamed",
            "Another device of the user gave the meter of row 1 a new name, which came here from CloudKit; the app has seen the meter "
                + "since.",
            expects: ["mirror-pending"],
            StoreFixture(
                records: SampleRecords.mirrored(
                    SampleRecords.household(1) {
                        $0.meterName = "Foo"
                        $0.updatedAt = Clock.now - 3 * Clock.hour + 0.5
                        $0 = $0.seen(by: .anasPhone, at: Clock.now - 3 * Clock.hour)
                    })
            ).with {
                $0.storeUUID = FixtureUUID(703).text
                $0.mirror = .current
                $0.savedLater = [
                    .changed(
                        1, isImport: true, at: Clock.now - 20 * Clock.hour + 30.453125, ["meterName", "updatedAt"]),
                    .changed(
                        1, at: Clock.now - 3 * Clock.hour + 0.453125,
                        ["lastSeenAt", "lastSeenByDeviceID", "lastSeenByDeviceName", "updatedAt"]),
                ]
            }),
        Sample(
            "v1",
            "Model v1: the unique index never stopped addresses that differ only in how they are written. Not mirrored.",
            expects: ["uniqueness-constraint", "duplicate-mac", "mac-not-canonical"],
            StoreFixture(.v1, records: household + otherSpellings).with { $0.marker = nil }),
        Sample(
            "lock-stuck", "A phone whose clock was a month ahead took the meter; its clock has been corrected since.",
            expects: ["clock-in-future"],
            StoreFixture(
                records: SampleRecords.household(2) {
                    $0 = $0.locked(by: .anasPhone, at: Clock.now + 27 * Clock.day).savedWithLock
                })),
        Sample(
            "half-migrated",
            "A script dropped the unique index by hand: model and version hashes are still v1's.",
            expects: ["uniqueness-constraint"],
            StoreFixture(.v1, records: household).damaged("DROP INDEX Z_DeviceSettings_UNIQUE_macAddress")),
        Sample(
            "half-migrated-hashes",
            "A migration that stopped: the index is gone and the model is v2's, the version hashes are still v1's.",
            expects: ["model-hash-mismatch"],
            StoreFixture(records: household).with { $0.hashedModel = USBMeterModel.v1 }),
        Sample(
            "wal-only", "The main file has no row; all are in the -wal beside it.",
            expects: ["duplicate-mac"],
            StoreFixture(records: household + SampleRecords.pair).with {
                $0.marker = nil
                $0.logPlacement = .rowsInLogOnly
            }),
        Sample(
            "meters-gone", "CloudKit's import has just deleted every record; the -wal still has them.",
            expects: ["mass-delete", "names-lost"],
            StoreFixture(records: SampleRecords.mirrored(household)).with {
                $0.mirror = .current
                $0.savedInLog = [.sql(StoreFixture.deletion(of: 1...5))]
            }),
        Sample(
            "blob", "Lock and discovery as JSON texts; lower-case addresses; duplicates.",
            expects: ["duplicate-mac", "mac-not-canonical"],
            StoreFixture(records: blobRecords).with {
                $0.marker = nil
                $0.lockEncoding = .blob
            }),
        Sample(
            "rollback-journal", "Journal mode delete, and history as macOS 10.13 wrote it; duplicates.",
            expects: ["duplicate-mac"],
            StoreFixture(records: household + SampleRecords.pair).with {
                $0.marker = nil
                $0.journalMode = .delete
                $0.history = .withoutStrings
            }),
        Sample(
            "no-history", "Mirrored, with duplicates, but without history: a repair cannot reach the cloud.",
            expects: ["duplicate-mac", "history-off"],
            StoreFixture(records: SampleRecords.mirrored(household + SampleRecords.pair)).with {
                $0.marker = nil
                $0.history = .none
                $0.mirror = .oldest
            }),
        Sample(
            "no-model-cache", "The model cache is empty, as in very old stores; duplicates.",
            expects: ["duplicate-mac", "model-cache-missing"],
            StoreFixture(records: household + SampleRecords.pair).with {
                $0.marker = nil
                $0.modelCache = .empty
            }),
        Sample(
            "newer-app",
            "A later version of the app added three attributes and an entity; duplicates that differ in one of them.",
            expects: ["duplicate-mac", "rebuild-marker-lies"],
            newer.with { $0.marker = 4 }),
        Sample(
            "unknown-model",
            "The same version of the app, and no model in the store: nobody knows what its columns mean.",
            expects: ["duplicate-mac", "model-cache-missing", "rebuild-marker-lies"], refusal: 4,
            newer.with { $0.modelCache = .empty }),
        Sample(
            "nameless-first",
            "The app first finds a record from another device: for one meter without name, for another without unit. Mirrored.",
            expects: ["duplicate-mac"],
            StoreFixture(records: SampleRecords.mirrored(household + namelessFirst)).with {
                $0.marker = nil
                $0.mirror = .current
            }),
        Sample(
            "derived-trigger", "A derived attribute: its triggers call functions only Core Data has; duplicates.",
            expects: ["duplicate-mac"], refusal: 4, derived),
    ]

    private static let otherSpellings = [
        SampleRecords.meter(6, "a4:c1:38:0b:7e:21", nil, "UM25C", age: 20, change: 0.25)
            .seen(by: .anasPhone, at: Clock.now - 0.25 * Clock.day),
        SampleRecords.meter(7, "00-15-A6-00-3C-E8", "Laboratoire TC66", "TC66C", age: 18, change: 2),
    ]

    private static let newer = StoreFixture(
        records: SampleRecords.mirrored(household + SampleRecords.pair)
    ).with {
        $0.mirror = .current
        $0.extraAttributes = [
            Attribute("deviceColor", .string), Attribute("pinnedAt", .date), Attribute("sortOrder", .integer64),
        ]
        $0.extraEntities = [Entity("ChargeSession", attributes: [Attribute("startedAt", .date)])]
        $0.damage = {
            try $0.execute(
                sql: "UPDATE ZDEVICESETTINGS SET ZDEVICECOLOR = CASE Z_PK % 2 WHEN 0 THEN 'red' ELSE 'blue' END")
        }
    }

    private static let namelessFirst = [
        SampleRecords.meter(6, "A4:C1:38:70:12:DD", nil, "UM25C", age: 2, change: 0.5)
            .seen(by: .chloesPad, at: Clock.now - 0.5 * Clock.day),
        SampleRecords.meter(7, "A4:C1:38:70:12:DD", "Balcony solar", "UM25C", age: 90, change: 30),
        SampleRecords.meter(8, "98:DA:C0:44:7F:3B", "机架电源", "TC66C", age: 12, change: 3),
        SampleRecords.meter(9, "98:DA:C0:44:7F:3B", "机架电源", "TC66C", unit: "celsius", age: 150, change: 20),
    ]

    private static let blobRecords = [
        SampleRecords.meter(1, "a4:c1:38:0b:7e:21", "Chargeur cuisine", "UM25C", age: 310, change: 12)
            .seen(by: .chloesPad, at: Clock.now - 12 * Clock.day),
        SampleRecords.meter(2, "A4:C1:38:0B:7E:21", nil, "UM25C", age: 4, change: 0.0625)
            .seen(by: .anasPhone, at: Clock.now - 1.5 * Clock.hour)
            .locked(by: .anasPhone, at: Clock.now - 1.5 * Clock.hour, for: Clock.day),
        SampleRecords.meter(3, "00:15:a6:00:3c:e8", "Lab TC66", "TC66C", unit: "celsius", age: 200, change: 0)
            .locked(by: .bogdansMac, at: Clock.now - 30).savedWithLock,
        SampleRecords.meter(4, "88:4a:18:c7:d1:54", "Încărcător birou", "UM24C", age: 120, change: 40),
    ]

    /// `sessionCount` counts the sessions of a meter.
    private static let derived = StoreFixture(records: household + SampleRecords.pair).with { fixture in
        fixture.marker = nil
        fixture.extraAttributes = [Attribute("sessionCount", .integer64)]
        fixture.extraEntities = [Entity("ChargeSession", attributes: [Attribute("startedAt", .date)])]
        var cached = fixture
        cached.extraAttributes[0].isDerived = true
        fixture.cachedModel = cached.model
        fixture.damage = { database in
            for trigger in triggers { try database.execute(sql: trigger) }
        }
    }

    private static let triggers = [
        "CREATE TRIGGER Z_DA_ZCHARGESESSION_DeviceSettings_sessionCount_PARAMETER_INSERT "
            + "AFTER INSERT ON ZCHARGESESSION FOR EACH ROW BEGIN "
            + "UPDATE ZDEVICESETTINGS SET ZSESSIONCOUNT = IFNULL(ZSESSIONCOUNT, 0) + 1; "
            + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZDEVICESETTINGS', Z_ENT, Z_PK, 'sessionCount', "
            + "ZSESSIONCOUNT) FROM ZDEVICESETTINGS; END",
        "CREATE TRIGGER Z_DA_ZDEVICESETTINGS_DeviceSettings_sessionCount_SOURCE_INSERT "
            + "AFTER INSERT ON ZDEVICESETTINGS FOR EACH ROW BEGIN "
            + "UPDATE ZDEVICESETTINGS SET ZSESSIONCOUNT = (SELECT IFNULL(COUNT(Z_PK), 0) FROM ZCHARGESESSION) "
            + "WHERE Z_PK = NEW.Z_PK; "
            + "SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZDEVICESETTINGS', Z_ENT, Z_PK, "
            + "'sessionCount', ZSESSIONCOUNT) FROM ZDEVICESETTINGS WHERE Z_PK = NEW.Z_PK; END",
    ]
}
