import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("a mirrored store fixture")
struct MirrorFixtureTests {
    /// The tables of a live store of macOS 26, with the columns after `Z_PK`, `Z_ENT` and `Z_OPT`: integers and keys (i),
    /// dates (d), texts (t), bytes (b).
    private static let tables: [(entity: String, number: Int64, columns: String)] = [
        (
            "NSCKDatabaseMetadata", 17001,
            "i ZDATABASESCOPENUM ZHASSUBSCRIPTIONNUM d ZLASTFETCHDATE t ZDATABASENAME b ZCURRENTCHANGETOKEN"
        ),
        (
            "NSCKEvent", 17002,
            "i ZCLOUDKITEVENTTYPE ZCOUNTAFFECTEDOBJECTS ZCOUNTFINISHEDOBJECTS ZERRORCODE ZSUCCEEDED "
                + "d ZENDEDAT ZSTARTEDAT t ZERRORDOMAIN b ZEVENTIDENTIFIER"
        ),
        ("NSCKExportMetadata", 17003, "d ZEXPORTEDAT t ZIDENTIFIER b ZHISTORYTOKEN"),
        ("NSCKExportOperation", 17004, "i ZSTATUSNUM ZEXPORTMETADATA t ZIDENTIFIER"),
        ("NSCKExportedObject", 17005, "i ZCHANGETYPENUM ZTYPENUM ZOPERATION t ZCKRECORDNAME ZZONENAME"),
        (
            "NSCKHistoryAnalyzerState", 17006,
            "i ZENTITYID ZENTITYPK ZFINALCHANGETYPENUM ZFINALTRANSACTIONNUMBER ZORIGINALCHANGETYPENUM "
                + "ZORIGINALTRANSACTIONNUMBER t ZFINALCHANGEAUTHOR"
        ),
        ("NSCKImportOperation", 17007, "d ZIMPORTDATE b ZOPERATIONUUID ZCHANGETOKENBYTES"),
        (
            "NSCKImportPendingRelationship", 17008,
            "i ZNEEDSDELETE ZOPERATION t ZCDENTITYNAME ZRECORDNAME ZRECORDZONENAME ZRECORDZONEOWNERNAME "
                + "ZRELATEDENTITYNAME ZRELATEDRECORDNAME ZRELATEDRECORDZONENAME ZRELATEDRECORDZONEOWNERNAME "
                + "ZRELATIONSHIPNAME"
        ),
        (
            "NSCKMetadataEntry", 17009,
            "i ZBOOLVALUENUM ZINTEGERVALUE d ZDATEVALUE t ZKEY ZSTRINGVALUE b ZTRANSFORMEDVALUE"
        ),
        (
            "NSCKMirroredRelationship", 17010,
            "i ZISPENDING ZISUPLOADED ZNEEDSDELETE ZRECORDZONE ZSYSTEMFIELDSASSET t ZCDENTITYNAME ZCKRECORDID "
                + "ZRECORDNAME ZRELATEDENTITYNAME ZRELATEDRECORDNAME ZRELATIONSHIPNAME"
        ),
        (
            "NSCKMirroredRelationshipSystemFieldsAsset", 17011,
            "i ZMIRROREDRELATIONSHIP b ZBINARYDATA ZEXTERNALBINARYDATA"
        ),
        (
            "NSCKRecordMetadata", 17012,
            "i ZENTITYID ZENTITYPK ZLASTEXPORTEDTRANSACTIONNUMBER ZNEEDSCLOUDDELETE ZNEEDSLOCALDELETE ZNEEDSUPLOAD "
                + "ZPENDINGEXPORTCHANGETYPENUMBER ZPENDINGEXPORTTRANSACTIONNUMBER ZENCODEDRECORDASSET ZRECORDZONE "
                + "ZSYSTEMFIELDSASSET t ZCKRECORDNAME"
        ),
        ("NSCKRecordMetadataEncodedRecordAsset", 17013, "i ZRECORD b ZBINARYDATA ZEXTERNALBINARYDATA"),
        ("NSCKRecordMetadataSystemFieldsAsset", 17014, "i ZRECORD b ZBINARYDATA ZEXTERNALBINARYDATA"),
        (
            "NSCKRecordZoneMetadata", 17015,
            "i ZHASRECORDZONENUM ZHASSUBSCRIPTIONNUM ZNEEDSIMPORT ZNEEDSNEWSHAREINVITATION "
                + "ZNEEDSRECOVERYFROMIDENTITYLOSS ZNEEDSRECOVERYFROMUSERPURGE ZNEEDSRECOVERYFROMZONEDELETE "
                + "ZNEEDSSHAREDELETE ZNEEDSSHAREUPDATE ZSUPPORTSATOMICCHANGES ZSUPPORTSFETCHCHANGES "
                + "ZSUPPORTSRECORDSHARING ZSUPPORTSZONESHARING ZDATABASE ZENCODEDSHAREASSET d ZLASTFETCHDATE "
                + "t ZCKOWNERNAME ZCKRECORDZONENAME b ZCURRENTCHANGETOKEN"
        ),
        ("NSCKRecordZoneMetadataEncodedShareAsset", 17016, "i ZRECORDZONE b ZBINARYDATA ZEXTERNALBINARYDATA"),
        (
            "NSCKRecordZoneMoveReceipt", 17017,
            "i ZNEEDSCLOUDDELETE ZRECORDMETADATA d ZMOVEDAT t ZOWNERNAME ZRECORDNAME ZZONENAME"
        ),
        (
            "NSCKRecordZoneQuery", 17018,
            "i ZRECORDZONE d ZLASTFETCHDATE ZMOSTRECENTRECORDMODIFICATIONDATE t ZRECORDTYPE b ZPREDICATE ZQUERYCURSOR"
        ),
    ]

    /// Of the same store: each key's index, and those of the constraints.
    private static let keys = [
        "EXPORTEDOBJECT_ZOPERATION", "EXPORTOPERATION_ZEXPORTMETADATA", "IMPORTPENDINGRELATIONSHIP_ZOPERATION",
        "MIRROREDRELATIONSHIPSYSTEMFIELDSASSET_ZMIRROREDRELATIONSHIP", "MIRROREDRELATIONSHIP_ZRECORDZONE",
        "MIRROREDRELATIONSHIP_ZSYSTEMFIELDSASSET", "RECORDMETADATAENCODEDRECORDASSET_ZRECORD",
        "RECORDMETADATASYSTEMFIELDSASSET_ZRECORD", "RECORDMETADATA_ZENCODEDRECORDASSET", "RECORDMETADATA_ZRECORDZONE",
        "RECORDMETADATA_ZSYSTEMFIELDSASSET", "RECORDZONEMETADATAENCODEDSHAREASSET_ZRECORDZONE",
        "RECORDZONEMETADATA_ZDATABASE", "RECORDZONEMETADATA_ZENCODEDSHAREASSET",
        "RECORDZONEMOVERECEIPT_ZRECORDMETADATA", "RECORDZONEQUERY_ZRECORDZONE",
    ]
    private static let constraints = [
        "DatabaseMetadata databaseScopeNum", "Event eventIdentifier", "HistoryAnalyzerState entityId entityPK",
        "MirroredRelationship ckRecordID recordZone", "RecordMetadata ckRecordName recordZone",
        "RecordMetadata entityId entityPK", "RecordZoneMetadata ckRecordZoneName ckOwnerName database",
        "RecordZoneQuery recordType recordZone",
    ]

    @Test("has the tables and numbers of a live store, their columns in order")
    func tables() throws {
        try read(Self.fixture) { database in
            let there = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%NSCK%' ORDER BY 1")
            #expect(there == Self.tables.map { "A" + $0.entity.uppercased() }.sorted())
            for table in Self.tables {
                let name = "A" + table.entity.uppercased()
                let statement = try String.fetchOne(
                    database, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [name])
                #expect(statement == "CREATE TABLE \(name) ( \(Self.declarations(table.columns)) )")
                let entity = try Row.fetchOne(
                    database, sql: "SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME = ?", arguments: [table.entity]
                )
                #expect(entity?["Z_ENT"] == table.number)
                #expect(entity?["Z_SUPER"] == 0)
                #expect(try Int64.fetchSet(database, sql: "SELECT Z_ENT FROM \(name)").isSubset(of: [table.number]))
            }
        }
    }

    private static func declarations(_ columns: String) -> String {
        let types = ["i": "INTEGER", "d": "TIMESTAMP", "t": "VARCHAR", "b": "BLOB"]
        var type = ""
        var declarations = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        for word in columns.split(separator: " ").map(String.init) {
            if let known = types[word] { type = known } else { declarations.append("\(word) \(type)") }
        }
        return declarations.joined(separator: ", ")
    }

    @Test("has an index of each key and of each constraint")
    func indexes() throws {
        let keys = Self.keys.map { key in
            let parts = key.split(separator: "_")
            return "CREATE INDEX ANSCK\(key)_INDEX ON ANSCK\(parts[0]) (\(parts[1]))"
        }
        let constraints = Self.constraints.map { constraint in
            let words = constraint.split(separator: " ").map(String.init)
            let columns = words.dropFirst().map { "Z\($0.uppercased()) COLLATE BINARY ASC" }
            return "CREATE UNIQUE INDEX Z_NSCK\(words[0])_UNIQUE_\(words.dropFirst().joined(separator: "_")) "
                + "ON ANSCK\(words[0].uppercased()) (\(columns.joined(separator: ", ")))"
        }
        try read(Self.fixture) { database in
            let there = try String.fetchAll(
                database,
                sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name LIKE '%NSCK%' AND sql NOT NULL")
            #expect(there.sorted() == (keys + constraints).sorted())
        }
    }

    @Test("gives each row of its tables a number, and names the last one in Z_PRIMARYKEY")
    func numbers() throws {
        for mirror in [StoreFixture.Mirror.current, .oldest] {
            try read(Self.fixture.with { $0.mirror = mirror }) { database in
                let entities = try Row.fetchAll(
                    database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME LIKE 'NSCK%'")
                #expect(entities.count == (mirror == .current ? 18 : 5))
                for entity in entities {
                    let name: String = entity["Z_NAME"]
                    let table = (mirror == .current ? "A" : "Z") + name.uppercased()
                    let rows = try Int64.fetchAll(database, sql: "SELECT Z_PK FROM \(table) ORDER BY 1")
                    #expect(rows == (0..<Int64(rows.count)).map { $0 + 1 }, "\(name)")
                    // The analyses of exports that are done have been removed.
                    let last: Int64 = name == "NSCKHistoryAnalyzerState" ? 2 : Int64(rows.count)
                    #expect(entity["Z_MAX"] == last, "\(name)")
                }
            }
        }
    }

    @Test("ties each record's metadata to its zone, its transaction and its system fields")
    func recordMetadata() throws {
        try read(Self.fixture) { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT m.ZENTITYPK, m.ZCKRECORDNAME, z.ZCKRECORDZONENAME, d.ZDATABASENAME, c.ZENTITYPK AS object,
                    length(a.ZBINARYDATA) > 0 AS opaque FROM ANSCKRECORDMETADATA m
                    JOIN ANSCKRECORDZONEMETADATA z ON z.Z_PK = m.ZRECORDZONE
                    JOIN ANSCKDATABASEMETADATA d ON d.Z_PK = z.ZDATABASE
                    JOIN ANSCKRECORDMETADATASYSTEMFIELDSASSET a ON a.Z_PK = m.ZSYSTEMFIELDSASSET AND a.ZRECORD = m.Z_PK
                    JOIN ACHANGE c ON c.ZTRANSACTIONID = m.ZLASTEXPORTEDTRANSACTIONNUMBER ORDER BY 1
                    """)
            #expect(rows.map { $0["ZENTITYPK"] } == [4, 9] as [Int64])
            #expect(rows.map { $0["ZCKRECORDNAME"] } == ["FOUR", "NINE"])
            #expect(rows.map { $0["object"] } == [4, 9] as [Int64])
            #expect(Set(rows.map { $0["ZCKRECORDZONENAME"] as String }) == ["com.apple.coredata.cloudkit.zone"])
            #expect(rows.allSatisfy { $0["ZDATABASENAME"] == "Private" && $0["opaque"] == true })
        }
    }

    @Test("has the settings of a mirror at work")
    func settings() throws {
        try read(Self.fixture) { database in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM ANSCKMETADATAENTRY")
            let settings = Dictionary(uniqueKeysWithValues: rows.map { ($0["ZKEY"] as String, $0) })
            #expect(
                Set(settings.keys) == [
                    "PFCloudKitMetadataFrameworkVersionKey", "PFCloudKitMetadataNeedsMetadataMigrationKey",
                    "PFCloudKitMetadataClientVersionHashesKey", "PFCloudKitMetadataModelVersionHashesKey",
                    "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey",
                    "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey", Self.tokenKey,
                ])
            #expect(settings["PFCloudKitMetadataNeedsMetadataMigrationKey"]?["ZBOOLVALUENUM"] == 0)
            #expect(settings["NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey"]?["ZBOOLVALUENUM"] == 1)
            let list = try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA")
            let metadata = try PropertyList(binary: [UInt8](#require(list))).dictionary
            #expect(
                settings["PFCloudKitMetadataFrameworkVersionKey"]?["ZINTEGERVALUE"]
                    == metadata?["NSPersistenceFrameworkVersion"]?.integer)
            let hashes: Data? = settings["PFCloudKitMetadataClientVersionHashesKey"]?["ZTRANSFORMEDVALUE"]
            let archive = try Archive(#require(hashes))
            #expect(archive.dictionary(archive.root) == metadata?["NSStoreModelVersionHashes"]?.dictionary)
            let own: Data? = settings["PFCloudKitMetadataModelVersionHashesKey"]?["ZTRANSFORMEDVALUE"]
            let mirror = try Archive(#require(own))
            #expect(mirror.dictionary(mirror.root).keys.sorted() == Self.tables.map(\.entity).sorted())
        }
    }

    @Test("has a token of the last transaction that was exported, which is older than what waits")
    func lastExported() throws {
        let waiting = Self.fixture.with {
            $0.records.insert(FixtureRecord(row: 2, macAddress: "A4:C1:38:0B:7E:23"), at: 0)
            $0.records.append(FixtureRecord(row: 7, macAddress: "A4:C1:38:0B:7E:24"))
        }
        for mirror in [StoreFixture.Mirror.current, .oldest] {
            for history in [SchemaStatements.History.current, .withoutStrings] {
                let fixture = waiting.with {
                    $0.mirror = mirror
                    $0.history = history
                }
                try read(fixture) { database in
                    #expect(try Self.token(database, fixture) == [fixture.storeUUID: .integer(2)])
                    let changes = try Int64.fetchAll(
                        database, sql: "SELECT ZENTITYPK FROM ACHANGE ORDER BY ZTRANSACTIONID")
                    #expect(changes == [4, 9, 2, 7])
                    let times = try Double.fetchAll(database, sql: "SELECT ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK")
                    #expect(times == times.sorted() && Set(times).count == 4)
                }
            }
        }
    }

    @Test("has no token where nothing was exported, and none without history")
    func withoutToken() throws {
        let fixtures = [
            Self.fixture.with { $0.records = [] }, Self.fixture.with { $0.history = .none },
            Self.fixture.with { $0.records = [FixtureRecord(row: 2)] }, Self.fixture.with { $0.historyToken = .none },
        ]
        for fixture in fixtures {
            try read(fixture) { database in
                let token = try Self.token(database, fixture)
                #expect(token == nil)
            }
        }
    }

    @Test("takes any token, further settings, analyses and events that have not ended")
    func further() throws {
        try read(Self.fixture.with { $0.historyToken = .transaction(.max) }) { database in
            let token = try Self.token(database, Self.fixture)
            #expect(token == [Self.fixture.storeUUID: .integer(.max)])
        }
        let other = Self.fixture.with { $0.historyToken = .otherStore(1) }
        try read(other) { database in
            let token = try #require(try Self.token(database, other))
            #expect(token.count == 1 && token[other.storeUUID] == nil && Array(token.values) == [.integer(1)])
        }
        let unfinished = Self.fixture.with {
            $0.mirrorEntries = [.bypassesHistory, .scansForMissingRows, .migrationBegan]
            $0.mirrorAnalyses = [
                MirrorAnalysis(row: 9, original: .init(type: 0, transaction: 2), final: .init(type: 1, transaction: 2))
            ]
            $0.mirrorEvents = [.running(.outgoing, since: FixtureClock.now)]
        }
        try read(unfinished) { database in
            let flags = try String.fetchAll(
                database, sql: "SELECT ZKEY FROM ANSCKMETADATAENTRY WHERE ZBOOLVALUENUM = 1 ORDER BY Z_PK DESC LIMIT 3")
            #expect(flags.first == "PFCloudKitMetadataModelMigratorMigrationBeganCommitKey")
            let analyses = try Row.fetchAll(database, sql: "SELECT * FROM ANSCKHISTORYANALYZERSTATE")
            #expect(analyses.map { $0["Z_PK"] } == [3] as [Int64])
            #expect(analyses.map { $0["ZENTITYPK"] } == [9] as [Int64])
            let ended = try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM ANSCKEVENT WHERE ZENDEDAT IS NOT NULL OR ZSUCCEEDED = 1")
            #expect(ended == 0)
        }
        #expect(throws: FixtureError.self) {
            try read(unfinished.with { $0.mirror = .oldest }) { _ in }
        }
    }

    private static let tokenKey = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
    private static let fixture = StoreFixture(records: [
        FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21").with { $0.cloudRecordName = "FOUR" },
        FixtureRecord(row: 9, macAddress: "A4:C1:38:0B:7E:22").with { $0.cloudRecordName = "NINE" },
    ]).with { $0.mirror = .current }

    /// What the token says, by store; nil if there is none.
    private static func token(_ database: Database, _ fixture: StoreFixture) throws -> [String: PropertyList]? {
        let table = (fixture.mirror == .oldest ? "Z" : "A") + "NSCKMETADATAENTRY"
        guard
            let bytes = try Data.fetchOne(
                database, sql: "SELECT ZTRANSFORMEDVALUE FROM \(table) WHERE ZKEY = ?", arguments: [tokenKey])
        else { return nil }
        let archive = try Archive(bytes)
        #expect(archive.className(archive.root) == "_NSPersistentHistoryToken")
        return archive.dictionary(archive.value(archive.root, "NSPersistentHistoryTokenDictionary"))
    }

    private func read(_ fixture: StoreFixture, _ use: (Database) throws -> Void) throws {
        let store = try TestStore(fixture)
        try DatabaseQueue.script(at: store.path) { database in
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            try use(database)
        }
    }
}

/// A keyed archive, read without the help of what meterfix reads one with.
private struct Archive {
    let root: PropertyList
    private let objects: [PropertyList]

    init(_ bytes: Data) throws {
        let list = try #require(try PropertyList(binary: [UInt8](bytes)).dictionary)
        #expect(list["$archiver"] == .string("NSKeyedArchiver") && list["$version"] == .integer(100_000))
        objects = try #require(list["$objects"]?.array)
        #expect(objects.first == .string("$null"))
        root = try #require(list["$top"]?.dictionary?["root"])
    }

    private func object(_ reference: PropertyList?) -> PropertyList? {
        reference?.uid.flatMap { objects.indices.contains(Int($0)) ? objects[Int($0)] : nil }
    }

    func value(_ reference: PropertyList?, _ key: String) -> PropertyList? { object(reference)?.dictionary?[key] }

    func className(_ reference: PropertyList?) -> String? {
        value(value(reference, "$class"), "$classname")?.string
    }

    func dictionary(_ reference: PropertyList?) -> [String: PropertyList] {
        #expect(className(reference) == "NSDictionary")
        let keys = value(reference, "NS.keys")?.array?.compactMap { object($0)?.string } ?? []
        let values = value(reference, "NS.objects")?.array?.compactMap(object) ?? []
        #expect(keys.count == values.count)
        return Dictionary(uniqueKeysWithValues: zip(keys, values))
    }
}
