internal import CoreDataStore
internal import GRDB

/// The mirror's tables. No public store has them: the columns of record metadata and metadata entries are as described by
/// others, those of the other tables are in part our own guess.
enum MirrorTable: CaseIterable {
    case databaseMetadata
    case event
    case metadataEntry
    case recordMetadata
    case recordZoneMetadata

    var entity: String {
        switch self {
        case .databaseMetadata: "NSCKDatabaseMetadata"
        case .event: "NSCKEvent"
        case .metadataEntry: "NSCKMetadataEntry"
        case .recordMetadata: "NSCKRecordMetadata"
        case .recordZoneMetadata: "NSCKRecordZoneMetadata"
        }
    }

    var number: Int64 { 17001 + Int64(Self.allCases.firstIndex(of: self) ?? 0) }

    func name(_ mirror: StoreFixture.Mirror) -> String { (mirror == .oldest ? "Z" : "A") + entity.uppercased() }

    func columns(_ mirror: StoreFixture.Mirror) -> String {
        switch self {
        case .databaseMetadata:
            "ZDATABASESCOPENUM INTEGER, ZHASSUBSCRIPTIONNUM INTEGER, ZLASTFETCHDATE TIMESTAMP, "
                + "ZDATABASENAME VARCHAR, ZCURRENTCHANGETOKEN BLOB"
        case .event:
            "ZCLOUDKITEVENTTYPE INTEGER, ZCOUNTAFFECTEDOBJECTS INTEGER, ZCOUNTFINISHEDOBJECTS INTEGER, "
                + "ZERRORCODE INTEGER, ZSUCCEEDED INTEGER, ZENDEDAT TIMESTAMP, ZSTARTEDAT TIMESTAMP, "
                + "ZERRORDOMAIN VARCHAR, ZEVENTIDENTIFIER BLOB"
        case .metadataEntry:
            "ZBOOLVALUENUM INTEGER, ZINTEGERVALUE INTEGER, ZDATEVALUE TIMESTAMP, ZKEY VARCHAR, "
                + "ZSTRINGVALUE VARCHAR, ZTRANSFORMEDVALUE BLOB"
        case .recordMetadata where mirror == .oldest:
            "ZENTITYID INTEGER, ZENTITYPK INTEGER, ZNEEDSCLOUDDELETE INTEGER, ZNEEDSUPLOAD INTEGER, "
                + "ZRECORDZONE INTEGER, ZCKRECORDNAME VARCHAR, ZCKRECORDSYSTEMFIELDS BLOB"
        case .recordMetadata:
            "ZENTITYID INTEGER, ZENTITYPK INTEGER, ZLASTEXPORTEDTRANSACTIONNUMBER INTEGER, "
                + "ZNEEDSCLOUDDELETE INTEGER, ZNEEDSLOCALDELETE INTEGER, ZNEEDSUPLOAD INTEGER, "
                + "ZPENDINGEXPORTCHANGETYPENUMBER INTEGER, ZPENDINGEXPORTTRANSACTIONNUMBER INTEGER, "
                + "ZENCODEDRECORDASSET INTEGER, ZRECORDZONE INTEGER, ZSYSTEMFIELDSASSET INTEGER, "
                + "ZCKRECORDNAME VARCHAR"
        case .recordZoneMetadata:
            "ZHASRECORDZONENUM INTEGER, ZHASSUBSCRIPTIONNUM INTEGER, ZDATABASE INTEGER, ZLASTFETCHDATE TIMESTAMP, "
                + "ZCKOWNERNAME VARCHAR, ZCKRECORDZONENAME VARCHAR, ZCURRENTCHANGETOKEN BLOB"
        }
    }
}

extension StoreFixture {
    func writeMirrorTables(to database: Database) throws {
        for table in MirrorTable.allCases {
            let name = table.name(mirror)
            try database.execute(
                sql: "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + table.columns(mirror) + " )")
            try insert(
                [
                    ("Z_ENT", .integer(table.number)), ("Z_NAME", .text(table.entity)), ("Z_SUPER", 0), ("Z_MAX", 0),
                ], into: "Z_PRIMARYKEY", of: database)
        }
        let records = MirrorTable.recordMetadata.name(mirror)
        for (name, columns) in [
            ("entityId_entityPK", "ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC"),
            ("ckRecordName_recordZone", "ZCKRECORDNAME COLLATE BINARY ASC, ZRECORDZONE COLLATE BINARY ASC"),
        ] {
            try database.execute(
                sql: "CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_\(name) ON \(records) (\(columns))")
        }
        try writeZone(to: database)
        for (index, event) in mirrorEvents.enumerated() { try write(event, number: index + 1, to: database) }
    }

    private func writeZone(to database: Database) throws {
        let fetched = FixtureValue.real(FixtureClock.now - 3 * FixtureClock.hour + 4)
        try add(
            [
                ("ZDATABASESCOPENUM", 2), ("ZHASSUBSCRIPTIONNUM", 1), ("ZLASTFETCHDATE", fetched),
                ("ZDATABASENAME", "iCloud.ro.xdev.USB-Meter"),
            ], number: 1, to: .databaseMetadata, of: database)
        try add(
            [
                ("ZHASRECORDZONENUM", 1), ("ZHASSUBSCRIPTIONNUM", 1), ("ZDATABASE", 1), ("ZLASTFETCHDATE", fetched),
                ("ZCKOWNERNAME", "__defaultOwner__"), ("ZCKRECORDZONENAME", "com.apple.coredata.cloudkit.zone"),
            ], number: 1, to: .recordZoneMetadata, of: database)
        try add(
            [("ZKEY", "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey"), ("ZBOOLVALUENUM", 1)],
            number: 1, to: .metadataEntry, of: database)
    }

    private func write(_ event: MirrorEvent, number: Int, to database: Database) throws {
        try add(
            [
                ("ZCLOUDKITEVENTTYPE", .integer(event.kind.rawValue)), ("ZSUCCEEDED", event.succeeded ? 1 : 0),
                ("ZCOUNTAFFECTEDOBJECTS", 0), ("ZCOUNTFINISHEDOBJECTS", 0),
                ("ZSTARTEDAT", .real(event.startedAt)), ("ZENDEDAT", .real(event.startedAt + 2.25)),
                ("ZERRORDOMAIN", event.errorDomain.map { .text($0) } ?? .null),
                ("ZERRORCODE", event.errorCode.map { .integer($0) } ?? .null),
                ("ZEVENTIDENTIFIER", .blob(FixtureUUID(7000 + UInt64(number)).bytes)),
            ], number: Int64(number), to: .event, of: database)
    }

    /// The row that ties `record` to its CloudKit record.
    func writeRecordMetadata(
        of record: FixtureRecord, name: String, transaction: Int64, to database: Database
    ) throws {
        var columns: [(name: String, value: FixtureValue)] = [
            ("ZENTITYID", .integer(settingsNumber)), ("ZENTITYPK", .integer(record.row)), ("ZNEEDSCLOUDDELETE", 0),
            ("ZNEEDSUPLOAD", record.needsUpload ? 1 : 0), ("ZRECORDZONE", 1), ("ZCKRECORDNAME", .text(name)),
        ]
        if mirror == .current {
            let exported: FixtureValue = history == .none ? .null : .integer(transaction)
            columns += [("ZNEEDSLOCALDELETE", 0), ("ZLASTEXPORTEDTRANSACTIONNUMBER", exported)]
        }
        let number = try Int64.fetchOne(
            database, sql: #"SELECT "Z_MAX" + 1 FROM "Z_PRIMARYKEY" WHERE "Z_NAME" = 'NSCKRecordMetadata'"#)
        try add(columns, number: number ?? 1, to: .recordMetadata, of: database)
    }

    private func add(
        _ columns: [(name: String, value: FixtureValue)], number: Int64, to table: MirrorTable, of database: Database
    ) throws {
        let keys: [(name: String, value: FixtureValue)] = [
            ("Z_PK", .integer(number)), ("Z_ENT", .integer(table.number)), ("Z_OPT", 1),
        ]
        try insert(keys + columns, into: table.name(mirror), of: database)
        try database.execute(
            sql: #"UPDATE "Z_PRIMARYKEY" SET "Z_MAX" = ? WHERE "Z_ENT" = ?"#, arguments: [number, table.number])
    }
}
