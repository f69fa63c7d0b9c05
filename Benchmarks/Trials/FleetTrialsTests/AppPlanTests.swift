import CoreDataStore
import FleetSimulation
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// The integration scenarios of the app's own plan, on real files. (Its tests of one store are in SettingsStoreTests.)
@Suite("the app's devices")
struct AppPlanTests {
    typealias Files = DeviceFiles

    private static var changing: ChangeOptions {
        var options = ChangeOptions(now: Files.later(40))
        options.makesBackup = false
        return options
    }

    @Test("several devices sync: what each of them saved is on all of them, and their files are as they were")
    func severalDevicesSync() throws {
        let files = try Files(devices: 3, [Files.record(1, "Kitchen", age: 500)])
        try files.rename(0, "Lab", at: 10)
        try files.use(1) { store in
            let device = try #require(AppDevice(id: "mac", name: "Bogdans-Mac.local"))
            try store.recordDiscovery(macAddress: "A4:C1:38:70:12:DD", by: device, at: Files.later(20))
        }
        let before = try FolderSnapshot(files.folder.path)
        let (outcome, devices) = try files.synchronized()
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(outcome.tallies.map(\.saves) == [1, 1, 0])
        for device in devices {
            #expect(Set(device[.meterName]) == ["Lab", nil])
            #expect(Set(device[.macAddress]) == [Files.address, "A4:C1:38:70:12:DD"])
        }
        #expect(try FolderSnapshot(files.folder.path).differences(from: before) == [])
    }

    @Test(
        "a conflict resolves by last write, whichever device comes first",
        arguments: [(10.0, 20.0, "Bench"), (20, 10, "Desk")])
    func lastWrite(phone: Double, mac: Double, expected: String) throws {
        let files = try Files(devices: 2, [Files.record(1, "Kitchen", age: 500)])
        try files.rename(0, "Desk", at: phone)
        try files.rename(1, "Bench", at: mac)
        let (outcome, devices) = try files.synchronized(by: .lastWriteWins)
        #expect(outcome.isConverged)
        #expect(devices.map { $0[.meterName] } == [[expected], [expected]])
        #expect(outcome.lost.map(\.value) == [], "the later one is the one the user typed last")
    }

    /// The first device uploads first, and the second one has the conflict.
    @Test(
        "a conflict is detected and resolved by each policy in its own way, and both versions are logged",
        arguments: [
            (MergePolicy.storeTrump, "Desk", "Bench", "fahrenheit"), (.objectTrump, "Bench", "Bench", "fahrenheit"),
            (.overwrite, "Bench", "Bench", ""), (.rollback, "Desk", "Kitchen", "fahrenheit"),
            (.lastWriteWins, "Bench", "Bench", ""),
        ])
    func policies(policy: MergePolicy, name: String, other: String, unit: String) throws {
        // Both name the same meter …
        let files = try Files(devices: 2, [Files.record(1, "Kitchen", age: 500)])
        try files.rename(0, "Desk", at: 10)
        try files.rename(1, "Bench", at: 20)
        let (outcome, devices) = try files.synchronized(by: policy)
        #expect(outcome.isConverged)
        #expect(devices.allSatisfy { $0[.meterName] == [name] })
        let conflict = try #require(outcome.userConflicts.first)
        #expect(Set([conflict.kept.text, conflict.givenUp.text]) == ["Desk", "Bench"])
        #expect(conflict.device == 1)
        // … or one of them names it while the other one chooses a unit.
        let both = try Files(devices: 2, [Files.record(1, "Kitchen", age: 500)])
        try both.use(0) {
            try $0.upsertDeviceSettings(
                macAddress: Files.address, meterName: nil, tc66TemperatureUnit: .fahrenheit, at: Files.later(10))
        }
        try both.rename(1, "Bench", at: 20)
        let (_, after) = try both.synchronized(by: policy)
        #expect(after.allSatisfy { $0[.meterName] == [other] })
        #expect(after.allSatisfy { $0[.tc66TemperatureUnit] == [unit.isEmpty ? nil : unit] })
    }

    @Test("a rebuild of one file updates the winner and deletes the duplicates, on every device")
    func rebuildSyncs() throws {
        let records = [
            Files.record(1, "Kitchen", age: 500), Files.record(2, nil, age: 10),
            Files.record(3, "Lab", address: "a4c1380b7e21", age: 200),
            Files.record(4, "Garage", address: "A4:C1:38:70:12:DD", age: 100),
        ]
        let files = try Files(devices: 2, records)
        let report = try ChangeRun.run(
            RebuildPlanner(policy: .mostComplete), on: files.paths[0], options: Self.changing)
        #expect((report.summary.updated, report.summary.deleted) == (1, 2))
        let (outcome, devices) = try files.synchronized()
        #expect(outcome.isConverged)
        #expect((outcome.tallies[0].saves, outcome.tallies[0].deletes) == (1, 2))
        for device in devices {
            #expect(Set(device[.meterName]) == ["Lab", "Garage"])
            #expect(Set(device.names) == [records[2].cloudRecordName!, records[3].cloudRecordName!])
            #expect(Set(device[.macAddress]) == [Files.address, "A4:C1:38:70:12:DD"])
        }
    }

    @Test("no address is there twice after a rebuild", arguments: UInt64(1)...12)
    func noDuplicates(seed: UInt64) throws {
        let files = try Files([StoreFixture(records: RandomStores.records(seed: seed))])
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: files.paths[0], options: Self.changing)
        let store = try SettingsStore(opening: files.paths[0])
        let addresses = try store.fetchAll().compactMap { $0.macAddress.flatMap(MACAddress.parse)?.address }
            .filter { !$0.isPlaceholder }
        try store.close()
        #expect(Set(addresses).count == addresses.count)
        #expect(!addresses.isEmpty)
    }

    @Test("a migration and a rebuild bring old data over")
    func oldData() throws {
        let old = [
            Files.record(1, "Kitchen", age: 9_000), Files.record(2, "Lab", address: "a4:c1:38:0b:7e:21", age: 500),
        ]
        let files = try Files([StoreFixture(.v1, records: old)])
        _ = try ChangeRun.run(MigrationPlanner(), on: files.paths[0], options: Self.changing)
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: files.paths[0], options: Self.changing)
        try files.use(0) { store in
            let settings = try #require(try store.fetch(for: Files.address))
            #expect(settings.meterName == "Lab")
            #expect(settings.createdAt == Files.later(-9_010.5))
            #expect(try store.fetchAll().count == 1)
        }
    }

    @Test("legacy values arrive in the store, and on the other devices")
    func legacyValues() throws {
        let files = try Files(devices: 2, [Files.record(1, nil, age: 500)])
        let dump = files.folder.path + "/names.json"
        try FileBytes.write(
            Array(
                """
                {"MeterNames": {"\(Files.address)": "Kitchen", "D0:5F:B8:26:C3:91": "Camper"},
                 "TC66TemperatureUnits": {"\(Files.address)": "fahrenheit"}}
                """.utf8), to: dump)
        let legacy = try KeyValueDump(.file(dump))
        let planner = ImportPlanner(LegacyValues(legacy.entries), sha256: legacy.sha256, policy: .keep)
        _ = try LegacyImport.run(planner, on: files.paths[0], creates: false, options: Self.changing)
        try files.use(0) { store in
            let settings = try store.fetch(for: Files.address)
            #expect(settings?.meterName == "Kitchen")
            #expect(settings?.tc66TemperatureUnit == "fahrenheit")
        }
        let (outcome, devices) = try files.synchronized()
        #expect(outcome.isConverged)
        #expect(Set(devices[1][.meterName]) == ["Kitchen", "Camper"])
    }
}
