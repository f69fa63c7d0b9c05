import CoreDataStore
import GRDB
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import FleetSimulation

@Suite("what of a store waits for CloudKit")
struct StoreCopyTests {
    private typealias Files = DeviceFiles

    private static let garage = "A4:C1:38:70:12:DD"

    /// A device's records by name. The record metadata does not say which transaction was uploaded last, as for records
    /// that were only imported: what has been read of the history, the mirror's token says.
    private static func files(_ records: [FixtureRecord], _ sql: String = "") throws -> Files {
        try Files([
            StoreFixture(records: records).with {
                $0.mirror = .current
                $0.damage = { database in
                    try database.execute(sql: "UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = NULL")
                    try database.execute(sql: sql)
                }
            }
        ])
    }

    private static func standings(_ files: Files) throws -> [String: Fleet.Copy.Standing] {
        let records = try files.fleet().devices[0].records
        return Dictionary(uniqueKeysWithValues: records.map { ($0.name, $0.standing) })
    }

    @Test("says after a rebuild what waits: the winner with the fields that changed, each deletion once, nothing else")
    func rebuild() throws {
        let records = [
            Files.record(1, "Kitchen", age: 500), Files.record(2, nil, age: 10),
            Files.record(3, "Lab", address: "a4c1380b7e21", age: 200),
            Files.record(4, "Garage", address: Self.garage, age: 100),
        ]
        let names = records.map { $0.cloudRecordName! }
        let files = try Self.files(records)
        #expect(try Set(Self.standings(files).values) == [.uploaded])
        var options = ChangeOptions(now: Files.later(40))
        options.makesBackup = false
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: files.paths[0], options: options)
        #expect(
            try Self.standings(files) == [
                names[0]: .deleted, names[1]: .deleted,
                names[2]: .changed(fields: ["macAddress", "createdAt", "updatedAt"]), names[3]: .uploaded,
            ])
    }

    @Test("takes all changes of a record together, and calls one that CloudKit never had new")
    func changes() throws {
        let record = Files.record(1, "Kitchen", age: 500)
        let files = try Self.files([record])
        try files.rename(0, "Lab", at: 10)
        try files.use(0) {
            try $0.upsertDeviceSettings(
                macAddress: Files.address, meterName: nil, tc66TemperatureUnit: .fahrenheit, at: Files.later(20))
            try $0.upsertDeviceSettings(
                macAddress: Self.garage, meterName: "Garage", tc66TemperatureUnit: nil, at: Files.later(30))
        }
        var standings = try Self.standings(files)
        #expect(
            standings.removeValue(forKey: record.cloudRecordName!)
                == .changed(fields: ["meterName", "tc66TemperatureUnit", "updatedAt"]))
        #expect(Array(standings.values) == [.new])
    }

    @Test("does not take a row for waiting that no history tells of")
    func unnoticed() throws {
        let files = try Self.files(
            [Files.record(1, "Kitchen", age: 500)],
            """
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZMETERNAME)
            SELECT 50, Z_ENT, 1, '\(Self.garage)', 'Garage' FROM ZDEVICESETTINGS
            """)
        #expect(try Self.standings(files).values.contains(.unnoticed))
        let (outcome, devices) = try files.synchronized()
        #expect(!outcome.isConverged)
        #expect(outcome.tallies[0].saves == 0)
        #expect(devices[0].records.count == 2)
        let saved = try files.synchronized(
            by: .lastWriteWins, [ScheduledEvent(0, device: 0, .rename(meter: 1, "Carport"))])
        #expect(saved.outcome.isConverged)
        #expect(saved.outcome.tallies[0].saves == 1)
    }
}
