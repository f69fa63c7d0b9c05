import CoreDataStore
import Foundation
import GRDB
import MeterStore
import MeterTestSupport
import Testing

/// A store that tests take to `redact`: samples, stores of Apple's Core Data, and stores made to hide texts in them.
struct RedactStore: Sendable, CustomTestStringConvertible {
    let name: String
    /// Its file in the folder.
    let file: String
    let make: @Sendable (_ folder: ScratchFolder) throws -> Void

    var testDescription: String { name }

    static let all = samples + made + real

    static func named(_ name: String) -> RedactStore? { all.first { $0.name == name } }

    /// Those that are databases. What is damaged may be refused, and is tried on its own; and so is what a copy lacks a
    /// part of.
    static let samples = SampleShelf.samples.filter { sample in
        sample.refusal != 65
            && ![
                "check-files-mixed", "check-not-intact", "check-index-damaged", "not-core-data", "check-wal-missing",
                "core-data-27", "full-text-lost",
            ].contains(sample.name)
    }.map { sample in
        RedactStore(name: sample.name, file: sample.storeName) { folder in
            for name in sample.fileNames { try folder.copySampleFile(name, as: name) }
        }
    }

    static let real: [RedactStore] = {
        guard let folder = RealStores.folder else { return [] }
        // The largest has five thousand rows and takes as long as all samples.
        let isThorough = RedactAnswersTests.isThorough
        let names = (FileManager.default.subpaths(atPath: folder) ?? []).filter { name in
            name.hasSuffix(".sqlite") && (isThorough || !name.hasSuffix("SampleModel2_V1.sqlite"))
        }.sorted()
        return names.map { name in
            let file = (name as NSString).lastPathComponent
            return RedactStore(name: name, file: file) { scratch in
                for suffix in ["", "-wal", "-shm"]
                where FileManager.default.fileExists(atPath: "\(folder)/\(name)\(suffix)") {
                    try FileBytes.write(
                        try FileBytes.read("\(folder)/\(name)\(suffix)"), to: "\(scratch.path)/\(file)\(suffix)")
                }
            }
        }
    }()

    /// Made by hand, each for a place in which a text can be.
    static let made: [RedactStore] = [
        RedactStore("made-left-over") { folder, file in
            try folder.copySampleFile("duplicates.sqlite", as: file)
            let text = (0..<300).map { "Nachlass \($0) von Großmutter" }.joined(separator: "; ")
            try folder.change(file) { database in
                try database.execute(
                    sql: """
                        PRAGMA secure_delete = OFF; PRAGMA auto_vacuum = NONE;
                        CREATE TABLE ZOLD (Z_PK INTEGER PRIMARY KEY, A TEXT);
                        INSERT INTO ZOLD (A) VALUES (:text), (:text); DROP TABLE ZOLD;
                        UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Werkbank von Grete' WHERE Z_PK = 1;
                        UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Kitchen charger' WHERE Z_PK = 1;
                        DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 13
                        """, arguments: ["text": text])
            }
        },
        RedactStore("made-wal") { folder, file in
            try folder.makeFolder("workshop")
            try folder.copySampleFile("healthy.sqlite", as: "workshop/" + file)
            let path = folder.path + "/workshop/" + file
            var configuration = Configuration.forTests
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { database in
                for name in ["Geheimer Name", "Noch ein Geheimnis", "Küchenzähler"] {
                    try database.execute(
                        sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = 2",
                        arguments: [name])
                }
            }
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path + "/" + file + suffix)
            }
            try queue.close()
            try folder.remove("workshop")
        },
        RedactStore("made-rebuilt") { folder, file in
            try folder.copySampleFile("duplicates.sqlite", as: file)
            let answer = try folder.meterfix("rebuild", "--quiet", file, "--now", "2026-11-20T12:00:00Z")
            guard answer.code == 0 || answer.code == 2 else {
                throw MeterfixProcess.Failure(description: answer.stderr)
            }
        },
        RedactStore("made-twins") { folder, file in try StoreFixture.twins.write(to: folder.path + "/" + file) },
        RedactStore("made-orphans") { folder, file in try StoreFixture.orphans.write(to: folder.path + "/" + file) },
        RedactStore("made-pages") { folder, file in
            try folder.copySampleFile("duplicates.sqlite", as: file)
            try folder.execute(
                """
                PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; PRAGMA auto_vacuum = NONE; VACUUM;
                PRAGMA user_version = 7; PRAGMA application_id = 99
                """, in: file)
        }, RedactStore("made-everywhere") { folder, file in try folder.writeEverywhere(to: file) },
        RedactStore("made-schema") { folder, file in
            try folder.copySampleFile("healthy.sqlite", as: file)
            try folder.execute(
                """
                CREATE TABLE zaehlung (nr INTEGER PRIMARY KEY AUTOINCREMENT, wer TEXT COLLATE NOCASE UNIQUE);
                CREATE TABLE protokoll (wer TEXT, wann REAL);
                CREATE TRIGGER mitschrift AFTER INSERT ON zaehlung BEGIN
                    INSERT INTO protokoll VALUES (NEW.wer || ' kam vorbei', 5); END;
                INSERT INTO zaehlung (wer) VALUES ('Patin Paula'), ('Vetter Veit'), ('Base Berta');
                DELETE FROM zaehlung WHERE nr = 3;
                CREATE TABLE errechnet (a TEXT, b TEXT GENERATED ALWAYS AS (a || '!') STORED,
                    c TEXT GENERATED ALWAYS AS (a || '?') VIRTUAL);
                INSERT INTO errechnet (a) VALUES ('Rechenkünstler Ritter');
                CREATE TABLE streng (n INTEGER, t TEXT, b BLOB) STRICT;
                INSERT INTO streng VALUES (4711, 'Strenger Stefan', X'00112233445566778899AABBCCDDEEFF00');
                CREATE VIEW blick AS SELECT wer FROM zaehlung;
                CREATE TABLE vorgaben (wer TEXT DEFAULT "erika@mustermann.example", was VARCHAR(1234)
                    DEFAULT "Rufnummer Rosa", tel INTEGER DEFAULT 4915112345678, ort REAL DEFAULT 52.5163,
                    "wo" TEXT CHECK ("wo" <> "Hinterhof Heinz"));
                INSERT INTO vorgaben ("wo") VALUES ('Vorderhaus Vera');
                CREATE INDEX "vorgaben_wo" ON vorgaben ("wo") WHERE "wo" <> "Keller Karla" AND tel > 3012345;
                CREATE VIEW alle AS SELECT wer AS "Wer ist Erika", "Anschrift Anton" FROM [vorgaben];
                CREATE TRIGGER nachtrag AFTER UPDATE ON "vorgaben" WHEN "new"."wer" = "Nachtwache Nora" BEGIN
                    UPDATE "vorgaben" SET was = "Gerichtsweg Gerd" WHERE "old".tel = 987654321; END
                """, in: file)
        }, RedactStore("made-odd-names") { folder, file in try folder.writeOddNames(to: file) },
    ]

    private init(_ name: String, _ make: @escaping @Sendable (ScratchFolder, String) throws -> Void) {
        let file = name + ".sqlite"
        self.init(name: name, file: file) { try make($0, file) }
    }

    init(name: String, file: String, make: @escaping @Sendable (ScratchFolder) throws -> Void) {
        self.name = name
        self.file = file
        self.make = make
    }
}

extension ScratchFolder {
    /// Changes a store outside any transaction.
    func change(_ name: String, _ body: (Database) throws -> Void) throws {
        try DatabaseQueue.script(at: path + "/" + name, body)
    }

    /// A sample's tables and rows in a database whose texts are UTF-16.
    func write(sample: String, inEncoding encoding: String, to file: String) throws {
        var statements: [String] = []
        var inserts: [(sql: String, values: [DatabaseValue])] = []
        try StoreText.read("\(PackageFolder.samples)/\(sample).sqlite") { database in
            statements = try String.fetchAll(
                database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"") {
                    let marks = row.columnNames.map { _ in "?" }.joined(separator: ", ")
                    inserts.append(("INSERT INTO \"\(table)\" VALUES (\(marks))", Array(row.databaseValues)))
                }
            }
        }
        try change(file) { database in
            try database.execute(
                sql: "PRAGMA encoding = '\(encoding)'; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL")
            try database.inTransaction {
                for statement in statements { try database.execute(sql: statement) }
                for insert in inserts {
                    try database.execute(sql: insert.sql, arguments: StatementArguments(insert.values))
                }
                return .commit
            }
        }
    }

    /// A text of its own in every place that a store of the app, of another app, or of a script can have one.
    fileprivate func writeEverywhere(to file: String) throws {
        let devices = [FixtureDevice.anasPhone, FixtureDevice(id: "Chloé-Geräte-Nummer-4711", name: "iPad")]
        var fixture = StoreFixture(
            records: (1...6).map { (row: Int) -> FixtureRecord in
                var record = FixtureRecord(
                    row: Int64(row), macAddress: "3C:71:BF:5\(row):AE:0\(row)", meterName: "Zähler Olga \(row)")
                record.id = FixtureUUID(UInt64(600 + row)).bytes
                record.createdAt = FixtureClock.now - 90 * FixtureClock.day + 0.5
                record.updatedAt = FixtureClock.now - Double(row) * FixtureClock.day + 0.25
                record.cloudKitRecordID = FixtureUUID(UInt64(650 + row)).text
                record.cloudRecordName = FixtureUUID(UInt64(650 + row)).text
                record = record.seen(by: devices[row % 2], at: FixtureClock.now - 2 * FixtureClock.day)
                if row == 3 { record = record.locked(by: devices[0], at: FixtureClock.now - 30) }
                if row == 4 { record = record.locked(by: devices[1], at: FixtureClock.now - 3 * FixtureClock.day) }
                record.modelType = row == 5 ? "Selbstbau Olga" : "UM25C"
                record.tc66TemperatureUnit = row == 5 ? "réaumur" : "celsius"
                return record
            })
        fixture.mirror = .current
        fixture.extraAttributes = [
            Attribute("note", .string), Attribute("attachment", .binary), Attribute("wish", .transformable),
            Attribute("rank", .integer16), Attribute("seriesStart", .date),
        ]
        fixture.extraEntities = [
            Entity("Tariff", attributes: [Attribute("title", .string), Attribute("logo", .binary)])
        ]
        try fixture.write(to: path + "/" + file)
        func list(_ text: String) -> [UInt8] {
            PropertyList.dictionary(["Besitzerin": .string(text), "bild": .data(Array("\(text) als Bild".utf8))])
                .binaryPropertyList()
        }
        func archive(_ text: String) -> [UInt8] {
            PropertyList.dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": .uid(1)]),
                "$objects": .array([
                    .string("$null"),
                    .dictionary(["NS.string": .string(text), "$class": .uid(2)]),
                    .dictionary(["$classname": .string("NSString"), "$classes": .array([.string("NSString")])]),
                ]),
            ]).binaryPropertyList()
        }
        let deflated = try list("Komprimierte Kusine").deflated()
        try change(file) { database in
            let metadata = try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA") ?? Data()
            var entries = try PropertyList(binary: [UInt8](metadata)).dictionary ?? [:]
            entries["NSStoreModelVersionIdentifiers"] = .array([.string("Modell von Erika")])
            entries["de.olga.lieblingszähler"] = .string("Balkonkraftwerk Olga")
            entries["settings"] = .dictionary([
                "Kontonummer": .array([.string("DE89 3704 0044 0532"), .data(list("Verschachtelte Verwandte"))])
            ])
            entries["legacyKeyValueImport"] = .dictionary([
                "date": .date(FixtureClock.now - 20 * FixtureClock.day),
                "sha256": .string(String(repeating: "c0ffee77deadbeef", count: 4)),
            ])
            // One at a time: as parts of one expression they take the compiler seconds.
            let base64 = Array(Data("Buchstabensuppe Basis".utf8).base64EncodedString().utf8)
            let opaque: [UInt8] = (0..<3000).map { (index: Int) -> UInt8 in UInt8((index * 37 + index / 251) & 0xFF) }
            let utf16: [UInt8] = "Utopische Sechzehn".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let zlib: [UInt8] = [0x78, 0x9C] + deflated + [0, 0, 0, 0]
            let blobs: [(String, [UInt8])] = [
                ("list", list("Hausmeister Krause")), ("archive", archive("Archivierte Ameise")),
                ("deflated", deflated), ("zlib", zlib),
                ("xml", Array("<?xml version=\"1.0\"?><plist><string>Xaver &amp; Söhne</string></plist>".utf8)),
                ("base64", base64), ("metadata", PropertyList.dictionary(entries).binaryPropertyList()),
                ("opaque", opaque), ("utf16", utf16),
                ("notUTF8", [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x73, 0x74, 0x72, 0x61, 0xDF, 0x65]),
                ("nul", Array("Vor dem NUL\0hinter dem Vorhang".utf8)),
            ]
            var arguments: [String: (any DatabaseValueConvertible)?] = [:]
            for (name, bytes) in blobs { arguments[name] = Data(bytes) }
            let long = (0..<600).map { "Tagebuchseite \($0)" }.joined(separator: " ")
            arguments["long"] = long
            try database.execute(
                sql: """
                    UPDATE Z_METADATA SET Z_PLIST = :metadata;
                    UPDATE ZDEVICESETTINGS SET ZNOTE = 'Ersatzschlüssel unter der Matte', ZATTACHMENT = :list WHERE Z_PK = 1;
                    UPDATE ZDEVICESETTINGS SET ZNOTE = '{"Vermieter": "Familie Özdemir", "\\u0054elefon": ["030 1234567"]}',
                        ZATTACHMENT = :archive, ZWISH = :deflated WHERE Z_PK = 2;
                    UPDATE ZDEVICESETTINGS SET ZNOTE = :long, ZATTACHMENT = :zlib, ZWISH = :xml WHERE Z_PK = 3;
                    UPDATE ZDEVICESETTINGS SET ZNOTE = CAST(:base64 AS TEXT), ZATTACHMENT = :opaque WHERE Z_PK = 4;
                    UPDATE ZDEVICESETTINGS SET ZNOTE = CAST(:notUTF8 AS TEXT), ZATTACHMENT = :utf16 WHERE Z_PK = 5;
                    UPDATE ZDEVICESETTINGS SET ZNOTE = CAST(:nul AS TEXT), ZRANK = 'dreizehnter Rang',
                        ZSERIESSTART = 'vorgestern Abend' WHERE Z_PK = 6;
                    INSERT INTO ZTARIFF (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZLOGO) SELECT 1, Z_ENT, 1, 'Stadtwerke Entenhausen',
                        X'89504E470D0A1A0A' || CAST('Logo von Donald' AS BLOB) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tariff';
                    UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Tariff';
                    ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE0 BLOB;
                    UPDATE ACHANGE SET ZCOLUMNS = CAST('Maske von Max' AS BLOB) WHERE Z_PK = 1;
                    UPDATE ACHANGE SET ZCOLUMNS = 'Masche von Moritz' WHERE Z_PK = 2;
                    UPDATE ACHANGE SET ZTOMBSTONE0 = :archive WHERE Z_PK = 1;
                    UPDATE ACHANGE SET ZTOMBSTONE0 = 'Grabstein Gustav' WHERE Z_PK = 2;
                    UPDATE ATRANSACTION SET ZAUTHOR = 'Autorin Agathe', ZBUNDLEID = 'de.olga.zaehler',
                        ZCONTEXTNAME = 'Kontext Konrad', ZPROCESSID = 'Prozess Petra', ZQUERYGEN = :opaque WHERE Z_PK = 3;
                    INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (3, 16003, 'Olgas Hintergrunddienst');
                    UPDATE ATRANSACTION SET ZAUTHORTS = 3, ZCONTEXTNAMETS = 3 WHERE Z_PK = 4;
                    UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'TRANSACTIONSTRING';
                    INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT, ZDATABASE, ZCKOWNERNAME, ZCKRECORDZONENAME,
                        ZCURRENTCHANGETOKEN) SELECT 2, Z_ENT, 1, 1, '_9f3cfreundinvonolga', 'Wohngemeinschaft', :opaque
                        FROM Z_PRIMARYKEY WHERE Z_NAME = 'NSCKRecordZoneMetadata';
                    UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'NSCKRecordZoneMetadata';
                    UPDATE ANSCKRECORDMETADATASYSTEMFIELDSASSET SET ZBINARYDATA = :archive WHERE Z_PK = 1;
                    UPDATE ANSCKRECORDMETADATASYSTEMFIELDSASSET SET ZBINARYDATA = NULL, ZEXTERNALBINARYDATA = :list
                        WHERE Z_PK = 2;
                    INSERT INTO ANSCKRECORDMETADATAENCODEDRECORDASSET (Z_PK, Z_ENT, Z_OPT, ZRECORD, ZBINARYDATA)
                        SELECT 1, Z_ENT, 1, 1, :list FROM Z_PRIMARYKEY
                        WHERE Z_NAME LIKE 'NSCKRecordMetadataEncodedRecordAsset';
                    INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP (Z_PK, Z_ENT, Z_OPT, ZCDENTITYNAME, ZRECORDNAME,
                        ZRECORDZONENAME, ZRECORDZONEOWNERNAME, ZRELATEDENTITYNAME, ZRELATEDRECORDNAME, ZRELATIONSHIPNAME)
                        SELECT 1, Z_ENT, 1, 'DeviceSettings', 'Datensatz Dagobert', 'Zone Zacharias', 'Eigentümer Egon',
                        'Tariff', 'Verwandter Viktor', 'tariffs' FROM Z_PRIMARYKEY
                        WHERE Z_NAME = 'NSCKImportPendingRelationship';
                    INSERT INTO ANSCKRECORDZONEMOVERECEIPT (Z_PK, Z_ENT, Z_OPT, ZOWNERNAME, ZRECORDNAME, ZZONENAME)
                        SELECT 1, Z_ENT, 1, 'Umzug Ulrike', 'Quittung Quentin', 'Neue Nachbarschaft' FROM Z_PRIMARYKEY
                        WHERE Z_NAME = 'NSCKRecordZoneMoveReceipt';
                    CREATE TABLE notizen (id INTEGER PRIMARY KEY, -- angelegt von Onkel Herbert
                        wer TEXT DEFAULT 'Niemand Bestimmtes', /* Schwester Scholastika */ was, UNIQUE (wer));
                    INSERT INTO notizen (wer, was) VALUES ('Tante Frieda', 'Besuch am Samstag'), ('Onkel Otto', :list),
                        ('A4:C1:38:0B:7E:99', 3.25), (NULL, 'Besuch am Samstag');
                    CREATE INDEX notizen_was ON notizen (was);
                    CREATE TABLE ohne (wer TEXT PRIMARY KEY, was TEXT) WITHOUT ROWID;
                    INSERT INTO ohne VALUES ('Nichte Nadine', 'Neffe Norbert');
                    CREATE VIEW sicht AS SELECT wer, 'gesehen von Bruder Balduin' FROM notizen;
                    CREATE INDEX teil ON notizen (wer) WHERE wer <> 'Kusine Kunigunde privat';
                    ANALYZE
                    """, arguments: StatementArguments(arguments))
        }
    }

    /// Names, addresses and devices at the limits of what checks ask for.
    fileprivate func writeOddNames(to file: String) throws {
        let names: [String?] = [
            nil, "", " ", "\u{00A0}", "x", "日", " Lampe ", "\tLampe\n", "Lampe", "lampe", "LAMPE", "iPad", "iPad ",
            "ipad",
            "MacBook Pro", "iPhone14,2", FixtureUUID(40).text, FixtureUUID(40).text.lowercased(), "A4C1380B7E21",
            "a4:c1:38:0b:7e:21", "00:00:00:00:00:00", "Lampe, \"Küche\" \\ <b>&amp;</b>", "🔌", "e\u{301}", "é",
            String(repeating: "lang ", count: 60), "0", "12", "celsius", "UM25C", "NULL", "A4:C1:38:0B:7E",
        ]
        let addresses: [String?] = [
            "A4:C1:38:0B:7E:21", "a4:c1:38:0b:7e:21", "A4-C1-38-0B-7E-21", "a4c1380b7e21", "A4C1.380B.7E21",
            " A4:C1:38:0B:7E:21\n", "A4:c1:38:0B:7e:21", nil, "", "  ", "00:00:00:00:00:00", "ff-ff-ff-ff-ff-ff",
            "020000000000", "UM25C", "A4:C1:38:0B:7E", "A4:C1:38:0B:7E:2G", "A4:C1-38:0B:7E:21", "A4:C1:38:0B:7E:21:00",
            "11:22:33:44:55:66", "112233445566", "aa:bb:cc:dd:ee:ff", "AABBCCDDEEFF", "Anas Adresse", "x",
            "A4:C1:38:0B:7E:22", "A4:C1:38:0B:7E:23", "de:ad:be:ef:00:01", "DE:AD:BE:EF:00:02", "5B:02:93:0C:E1:4F",
            "0A:00:00:00:00:00", "00:00:00:00:00:0a", "A4:C1:38:0B:7E:24",
        ]
        let devices = ["iPad", "Ana's iPhone", "Olgas MacBook", "", " iPad", "iPhone", "Mac", FixtureUUID(41).text]
        let records = zip(names, addresses).enumerated().map { index, pair in
            FixtureRecord(row: Int64(index + 1), macAddress: pair.1, meterName: pair.0).with { record in
                record.id = index % 7 == 6 ? nil : FixtureUUID(UInt64(index == 9 ? 308 : 300 + index)).bytes
                record.createdAt = FixtureClock.now - 400 * FixtureClock.day + Double(index)
                record.updatedAt = index % 5 == 4 ? nil : FixtureClock.now - Double(index % 4) * FixtureClock.day + 0.5
                record.tc66TemperatureUnit =
                    [nil, "celsius", "fahrenheit", "Celsius", "", "kelvin", " celsius"][index % 7]
                record.modelType = [nil, "UM25C", "TC66C", "", "Eigenbau", "um25c", "UM25C "][(index / 2) % 7]
                let device = FixtureDevice(id: "Gerät-\(index % 3)", name: devices[index % devices.count])
                if index % 3 == 0 { record = record.seen(by: device, at: FixtureClock.now - Double(index) * 3_600) }
                if index % 4 == 0 {
                    record = record.locked(
                        by: device, at: FixtureClock.now - Double(index) * 40, for: index % 8 == 0 ? 120 : 90_000)
                }
                record.cloudRecordName = index % 6 == 5 ? nil : "Record-\(40 - index)"
            }
        }
        try StoreFixture(records: records).with { $0.mirror = .current }.write(to: path + "/" + file)
    }
}
