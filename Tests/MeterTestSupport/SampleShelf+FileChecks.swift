internal import CoreDataStore
internal import MeterStore

/// One sample a check of the file, its metadata, its row numbers and its history.
extension SampleShelf {
    private typealias Clock = FixtureClock
    private static let household = SampleRecords.household
    private static let plain = StoreFixture(records: household)

    static let fileChecks = [
        Sample(
            "check-not-intact",
            "One byte changed on a page of the records: the store opens and reads, SQLite's integrity check fails.",
            expects: ["not-intact"], plain,
            damage: { try ByteDamage.miscountFragments(ofTable: "ZDEVICESETTINGS", in: $0) }),
        Sample(
            "check-index-damaged",
            "One byte changed in an index: every row can be read, SQLite's integrity check fails.",
            expects: ["index-damaged"], plain,
            damage: { try ByteDamage.misleadLastEntry(of: "ATRANSACTION_ZPROCESSIDTS_INDEX", in: $0) }),
        Sample(
            "check-wal-missing",
            "The -wal was not copied. The main file has no row; the -shm beside it says that pages are missing from it.",
            expects: ["wal-missing"], plain.with { $0.logPlacement = .logForgotten }),
        Sample(
            "check-files-mixed",
            "The main file was copied today, and the -wal beside it is an older one: since then three meters were added.",
            expects: ["files-mixed"],
            plain.with { fixture in
                fixture.savedInLog = [
                    .update(2, ["lastSeenAt": .real(Clock.now - 3 * Clock.day)], at: Clock.now - 3 * Clock.day + 0.25)
                ]
            },
            damage: { path in
                let today = plain.with { fixture in
                    fixture.records += (6...8).map { row in
                        SampleRecords.meter(row, "A4:C1:38:70:12:0\(row)", "Meter \(row)", "UM25C", age: 2, change: 1)
                    }
                }
                let folder = try TemporaryFolder()
                try today.write(to: folder.path + "/today.sqlite")
                try FileBytes.write(FileBytes.read(folder.path + "/today.sqlite"), to: path)
            }),
        Sample(
            "main-file-alone",
            "The main file alone: five meters are in it, and nobody can tell what was in the -wal, which the app keeps even "
                + "when it is closed.",
            expects: ["wal-missing"], plain.with { $0.logPlacement = .mainFileAlone }),
        Sample(
            "check-metadata-missing", "The row of Z_METADATA has no property list.",
            expects: ["metadata-missing"], plain.with { $0.hasPropertyList = false }),
        Sample(
            "check-model-hash-mismatch",
            "The metadata has the hash of a model with one attribute more than the cached one.",
            expects: ["model-hash-mismatch"],
            plain.with {
                $0.hashedModel = plain.with { $0.extraAttributes = [Attribute("note", .string)] }.model
            }),
        Sample(
            "check-model-cache-missing", "No table Z_MODELCACHE.", expects: ["model-cache-missing"],
            plain.with { $0.modelCache = .absent }),
        Sample(
            "check-table-missing", "A script dropped the mirror's tables, which Z_PRIMARYKEY lists.",
            expects: ["table-missing"],
            StoreFixture(records: SampleRecords.mirrored(household)).with { $0.mirror = .current }.damaged(
                "DROP TABLE ANSCKRECORDZONEMETADATA; DROP TABLE ANSCKEVENT; DROP TABLE ANSCKRECORDMETADATA")),
        Sample(
            "check-row-number-invalid", "A script gave a record the row number -2.",
            expects: ["row-number-invalid", "written-without-history"],
            plain.damaged("UPDATE ZDEVICESETTINGS SET Z_PK = -2 WHERE Z_PK = 2")),
        Sample(
            "check-primary-key-behind", "Z_MAX of DeviceSettings is 2, the largest row number 5.",
            expects: ["primary-key-behind"],
            plain.damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'DeviceSettings'")),
        Sample(
            "check-entity-number-mismatch", "Row 2 has the entity number 7.", expects: ["entity-number-mismatch"],
            plain.damaged("UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 2")),
        Sample(
            "check-entity-name-duplicate", "Z_PRIMARYKEY has DeviceSettings twice, as 1 and as 2.",
            expects: ["entity-name-duplicate"],
            plain.damaged("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (2, 'DeviceSettings', 0, 5)")
        ),
        Sample(
            "check-column-missing", "The model has modelType, and the table has no column for it.",
            expects: ["column-missing"], plain.damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZMODELTYPE")),
        Sample(
            "check-history-broken", "A change whose transaction is gone, and one of the unknown type 9.",
            expects: ["history-broken"],
            plain.damaged(
                "DELETE FROM ATRANSACTION WHERE Z_PK = 3; UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK = 4")),
        Sample(
            "check-history-off", "No history tables.", expects: ["history-off"], plain.with { $0.history = .none }),
        Sample(
            "check-rebuild-marker-missing",
            "meterfix has deleted a record, as the history shows, and there is no cloudStoreRebuildVersion in the metadata.",
            expects: ["rebuild-marker-missing"],
            plain.with { $0.marker = nil }.damaged(StoreFixture.deletionByMeterfix)),
        Sample(
            "check-rebuild-marker-old", "The marker says 2, of the deprecated rebuild.",
            expects: ["rebuild-marker-old"], plain.with { $0.marker = 2 }),
        Sample(
            "check-rebuild-marker-lies", "The marker says 3, and there are two records of one meter.",
            expects: ["rebuild-marker-lies", "duplicate-mac"],
            StoreFixture(records: household + SampleRecords.pair)),
        Sample(
            "check-not-mirrored", "The app was never opened with iCloud: no table of CloudKit's mirror.",
            expects: ["not-mirrored"], plain),
        Sample(
            "check-uniqueness-constraint", "Model v1, without duplicates.", expects: ["uniqueness-constraint"],
            StoreFixture(.v1, records: household)),
        Sample(
            "check-foreign-index", "Somebody made addresses unique with an index.",
            expects: ["foreign-index"],
            plain.damaged("CREATE UNIQUE INDEX one_per_meter ON ZDEVICESETTINGS (upper(ZMACADDRESS))")),
        Sample(
            "check-foreign-trigger", "A tool logs names with a trigger.", expects: ["foreign-trigger"],
            refusal: 4,
            plain.damaged(
                """
                CREATE TABLE names (name);
                CREATE TRIGGER keep_names AFTER UPDATE ON ZDEVICESETTINGS BEGIN INSERT INTO names VALUES (new.ZMETERNAME); END
                """)),
        Sample(
            "full-text-lost", "A copy of a store of Core Data 27 that lacks its full-text index and has the triggers.",
            expects: ["foreign-trigger"], refusal: 4, plain.damaged(StoreFixture.fullTextTriggers)),
        Sample(
            "check-foreign-column", "A tool added a column with a DEFAULT.", expects: ["foreign-column"],
            plain.damaged("ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZPLACE VARCHAR NOT NULL DEFAULT 'lab'")),
        Sample(
            "check-no-device-settings", "A store of the app that lost the table and the entity DeviceSettings.",
            expects: ["no-device-settings"], refusal: 4,
            StoreFixture().with {
                $0.extraEntities = [Entity("ChargeSession", attributes: [Attribute("startedAt", .date)])]
                $0.cachedModel = ManagedObjectModel(
                    entities: $0.extraEntities, versionIdentifiers: $0.model.versionIdentifiers)
                $0.hashedModel = $0.cachedModel
            }.damaged(
                "DROP TABLE ZDEVICESETTINGS; DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'")),
    ]
}
