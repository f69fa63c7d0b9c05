import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// The app's own plan of unit tests for its store wrapper, on real files.
@Suite("the settings store")
struct SettingsStoreTests {
    static let address = "A4:C1:38:0B:7E:21"
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)

    private let folder: TemporaryFolder
    let path: String
    let ana: AppDevice
    private let bogdan: AppDevice

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.store(StoreFixture())
        ana = try #require(AppDevice(id: "ana", name: "Ana's iPhone"))
        bogdan = try #require(AppDevice(id: "bogdan", name: "Bogdans-Mac.local"))
    }

    static func later(_ seconds: Double) -> Timestamp {
        Timestamp(secondsSince2001: FixtureClock.now + seconds)
    }

    /// Does something with the store and gives the file back.
    func use<Value>(_ body: (SettingsStore) throws -> Value) throws -> Value {
        let store = try SettingsStore(opening: path)
        let value = Result { try body(store) }
        try store.close()
        return try value.get()
    }

    private func upsert(
        _ name: String?, _ unit: TemperatureUnit? = nil, address: String = address, at seconds: Double = 0
    ) throws {
        try use {
            try $0.upsertDeviceSettings(
                macAddress: address, meterName: name, tc66TemperatureUnit: unit, at: Self.later(seconds))
        }
    }

    private func execute(_ sql: String) throws { try DatabaseQueue.script(at: path, sql) }

    func column(_ name: String) throws -> [String] {
        let sql = "SELECT quote(\(name)) FROM ZDEVICESETTINGS ORDER BY Z_PK"
        return try StoreText.read(path) { try String.fetchAll($0, sql: sql) }
    }

    @Test("a save reaches the store as Core Data would write it")
    func saveReachesTheStore() throws {
        try upsert("Kitchen", .celsius)
        #expect(try column("ZMETERNAME") == ["'Kitchen'"])
        #expect(try column("ZTC66TEMPERATUREUNIT") == ["'celsius'"])
        #expect(try column("ZMACADDRESS") == ["'\(Self.address)'"])
        #expect(try column("Z_OPT") == ["1"])
        #expect(try column("length(ZID)") == ["16"])
        #expect(try column("ZCREATEDAT") == column("ZUPDATEDAT"))
        let text = try StoreText(of: path)
        #expect(text[table: "ACHANGE"] == ["1,16001,NULL,0,1,1,1,NULL"])
        #expect(text[table: "ATRANSACTION"].count == 1)
        #expect(text[table: "Z_PRIMARYKEY"].contains("1,'DeviceSettings',0,1"))
        let findings = try Verify.report(path, VerifyOptions(now: Self.now)).findings
        #expect(findings.filter { $0.severity == .error }.isEmpty)
    }

    @Test("an upsert creates a record, and then updates it")
    func upsertCreatesOrUpdates() throws {
        try upsert("Kitchen", .celsius)
        try upsert(nil, .fahrenheit, at: 10)
        #expect(try column("ZMETERNAME") == ["'Kitchen'"])
        #expect(try column("ZTC66TEMPERATUREUNIT") == ["'fahrenheit'"])
        #expect(try column("Z_OPT") == ["2"])
        #expect(try column("ZUPDATEDAT") == ["816955210"])
        #expect(try column("ZCREATEDAT") == ["816955200"])
        // One attribute and `updatedAt`: bits of the attributes in the order of their names.
        let text = try StoreText(of: path)
        #expect(text[table: "ACHANGE"].last == "2,16001,NULL,1,1,1,2,X'0006'")
        try upsert("Kitchen", .fahrenheit, at: 20)
        #expect(try StoreText(of: path) == text, "what would not change is not written")
    }

    @Test(
        "another text of the same address is the same meter",
        arguments: [address.lowercased(), address.filter { $0 != ":" }, " \(address.replacing(":", with: "-")) "])
    func otherTexts(text: String) throws {
        try upsert("Kitchen")
        try upsert("Lab", address: text, at: 10)
        #expect(try column("ZMETERNAME") == ["'Lab'"])
        #expect(try column("ZMACADDRESS") == ["'\(Self.address)'"])
        #expect(try use { try $0.fetch(for: text) }?.meterName == "Lab")
    }

    @Test("a record in another spelling is found, and written in the text that the app looks for")
    func otherTextInTheStore() throws {
        try upsert("Kitchen")
        try execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = 'a4c1380b7e21'")
        #expect(try use { try $0.fetch(for: Self.address) }?.meterName == "Kitchen")
        try upsert("Kitchen", at: 5)
        #expect(try column("ZMACADDRESS") == ["'a4c1380b7e21'"], "what would not change is not written")
        try upsert("Lab", at: 10)
        #expect(try column("ZMACADDRESS") == ["'\(Self.address)'"])
        #expect(try use { try $0.fetchAll() }.count == 1)
    }

    @Test("no meter has two records after a rebuild, and had them before")
    func rebuilt() throws {
        try upsert("Kitchen")
        // Another device made a record of its own, which has come down since.
        try execute(
            """
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZMETERNAME, ZUPDATEDAT, ZID)
            SELECT 2, Z_ENT, 1, ZMACADDRESS, 'Lab', ZUPDATEDAT + 10, X'02' FROM ZDEVICESETTINGS WHERE Z_PK = 1;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'DeviceSettings'
            """)
        func addresses() throws -> [String?] { try use { try $0.fetchAll() }.map(\.macAddress) }
        #expect(try addresses() == [Self.address, Self.address])
        var options = ChangeOptions(now: Self.later(20))
        options.makesBackup = false
        let report = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options)
        #expect(report.summary.deleted == 1)
        #expect(try addresses() == [Self.address])
        #expect(try use { try $0.fetch(for: Self.address) }?.meterName == "Lab")
    }

    @Test("updatedAt is the time of the lock, and then of its end")
    func stampsOfALock() throws {
        try upsert("Kitchen")
        try use { try $0.setConnection(macAddress: Self.address, modelType: nil, by: ana, at: Self.later(5)) }
        #expect(try column("ZUPDATEDAT") == ["816955205"])
        try use { try $0.clearConnection(macAddress: Self.address, at: Self.later(9)) }
        #expect(try column("ZUPDATEDAT") == ["816955209"])
        #expect(try column("ZCONNECTEDAT") == ["NULL"] && column("ZCONNECTEDEXPIRYAT") == ["NULL"])
    }

    @Test("a lock that has travelled to another device keeps it out, and expires there")
    func travellingLock() throws {
        try use { try $0.setConnection(macAddress: Self.address, modelType: nil, by: ana, at: Self.now) }
        // As CloudKit brings the record: nothing else of the first device is known there.
        let other = folder.path + "/other.sqlite"
        for suffix in ["", "-wal"] { try FileBytes.write(FileBytes.read(path + suffix), to: other + suffix) }
        let store = try SettingsStore(opening: other)
        #expect(try store.fetch(for: Self.address)?.connection?.deviceID == "ana")
        #expect(throws: StoreError.self) {
            try store.setConnection(macAddress: Self.address, modelType: nil, by: bogdan, at: Self.later(119))
        }
        try store.setConnection(macAddress: Self.address, modelType: nil, by: bogdan, at: Self.later(120.5))
        #expect(try store.fetch(for: Self.address)?.connection?.deviceID == "bogdan")
        #expect(try store.fetch(for: Self.address)?.updatedAt == Self.later(120.5))
        try store.close()
    }

    @Test("a lock lives 120 s, is renewed, keeps other devices out, and is free afterwards")
    func lock() throws {
        try use { store in
            try store.setConnection(macAddress: Self.address, modelType: "TC66C", by: ana, at: Self.now)
            #expect(try store.fetch(for: Self.address)?.connection?.expiresAt == Self.later(120))
            try store.setConnection(macAddress: Self.address, modelType: nil, by: ana, at: Self.later(60))
            let renewed = try #require(try store.fetch(for: Self.address))
            #expect(renewed.connection?.connectedAt == Self.later(60))
            #expect(renewed.connection?.expiresAt == Self.later(180))
            #expect(renewed.modelType == "TC66C")
            let refusal = #expect(throws: StoreError.self) {
                try store.setConnection(macAddress: Self.address, modelType: nil, by: bogdan, at: Self.later(180))
            }
            #expect(refusal?.kind == .inUse)
            #expect(refusal?.message.contains("Ana's iPhone until 2026-11-21T12:03:00.000Z") == true)
            try store.setConnection(macAddress: Self.address, modelType: nil, by: bogdan, at: Self.later(180.5))
            #expect(try store.fetch(for: Self.address)?.connection?.deviceID == "bogdan")
            try store.clearConnection(macAddress: Self.address, at: Self.later(190))
            #expect(try store.fetch(for: Self.address)?.connection == nil)
        }
        let version = try column("Z_OPT")
        try use { try $0.clearConnection(macAddress: Self.address, at: Self.later(200)) }
        #expect(try column("Z_OPT") == version, "there was nothing to clear")
    }

    @Test(
        "lock and discovery are written in the encoding of the store",
        arguments: [USBMeterModel.LockEncoding.blob, .blobWithBinaryDiscovery, .both])
    func encodings(encoding: USBMeterModel.LockEncoding) throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(StoreFixture().with { $0.lockEncoding = encoding })
        let store = try SettingsStore(opening: path)
        try store.setConnection(macAddress: Self.address, modelType: nil, by: ana, at: Self.now)
        try store.recordDiscovery(macAddress: Self.address, by: ana, at: Self.later(1))
        let settings = try #require(try store.fetch(for: Self.address))
        #expect(settings.connection?.deviceID == "ana")
        #expect(settings.connection?.expiresAt == Self.later(120))
        #expect(settings.lastSeen?.seenAt == Self.later(1))
        #expect(throws: StoreError.self) {
            try store.setConnection(macAddress: Self.address, modelType: nil, by: bogdan, at: Self.later(60))
        }
        try store.close()
        let findings = try Verify.report(path, VerifyOptions(now: Self.later(2))).findings
        #expect(!findings.contains { ["metadata-blob-malformed", "lock-torn", "lock-ttl"].contains($0.id) })
    }

    @Test(
        "a lock in JSON is read and renewed in the spelling that is there",
        arguments: [
            ["deviceID", "deviceName", "timestamp", "expiresAt"], ["deviceID", "timestamp", "expiresAt"],
            ["device", "timestamp", "expiry"], ["deviceID", "timestamp", "expiry"],
            ["device", "deviceName", "timestamp", "expiresAt"],
        ])
    func spellings(keys: [String]) throws {
        let values = [
            "deviceID": "ana", "device": "ana", "deviceName": "Ana's iPhone",
            "timestamp": Self.now.description, "expiry": Self.later(120).description,
            "expiresAt": Self.later(120).description,
        ]
        let lock = "{" + keys.map { "\"\($0)\":\"\(values[$0]!)\"" }.joined(separator: ",") + "}"
        let record = FixtureRecord(row: 1, macAddress: Self.address).with {
            $0.overrides["ZCONNECTIONMETADATA"] = .text(lock)
        }
        let path = try folder.store(
            StoreFixture(records: [record]).with { $0.lockEncoding = .blob }, named: "Spelled.sqlite")
        let store = try SettingsStore(opening: path)
        defer { try? store.close() }
        let connection = try store.fetch(for: Self.address)?.connection
        #expect(connection?.deviceID == "ana")
        #expect(connection?.deviceName == (keys.contains("deviceName") ? "Ana's iPhone" : nil))
        #expect(connection?.expiresAt == Self.later(120))
        #expect(throws: StoreError.self) {
            try store.setConnection(macAddress: Self.address, modelType: nil, by: bogdan, at: Self.later(60))
        }
        try store.setConnection(macAddress: Self.address, modelType: nil, by: ana, at: Self.later(60))
        let blob = try StoreText.read(path) { database in
            try #require(try String.fetchOne(database, sql: "SELECT ZCONNECTIONMETADATA FROM ZDEVICESETTINGS"))
        }
        let written = try JSONDecoder().decode([String: String].self, from: Data(blob.utf8))
        #expect(Set(written.keys) == Set(keys))
        #expect(written["timestamp"] == Self.later(60).description)
        #expect((written["expiry"] ?? written["expiresAt"]) == Self.later(180).description)
    }

    @Test("a discovery of which only the device or only the time is there is read")
    func partialDiscovery() throws {
        func lastSeen(_ discovery: String) throws -> MeterSettings.Sighting? {
            let folder = try TemporaryFolder()
            let record = FixtureRecord(row: 1, macAddress: Self.address).with {
                $0.overrides["ZDISCOVERYMETADATA"] = .text(discovery)
            }
            let path = try folder.store(StoreFixture(records: [record]).with { $0.lockEncoding = .blob })
            let store = try SettingsStore(opening: path)
            defer { try? store.close() }
            return try store.fetch(for: Self.address)?.lastSeen
        }
        let seen = try lastSeen(#"{"seenBy":"ana"}"#)
        #expect(seen?.deviceID == "ana")
        #expect(seen?.seenAt == nil)
        #expect(try lastSeen(#"{"lastSeen":816955200}"#)?.seenAt == Self.now)
        #expect(try lastSeen("{}") == nil)
    }

    @Test(
        "a text that is not an address is refused, and nothing is written",
        arguments: ["", "UM25C", "02:00:00:00:00:00"])
    func refused(text: String) throws {
        let before = try StoreText(of: path)
        let error = #expect(throws: StoreError.self) { try upsert("Kitchen", address: text) }
        #expect(error?.kind == .unsuitable)
        #expect(try StoreText(of: path) == before)
    }

    @Test("a device's name is written without the white space around it, in a lock and in a discovery")
    func trimmedNames() throws {
        let device = try #require(AppDevice(id: "chloe", name: " iPad de Chloé\n"))
        try use {
            try $0.setConnection(macAddress: Self.address, modelType: nil, by: device, at: Self.now)
            try $0.recordDiscovery(macAddress: Self.address, by: device, at: Self.now)
        }
        #expect(try column("ZCONNECTEDBYDEVICENAME") == ["'iPad de Chloé'"])
        #expect(try column("ZLASTSEENBYDEVICENAME") == ["'iPad de Chloé'"])
        // Only a model is no name: nothing can be written with it.
        #expect(AppDevice(id: "chloe", name: " iPad ") == nil)
    }

    @Test("a meter's name is written without the white space around it, and white space alone removes it")
    func trimmedMeterName() throws {
        try upsert(" Kitchen\n")
        #expect(try column("ZMETERNAME") == ["'Kitchen'"])
        let before = try StoreText(of: path)
        try upsert("Kitchen ", at: 10)
        #expect(try StoreText(of: path) == before, "what would not change is not written")
        try upsert(" ", at: 20)
        #expect(try column("ZMETERNAME") == ["NULL"])
    }

    @Test(
        "a name that a program made is refused, and nothing is written",
        arguments: ["TC66C", "iPad", "Anas-MacBook.local", "A4:C1:38:0B:7E:21", "iPhone14,2"])
    func machineMadeName(name: String) throws {
        let before = try StoreText(of: path)
        let error = #expect(throws: StoreError.self) { try upsert(name) }
        #expect(error?.kind == .unsuitable)
        #expect(error?.message.contains(name) == true)
        #expect(try StoreText(of: path) == before)
    }

    @Test("a name that a program made is marked where an older version of the app wrote it")
    func markedName() throws {
        let records = ["TC66C", "Kitchen", nil].enumerated().map { index, name in
            FixtureRecord(row: Int64(index + 1), macAddress: "A4:C1:38:0B:7E:2\(index)", meterName: name)
        }
        let path = try folder.store(StoreFixture(records: records), named: "Named.sqlite")
        let store = try SettingsStore(opening: path)
        defer { try? store.close() }
        #expect(try store.fetchAll().map(\.isNameMachineMade) == [true, false, false])
    }

    @Test("a lock without an expiry lasts 120 s, one without anything else keeps nobody out")
    func lockWithoutExpiry() throws {
        let records = [FixtureClock.now, nil].enumerated().map { index, connectedAt in
            FixtureRecord(row: Int64(index + 1), macAddress: "A4:C1:38:0B:7E:2\(index)").with {
                $0.overrides["ZCONNECTEDBYDEVICEID"] = .text("ana")
                if let connectedAt { $0.overrides["ZCONNECTEDAT"] = .real(connectedAt) }
            }
        }
        let path = try folder.store(StoreFixture(records: records), named: "Torn.sqlite")
        let store = try SettingsStore(opening: path)
        defer { try? store.close() }
        let locks = try store.fetchAll().map(\.connection)
        #expect(locks.map { $0?.expiresAt } == [Self.later(120), nil])
        #expect(locks.map { $0?.isExpired(at: Self.later(120)) } == [false, true])
        #expect(locks[0]?.isExpired(at: Self.later(120.5)) == true)
        #expect(throws: StoreError.self) {
            try store.setConnection(macAddress: "A4:C1:38:0B:7E:20", modelType: nil, by: bogdan, at: Self.later(120))
        }
        try store.setConnection(macAddress: "A4:C1:38:0B:7E:21", modelType: nil, by: bogdan, at: Self.later(120))
    }

    @Test("a store of another app, one that only Core Data can write, and a missing one are refused")
    func unsuitable() throws {
        func kind(_ fixture: StoreFixture) throws -> StoreError.Kind? {
            let folder = try TemporaryFolder()
            let path = try folder.store(fixture)
            return #expect(throws: StoreError.self) { try SettingsStore(opening: path) }?.kind
        }
        for sql in [
            "DROP TABLE ZDEVICESETTINGS", "CREATE TRIGGER Z_DA_x AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END",
            "CREATE TABLE other AS SELECT * FROM ZDEVICESETTINGS; DROP TABLE ZDEVICESETTINGS; "
                + "ALTER TABLE other RENAME TO ZDEVICESETTINGS",
            // What meterfix itself refuses to write to.
            "CREATE TRIGGER t AFTER UPDATE ON Z_PRIMARYKEY BEGIN SELECT 1; END",
            "CREATE TRIGGER t AFTER INSERT ON achange BEGIN SELECT 1; END",
            "CREATE VIRTUAL TABLE names USING fts5(ZMETERNAME, content='ZDEVICESETTINGS', content_rowid='Z_PK')",
        ] { #expect(try kind(StoreFixture().damaged(sql)) == .unsuitable, "\(sql)") }
        let torn =
            "CREATE INDEX i ON ZDEVICESETTINGS (ZMETERNAME); PRAGMA writable_schema = ON; "
            + "UPDATE sqlite_master SET rootpage = 2 WHERE name = 'i'"
        #expect(try kind(StoreFixture().damaged(torn)) == .damaged)
        #expect(
            #expect(throws: StoreError.self) { try SettingsStore(opening: folder.path + "/none") }?.kind == .notFound)
    }
}
