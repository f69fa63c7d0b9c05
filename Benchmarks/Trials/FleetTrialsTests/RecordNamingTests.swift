import Foundation
import MeterModel
import Testing

@testable import FleetSimulation

/// What would happen if all devices chose the same name for the record of a meter.
@Suite("a name from the meter's address")
struct RecordNamingTests {
    private typealias Small = SimulationTests

    private static let name = RecordNaming.name(of: MACAddress.parse(DeviceFiles.address)!.address)
    private static let record = Small.copy(name, Small.values("Old"))

    private static func simulation(
        _ naming: RecordNaming, _ devices: [[Fleet.Copy]], zone: [Fleet.Copy] = [],
        _ policy: MergePolicy = .ofTheApp, strategy: RepairStrategy = .v3
    ) -> Simulation {
        var options = Simulation.Options(policy: policy, strategy: strategy)
        options.naming = naming
        return Simulation(Small.fleet(devices, zone: zone), options)
    }

    private static func rename(_ time: Double, _ name: String, on device: Int = 0) -> ScheduledEvent {
        ScheduledEvent(time, device: device, .rename(meter: 0, name))
    }

    @Test("makes one record of what two devices create at once, where random names make two")
    func createdTwice() {
        let schedule = [ScheduledEvent(0, device: 0, .hear(meter: 0)), Self.rename(1, "Kitchen", on: 1)]
        for (naming, several) in [(RecordNaming.random, 1), (.fromAddress, 0)] {
            let outcome = Self.simulation(naming, [[], []]).run(schedule)
            #expect(outcome.severalRecords.count == several)
            #expect(outcome.lost.isEmpty && outcome.isConverged, "\(outcome.obstacles)")
        }
    }

    @Test(
        "loses one of two names typed at once, whichever policy; random names keep both",
        arguments: MergePolicy.allCases)
    func namedTwice(policy: MergePolicy) {
        // Device 1 types last and uploads first, or last.
        let typed = [Self.rename(0, "Cellar"), Self.rename(1, "Kitchen", on: 1)]
        let uploads = [[0, 1], [1, 0]].map { order in
            order.enumerated().map {
                ScheduledEvent(10 + 10 * Double($0.offset), device: $0.element, .export(Small.quick))
            }
        }
        let lost = uploads.map { order in
            Self.simulation(.fromAddress, [[], []], policy).run(typed + order).lost.map(\.value)
        }
        let expected: [[String]] =
            switch policy {
            case .storeTrump, .rollback: [["Kitchen"], []]
            case .objectTrump, .overwrite: [[], ["Kitchen"]]
            case .lastWriteWins: [[], []]
            }
        #expect(lost == expected)
        for order in uploads {
            #expect(Self.simulation(.random, [[], []], policy).run(typed + order).lost.isEmpty)
        }
    }

    @Test("finds the record also if it was written in the other letter case")
    func letterCase() {
        let lower = Self.record.values.map { value in
            value.text == DeviceFiles.address ? FieldValue.text(DeviceFiles.address.lowercased()) : value
        }
        let copy = Small.copy(Self.name, lower)
        let simulation = Self.simulation(.fromAddress, [[copy], [copy]], zone: [copy])
        let outcome = simulation.run([Self.rename(0, "New")])
        #expect(Small.names(simulation) == [["New"], ["New"]])
        #expect(outcome.severalRecords.isEmpty)
    }

    @Test("creates again what was deleted here, and the deletion does not follow it")
    func deletedAndCreated() {
        let deleted = Fleet.Copy(name: Self.name, values: [], standing: .deleted)
        let simulation = Self.simulation(.fromAddress, [[deleted], [Self.record]], zone: [Self.record])
        let outcome = simulation.run([Self.rename(0, "New"), ScheduledEvent(5, device: 0, .export(Small.quick))])
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(outcome.metersWithoutRecord.isEmpty && outcome.severalRecords.isEmpty)
    }

    @Test("a deletion from elsewhere takes with it what was created again meanwhile, where random names keep it")
    func deletionAfterCreation() {
        let deleted = Fleet.Copy(name: Self.name, values: [], standing: .deleted)
        // Device 0 has deleted it and is offline; device 1 fetches the deletion of nothing yet and types.
        let schedule = [
            Self.rename(0, "New", on: 1), ScheduledEvent(1, device: 1, .export(Small.quick)),
            ScheduledEvent(20, device: 0, .export(Small.quick)),
        ]
        let shared = Self.simulation(.fromAddress, [[deleted], []], zone: [Self.record]).run(schedule)
        #expect(shared.metersWithoutRecord == [0])
        #expect(shared.lost.map(\.value) == ["New"])
        let old = Small.copy("r", Small.values("Old"))
        let own = Self.simulation(
            .random, [[Fleet.Copy(name: "r", values: [], standing: .deleted)], []], zone: [old]
        ).run(schedule)
        #expect(own.metersWithoutRecord.isEmpty && own.lost.isEmpty)
    }

    @Test("a device whose change token has expired meets the record that another one has created again")
    func expiredToken() {
        let simulation = Self.simulation(.fromAddress, [[Self.record], []])
        let outcome = simulation.run([
            Self.rename(0, "New", on: 1), ScheduledEvent(1, device: 1, .export(Small.quick)),
            ScheduledEvent(20, device: 0, .resetMirror(.tokenExpired, Small.quick)),
        ])
        #expect(outcome.severalRecords.isEmpty)
        #expect(Small.names(simulation) == [["New"], ["New"]])
    }

    @Test("a move renames every record: one deletion and one upload for each that has no such name yet")
    func move() {
        let first = Small.copy("a", Small.values("Old"))
        let second = Small.copy("b", Small.values(nil))
        let simulation = Self.simulation(
            .fromAddress, [[first, second], [first, second]], zone: [first, second], strategy: .v2)
        let outcome = simulation.run([ScheduledEvent(0, device: 0, .repair)])
        #expect(outcome.tallies[0].repairDeletes == 2)
        #expect(outcome.tallies[0].repairSaves == 1)
        #expect(Small.names(simulation) == [["Old"], ["Old"]])
        let again = Self.simulation(.fromAddress, [[Self.record]], zone: [Self.record], strategy: .v2)
            .run([ScheduledEvent(0, device: 0, .repair)])
        #expect(again.tallies[0].repairDeletes + again.tallies[0].repairSaves == 0)
    }
}
