import CoreDataStore
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import FleetSimulation

/// A simulation works on records in memory. It is to be believed as far as it does what the operations on files do.
@Suite("a simulated device")
struct ModelAndFileTests {
    @Test("has after a rebuild what the file has after it, record by record", arguments: UInt64(1)...12)
    func rebuild(seed: UInt64) throws {
        let fixture = StoreFixture(records: RandomStores.records(seed: seed)).with {
            $0.mirror = .current
            $0.lockEncoding = [.flat, .both, .blob][Int(seed % 3)]
        }
        let files = try DeviceFiles([fixture])
        let start = DeviceFiles.later(60)
        let simulation = Simulation(try files.fleet(), .init(policy: .objectTrump))
        _ = simulation.run([ScheduledEvent(0, device: 0, .repair)])
        var options = ChangeOptions(now: start)
        options.makesBackup = false
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: files.paths[0], options: options)
        let after = try files.fleet().devices[0].records.filter { $0.standing != .deleted }
        let model = DeviceContents(simulation.devices[0].replica)
        let file = Dictionary(uniqueKeysWithValues: after.map { ($0.name, $0.values) })
        #expect(Dictionary(uniqueKeysWithValues: zip(model.names, model.records)) == file)
        #expect(!file.isEmpty)
    }

    @Test(
        "uploads after a rebuild of its file what the rebuild of its records makes it upload", arguments: UInt64(1)...6
    )
    func pending(seed: UInt64) throws {
        let fixture = StoreFixture(records: RandomStores.records(seed: seed)).with { $0.mirror = .current }
        let files = try DeviceFiles([fixture])
        let inMemory = Simulation(try files.fleet(), .init(policy: .objectTrump))
        let repaired = inMemory.run([ScheduledEvent(0, device: 0, .repair)])
        var options = ChangeOptions(now: DeviceFiles.later(60))
        options.makesBackup = false
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: files.paths[0], options: options)
        let (fromFile, _) = try files.synchronized(by: .objectTrump)
        #expect(fromFile.tallies[0].saves == repaired.tallies[0].saves)
        #expect(fromFile.tallies[0].deletes == repaired.tallies[0].deletes)
    }

    /// Random operations of the app, one after the other, on a file and in memory.
    @Test("writes what the settings store writes", arguments: UInt64(1)...6)
    func operations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let encoding: USBMeterModel.LockEncoding = [.flat, .both][Int(seed % 2)]
        let fixture = StoreFixture(records: [DeviceFiles.record(1, "Kitchen", age: 500)]).with {
            $0.mirror = .current
            $0.lockEncoding = encoding
        }
        let files = try DeviceFiles([fixture])
        let known = try files.fleet()
        let second = Fleet.Meter(address: MACAddress(bits: 0xA4C1_3870_12DD), modelType: nil)
        let fleet = Fleet(
            layout: known.layout, meters: known.meters + [second], devices: known.devices, zone: known.zone,
            start: known.start)
        let device = fleet.devices[0].identity
        let store = try SettingsStore(opening: files.paths[0])
        var schedule: [ScheduledEvent] = []
        var time = 0.0
        for step in 0..<40 {
            // Never long enough for a heartbeat.
            time += Double.random(in: 1...50, using: &random)
            let meter = Int.random(in: 0...1, using: &random)
            let address = fleet.meters[meter].address.text(in: .upper)
            let now = Timestamp(secondsSince2001: fleet.start.secondsSince2001 + time)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                schedule.append(ScheduledEvent(time, device: 0, .rename(meter: meter, "Name \(step)")))
                try store.upsertDeviceSettings(
                    macAddress: address, meterName: "Name \(step)", tc66TemperatureUnit: nil, at: now)
            case 1:
                schedule.append(ScheduledEvent(time, device: 0, .chooseUnit(meter: meter, .celsius)))
                try store.upsertDeviceSettings(
                    macAddress: address, meterName: nil, tc66TemperatureUnit: .celsius, at: now)
            case 2:
                schedule.append(ScheduledEvent(time, device: 0, .hear(meter: meter)))
                try store.recordDiscovery(macAddress: address, by: device, at: now)
            default:
                schedule.append(ScheduledEvent(time, device: 0, .connect(meter: meter)))
                schedule.append(ScheduledEvent(time + 0.5, device: 0, .disconnect(meter: meter)))
                let end = Timestamp(secondsSince2001: fleet.start.secondsSince2001 + (time + 0.5))
                // It is heard before it is connected to.
                try store.recordDiscovery(macAddress: address, by: device, at: now)
                try store.setConnection(
                    macAddress: address, modelType: fleet.meters[meter].modelType, by: device, at: now)
                try store.clearConnection(macAddress: address, at: end)
                time += 1
            }
        }
        try store.close()
        let simulation = Simulation(fleet, .init(policy: .objectTrump))
        _ = simulation.run(schedule)
        let model = DeviceContents(simulation.devices[0].replica)
        let file = try files.fleet().devices[0].records.map(\.values)
        let layout = fleet.layout
        #expect(model.records.count == file.count)
        for (left, right) in zip(model.records, file) {
            for field in layout.fields.indices where layout.fields[field].known != .id {
                #expect(left[field] == right[field], "\(layout.fields[field].name)")
            }
        }
    }
}
