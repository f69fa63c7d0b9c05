import CoreDataStore
import MeterModel
import MeterStore
import MeterTestSupport

@testable import FleetSimulation

/// The store files of a user's devices, and a simulation that begins with them.
struct DeviceFiles {
    static let now = Timestamp(secondsSince2001: FixtureClock.now)
    static let address = "A4:C1:38:0B:7E:21"

    let folder: TemporaryFolder
    let paths: [String]

    /// - Parameter fixtures: one a device.
    init(_ fixtures: [StoreFixture]) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        paths = try fixtures.enumerated().map { try folder.store($1, named: "device\($0 + 1).sqlite") }
    }

    /// Devices that have the same mirrored records.
    init(devices: Int, _ records: [FixtureRecord]) throws {
        let fixture = StoreFixture(records: records).with { $0.mirror = .current }
        try self.init(Array(repeating: fixture, count: devices))
    }

    static func later(_ seconds: Double) -> Timestamp { Timestamp(secondsSince2001: FixtureClock.now + seconds) }

    static func record(_ row: Int64, _ name: String?, address: String = address, age: Double) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: address, meterName: name).with {
            $0.id = FixtureUUID(UInt64(row)).bytes
            $0.createdAt = FixtureClock.now - age - 10.5
            $0.updatedAt = FixtureClock.now - age + 0.5
            $0.cloudRecordName = FixtureUUID(UInt64(row) + 70).text
        }
    }

    /// Does something with one device's store, as its app would.
    func use(_ device: Int, _ body: (SettingsStore) throws -> Void) throws {
        let store = try SettingsStore(opening: paths[device])
        do {
            try body(store)
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    func rename(_ device: Int, _ name: String, at seconds: Double) throws {
        try use(device) {
            try $0.upsertDeviceSettings(
                macAddress: Self.address, meterName: name, tc66TemperatureUnit: nil, at: Self.later(seconds))
        }
    }

    func fleet() throws -> Fleet {
        Fleet(try paths.map { try StoreCopy($0, now: Self.later(60)) }, start: Self.later(60))
    }

    /// Lets the devices sync until nothing is left to do.
    func synchronized(
        by policy: MergePolicy = .lastWriteWins, _ schedule: [ScheduledEvent] = []
    ) throws -> (outcome: Outcome, devices: [DeviceContents]) {
        let simulation = Simulation(try fleet(), .init(policy: policy))
        let outcome = simulation.run(schedule)
        return (outcome, simulation.devices.map { DeviceContents($0.replica) })
    }
}

/// What a simulated device has.
struct DeviceContents {
    let layout: RecordLayout
    /// In the order of row numbers.
    let records: [[FieldValue]]
    let names: [String]

    init(_ replica: Replica) {
        layout = replica.layout
        let numbers = replica.numbers.sorted { replica[$0]!.row < replica[$1]!.row }
        records = numbers.map { replica[$0]!.values }
        names = numbers.map { replica.register.name(of: $0) }
    }

    /// The text of each record.
    subscript(field: SettingsField) -> [String?] { records.map { $0[layout.position(of: field)!].text } }
}
