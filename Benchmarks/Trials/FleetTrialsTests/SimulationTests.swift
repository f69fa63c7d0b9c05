import MeterModel
import MeterTestSupport
import Testing

@testable import FleetSimulation

@Suite("a simulation")
struct SimulationTests {
    typealias Transit = ScheduledEvent.Transit

    static let layout = RecordLayout.withoutMetadata
    static let quick = Transit(up: 1, down: 1)

    static func values(_ name: String?, age: Double = 100, model: String? = nil) -> [FieldValue] {
        var values = Array(repeating: FieldValue.null, count: layout.fields.count)
        func set(_ field: SettingsField, _ value: FieldValue) { values[layout.position(of: field)!] = value }
        set(.macAddress, .text(DeviceFiles.address))
        if let name { set(.meterName, .text(name)) }
        if let model { set(.modelType, .text(model)) }
        set(.createdAt, .real(FixtureClock.now - age))
        set(.updatedAt, .real(FixtureClock.now - age))
        return values
    }

    static func copy(_ name: String, _ values: [FieldValue], _ standing: Fleet.Copy.Standing = .uploaded)
        -> Fleet.Copy
    {
        Fleet.Copy(name: name, values: values, standing: standing)
    }

    static func fleet(_ devices: [[Fleet.Copy]], zone: [Fleet.Copy], unknown: Set<String> = []) -> Fleet {
        Fleet(
            layout: layout,
            meters: [.init(address: MACAddress.parse(DeviceFiles.address)!.address, modelType: "TC66C")],
            devices: devices.enumerated().map { index, records in
                Fleet.Device(
                    identity: AppDevice(id: "d\(index)", name: "Device \(index)")!,
                    unknownFields: index == 0 ? unknown : [], records: records)
            }, zone: zone, start: DeviceFiles.now)
    }

    static func names(_ simulation: Simulation) -> [[String?]] {
        simulation.devices.map { DeviceContents($0.replica)[.meterName] }
    }

    @Test("two devices that see a meter before they hear of each other make two records of it")
    func duplicatesComeAbout() {
        let simulation = Simulation(Self.fleet([[], []], zone: []), .init(policy: .lastWriteWins))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .hear(meter: 0)), ScheduledEvent(5, device: 1, .rename(meter: 0, "Kitchen")),
        ])
        #expect(outcome.isConverged)
        #expect(outcome.severalRecords.count == 1)
        #expect(outcome.lost.isEmpty)
    }

    @Test("changes that were not uploaded survive a crash, and are uploaded once although the answer was lost")
    func crash() {
        let record = Self.copy("r", Self.values("Old"))
        let simulation = Simulation(Self.fleet([[record], [record]], zone: [record]), .init(policy: .storeTrump))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")),
            // The zone does it at 1; at 2 nobody is there to hear.
            ScheduledEvent(1, device: 0, .export(Self.quick)), ScheduledEvent(2.5, device: 0, .crash),
        ])
        #expect(outcome.isConverged)
        #expect(Self.names(simulation) == [["New"], ["New"]])
        #expect(outcome.lost.isEmpty)
        #expect(outcome.userConflicts.isEmpty, "it met its own version")
    }

    @Test("a record whose upload was never confirmed is deleted in the cloud too")
    func unconfirmed() {
        let old = Self.copy("a", Self.values("Kitchen", model: "TC66C"))
        let new = Self.copy("b", Self.values(nil), .new)
        let simulation = Simulation(Self.fleet([[old, new], [old]], zone: [old]), .init(policy: .storeTrump))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .export(Self.quick)), ScheduledEvent(1.5, device: 0, .crash),
            ScheduledEvent(3, device: 0, .repair),
        ])
        #expect(Self.names(simulation) == [["Kitchen"], ["Kitchen"]])
        #expect(outcome.tallies[0].deletes == 1)
        #expect(outcome.hasNoLoss)
    }

    @Test("a network failure loses the request under way, and nothing else")
    func cut() {
        let record = Self.copy("r", Self.values("Old"))
        let simulation = Simulation(Self.fleet([[record], [record]], zone: [record]), .init(policy: .storeTrump))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")), ScheduledEvent(1, device: 0, .export(Self.quick)),
            ScheduledEvent(1.5, device: 0, .cutNetwork), ScheduledEvent(9, device: 0, .export(Self.quick)),
            ScheduledEvent(20, device: 1, .import(Self.quick, page: 400)),
        ])
        #expect(Self.names(simulation) == [["New"], ["New"]])
        #expect(outcome.tallies[0].saves == 1)
        #expect(outcome.isConverged)
    }

    @Test("a record of a newer version stops the import until the upgrade, and loses nothing")
    func newerVersion() {
        let old = Self.copy("a", Self.values("Old"))
        let newer = Self.copy("b", Self.values(nil, model: "TC66C"))
        let later = Self.copy("c", Self.values("Later"))
        let fleet = Self.fleet([[old], [old, newer, later]], zone: [old, newer, later], unknown: ["modelType"])
        let blocked = Simulation(fleet, .init(policy: .lastWriteWins))
        let outcome = blocked.run([ScheduledEvent(0, device: 0, .rename(meter: 0, "Mine"))])
        #expect(!outcome.isConverged)
        #expect(outcome.obstacles.count == 1 && outcome.obstacles[0].contains("waits for an upgrade"))
        #expect(Self.names(blocked)[0] == ["Mine"])
        let upgraded = Simulation(fleet, .init(policy: .lastWriteWins))
        let after = upgraded.run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "Mine")), ScheduledEvent(1, device: 0, .settle),
            ScheduledEvent(2, device: 0, .upgrade),
        ])
        #expect(after.isConverged)
        #expect(Set(Self.names(upgraded)[0]) == ["Mine", nil, "Later"])
    }

    @Test("a change of a record that has a newer version in the cloud waits for the upgrade, and then both are there")
    func newerVersionInTheWay() {
        let old = Self.copy("a", Self.values("Old"))
        let newer = Self.copy("a", Self.values("Old", age: 50, model: "TC66C"))
        let fleet = Self.fleet([[old], [newer]], zone: [newer], unknown: ["modelType"])
        let simulation = Simulation(fleet, .init(policy: .objectTrump))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "Mine")), ScheduledEvent(1, device: 0, .export(Self.quick)),
            ScheduledEvent(9, device: 0, .upgrade), ScheduledEvent(10, device: 0, .export(Self.quick)),
        ])
        #expect(outcome.isConverged)
        #expect(outcome.tallies[0].conflicts == 2)
        for device in simulation.devices {
            #expect(DeviceContents(device.replica)[.meterName] == ["Mine"])
            #expect(DeviceContents(device.replica)[.modelType] == ["TC66C"])
        }
    }

    @Test("a thousand new records are uploaded in batches of at most 400, and a full account stops all of them")
    func batches() {
        let many = (0..<1_000).map { Self.copy("r\($0)", Self.values("N\($0)"), .new) }
        let simulation = Simulation(Self.fleet([many, []], zone: []), .init(policy: .objectTrump))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .fillQuota), ScheduledEvent(1, device: 0, .export(Self.quick)),
            ScheduledEvent(10, device: 0, .relieveQuota), ScheduledEvent(11, device: 0, .throttle(seconds: 60)),
            ScheduledEvent(12, device: 0, .export(Self.quick)), ScheduledEvent(20, device: 0, .export(Self.quick)),
            ScheduledEvent(80, device: 0, .export(Self.quick)),
        ])
        #expect(outcome.tallies[0].saves == 1_000)
        #expect(outcome.tallies[0].batches == 3)
        #expect(outcome.tallies[1].received == 1_000)
        #expect(outcome.isConverged)
    }

    /// The smallest schedule that one of 1,000 meters was shrunk to: a record that one device has changed and the
    /// other has not heard of is kept by the first and deleted by the second.
    @Test("two devices that repair with different data delete each other's record", arguments: MergePolicy.allCases)
    func mutualDeletion(policy: MergePolicy) throws {
        let records = [
            Self.copy("a", Self.values("Kitchen", age: 100)), Self.copy("b", Self.values("Kitchen", age: 50)),
        ]
        var heard = Self.values("Kitchen", age: 100)
        heard[Self.layout.position(of: .updatedAt)!] = .real(FixtureClock.now - 10)
        let changed = Self.copy("a", heard, .changed(fields: ["updatedAt"]))
        let fleet = Self.fleet([records, [changed, records[1]]], zone: records)
        var options = Simulation.Options(policy: policy)
        let schedule = [ScheduledEvent(0, device: 0, .repair), ScheduledEvent(1, device: 1, .repair)]
        let outcome = Simulation(fleet, options).run(schedule)
        #expect(outcome.metersWithoutRecord == [0])
        #expect(outcome.lost.map(\.value) == ["Kitchen"])
        options.watched = outcome.lost
        let end = try #require(Simulation(fleet, options).run(schedule).ends[outcome.lost[0]])
        #expect(end.text.contains("deletion of record"))
        // Synced first, the same two repairs agree.
        let rested = Simulation(fleet, .init(policy: policy)).run([ScheduledEvent(0, device: 0, .settle)] + schedule)
        #expect(rested.hasNoLoss)
    }

    @Test("the deprecated rebuild uploads and deletes everything, on each device, and makes duplicates")
    func deleteStorm() {
        let records = (0..<3).map { Self.copy("r\($0)", Self.values("Kitchen", age: Double($0))) }
        func outcome(_ strategy: RepairStrategy) -> Outcome {
            Simulation(
                Self.fleet([records, records, records], zone: records), .init(policy: .objectTrump, strategy: strategy)
            )
            .run((0..<3).map { ScheduledEvent(0, device: $0, .repair) })
        }
        let storm = outcome(.v2)
        #expect(storm.tallies.map(\.repairSaves) == [1, 1, 1])
        #expect(storm.severalRecords.count == 1)
        let canonical = outcome(.v3)
        #expect(canonical.severalRecords.isEmpty)
        #expect(canonical.tallies.map(\.repairSaves).reduce(0, +) <= 3)
        #expect(canonical.hasNoLoss)
    }

    @Test("a schedule is shrunk to the events that matter")
    func shrinking() {
        let schedule = (0..<200).map { ScheduledEvent(Double($0), device: $0 % 3, .hear(meter: 0)) }
        var runs = 0
        let shortest = ShortestSchedule(of: schedule, runs: 2_000) { events in
            runs += 1
            return events.contains { $0.time == 17 } && events.contains { $0.time == 150 }
        }
        #expect(shortest.events.map(\.time) == [17, 150])
        #expect(runs < 200)
    }
}
