import MeterModel
import MeterTestSupport
import Testing

@testable import FleetSimulation

/// The smallest examples of what Documentation/several-devices.md does not promise.
@Suite("what a repair while devices are in use cannot promise")
struct CounterexampleTests {
    private typealias Small = SimulationTests

    private static let nameless = Small.copy("a", Small.values(nil, age: 200_000))
    private static let named = Small.copy("b", Small.values("Old", age: 100_000))

    /// Both devices have the same two records and find the nameless one first.
    private static func outcomes(
        _ schedule: [ScheduledEvent], _ policy: MergePolicy, _ strategy: RepairStrategy
    ) -> (with: Outcome, without: Outcome) {
        let records = [nameless, named]
        let fleet = Small.fleet([records, records], zone: records)
        func outcome(_ schedule: [ScheduledEvent]) -> Outcome {
            Simulation(fleet, .init(policy: policy, strategy: strategy)).run(schedule)
        }
        return (outcome(schedule), outcome(schedule.filter { $0.action != .repair }))
    }

    private static let typing = ScheduledEvent(0, device: 1, .rename(meter: 0, "New"))
    private static let repair = ScheduledEvent(1, device: 0, .repair)

    /// The device that uploads later has the conflict. So whatever a repair writes to a field that is typed into
    /// elsewhere at this moment, one order of uploads loses what is typed, with each of these policies.
    @Test(
        "the value that first aid fills in beats the one that is typed elsewhere at the same time",
        arguments: [(MergePolicy.storeTrump, 0), (.rollback, 0), (.objectTrump, 1), (.overwrite, 1)])
    func fillBeatsTyping(policy: MergePolicy, first: Int) {
        let uploads = [first, 1 - first].enumerated().map { order, device in
            ScheduledEvent(10 * Double(order + 1), device: device, .export(Small.quick))
        }
        let (with, without) = Self.outcomes([Self.typing, Self.repair] + uploads, policy, .firstAid)
        #expect(with.lost.map(\.value) == ["New"])
        #expect(without.lost.isEmpty)
    }

    @Test(
        "if the last write wins, the value that is typed elsewhere beats the one that first aid fills in",
        arguments: [0, 1])
    func typingBeatsFill(first: Int) {
        let uploads = [first, 1 - first].enumerated().map { order, device in
            ScheduledEvent(10 * Double(order + 1), device: device, .export(Small.quick))
        }
        let (with, _) = Self.outcomes([Self.typing, Self.repair] + uploads, .lastWriteWins, .firstAid)
        #expect(with.lost.isEmpty)
    }

    /// Unless the clock of that device is behind: then what is typed there counts as older than the record.
    @Test("if the last write wins, first aid beats what is typed on a device whose clock is behind")
    func clockBehind() {
        let recent = Small.copy("a", Small.values(nil, age: 10))
        let records = [recent, Self.named]
        let devices = [0.0, -600].enumerated().map { index, error in
            Fleet.Device(
                identity: AppDevice(id: "d\(index)", name: "Device \(index)")!, clockError: error, records: records)
        }
        let fleet = Small.fleet([records, records], zone: records)
        let late = Fleet(
            layout: fleet.layout, meters: fleet.meters, devices: devices, zone: records, start: fleet.start)
        let schedule = [Self.typing, Self.repair, ScheduledEvent(10, device: 0, .export(Small.quick))]
        func lost(_ schedule: [ScheduledEvent]) -> [String] {
            Simulation(late, .init(policy: .lastWriteWins, strategy: .firstAid)).run(schedule).lost.map(\.value)
        }
        #expect(lost(schedule) == ["New"])
        #expect(lost(schedule.filter { $0.action != .repair }) == [])
    }

    /// The store of device 0 shows all that a store can show: nothing waits, first aid has nothing to do, and nothing
    /// has changed for a day. What another device types at this moment it cannot show.
    @Test(
        "a duplicate that looks quiet is deleted while another device types into it", arguments: MergePolicy.allCases)
    func quietDuplicate(policy: MergePolicy) {
        let records = [Small.copy("a", Small.values("Old", age: 200_000)), Self.named]
        let fleet = Small.fleet([records, records], zone: records)
        let schedule = [Self.typing, Self.repair, ScheduledEvent(10, device: 0, .export(Small.quick))]
        func lost(_ schedule: [ScheduledEvent]) -> [String] {
            Simulation(fleet, .init(policy: policy, strategy: .quietRebuild)).run(schedule).lost.map(\.value)
        }
        #expect(lost(schedule) == ["New"])
        #expect(lost(schedule.filter { $0.action != .repair }) == [])
    }
}
