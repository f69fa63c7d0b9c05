import MeterModel
import Testing

@testable import FleetSimulation

/// Apple's documentation of `NSMergePolicyType`, sentence by sentence.
@Suite("a merge policy")
struct MergePolicyTests {
    private typealias Small = SimulationTests

    private struct Values: Equatable, CustomStringConvertible {
        var name: String?
        var unit: String?
        var model: String?

        var description: String { [name, unit, model].map { $0 ?? "NULL" }.joined(separator: ", ") }
    }

    /// What both devices have in the end. Both begin with the name "Old" and no unit; the first one uploads first, and
    /// the second one has the conflict.
    private static func merged(
        _ policy: MergePolicy, first: [ScheduledEvent.Action], second: [ScheduledEvent.Action]
    ) -> [Values] {
        let old = Small.copy("r", Small.values("Old"))
        let simulation = Simulation(Small.fleet([[old], [old]], zone: [old]), .init(policy: policy))
        let events =
            first.enumerated().map { ScheduledEvent(Double($0), device: 0, $1) }
            + second.enumerated().map { ScheduledEvent(10 + Double($0), device: 1, $1) }
        let uploads = [0, 1].map { ScheduledEvent(100 + 50 * Double($0), device: $0, .export(Small.quick)) }
        let outcome = simulation.run(events + uploads)
        #expect(outcome.isConverged)
        return simulation.devices.map { device in
            let contents = DeviceContents(device.replica)
            return Values(
                name: contents[.meterName][0], unit: contents[.tc66TemperatureUnit][0],
                model: contents[.modelType][0])
        }
    }

    private static func rename(_ name: String) -> ScheduledEvent.Action { .rename(meter: 0, name) }
    private static let celsius = ScheduledEvent.Action.chooseUnit(meter: 0, .celsius)
    private static let fahrenheit = ScheduledEvent.Action.chooseUnit(meter: 0, .fahrenheit)

    @Test(
        "that merges by property keeps what only one side changed",
        arguments: [MergePolicy.storeTrump, .objectTrump])
    func byProperty(policy: MergePolicy) {
        let expected = Values(name: "Second", unit: "celsius")
        #expect(Self.merged(policy, first: [Self.celsius], second: [Self.rename("Second")]) == [expected, expected])
        let reversed = Values(name: "First", unit: "celsius")
        #expect(Self.merged(policy, first: [Self.rename("First")], second: [Self.celsius]) == [reversed, reversed])
    }

    @Test(
        "with which the store trumps gives the external changes precedence in what both sides changed, property by property"
    )
    func storeTrump() {
        let expected = Values(name: "First", unit: "celsius")
        let merged = Self.merged(
            .storeTrump, first: [Self.rename("First")], second: [Self.rename("Second"), Self.celsius])
        #expect(merged == [expected, expected])
    }

    @Test(
        "with which the object trumps gives the changes in memory precedence in what both sides changed, property by property"
    )
    func objectTrump() {
        let expected = Values(name: "Second", unit: "celsius")
        let merged = Self.merged(
            .objectTrump, first: [Self.rename("First"), Self.celsius], second: [Self.rename("Second")])
        #expect(merged == [expected, expected])
    }

    @Test("that overwrites pushes the object's whole state upon the store")
    func overwrite() {
        let expected = Values(name: "Second", unit: nil)
        let merged = Self.merged(.overwrite, first: [Self.celsius], second: [Self.rename("Second")])
        #expect(merged == [expected, expected])
    }

    @Test("that rolls back uses the store's version of the whole object")
    func rollback() {
        let expected = Values(name: "Old", unit: "celsius")
        let merged = Self.merged(.rollback, first: [Self.celsius], second: [Self.rename("Second")])
        #expect(merged == [expected, expected])
    }

    @Test("with which the last write wins takes the whole version with the later date")
    func lastWriteWins() {
        let expected = Values(name: "Second", unit: nil)
        let merged = Self.merged(.lastWriteWins, first: [Self.celsius], second: [Self.rename("Second")])
        #expect(merged == [expected, expected])
    }

    @Test("keeps both sides' value where they agree", arguments: MergePolicy.allCases)
    func agreement(policy: MergePolicy) {
        let expected = Values(name: "Same", unit: nil)
        let merged = Self.merged(policy, first: [Self.rename("Same")], second: [Self.rename("Same")])
        #expect(merged == [expected, expected])
    }

    /// What the server has changed is measured against the version that the change was made to, also after an upload in
    /// between.
    @Test("that merges by property compares with the version that was uploaded last")
    func secondChange() {
        let old = Small.copy("r", Small.values("Old"))
        let simulation = Simulation(Small.fleet([[old], [old]], zone: [old]), .init(policy: .storeTrump))
        let outcome = simulation.run([
            ScheduledEvent(0, device: 1, Self.rename("Mine")),
            ScheduledEvent(1, device: 1, .export(Small.quick)),
            // While that upload is on its way:
            ScheduledEvent(1.5, device: 1, Self.rename("Mine again")),
            ScheduledEvent(10, device: 0, .import(Small.quick, page: 400)),
            ScheduledEvent(20, device: 0, Self.fahrenheit),
            ScheduledEvent(21, device: 0, .export(Small.quick)),
            ScheduledEvent(30, device: 1, .export(Small.quick)),
        ])
        #expect(outcome.isConverged)
        for device in simulation.devices {
            let contents = DeviceContents(device.replica)
            #expect(contents[.meterName] == ["Mine again"])
            #expect(contents[.tc66TemperatureUnit] == ["fahrenheit"])
        }
    }

    @Test("of the app itself lets the store trump")
    func ofTheApp() { #expect(MergePolicy.ofTheApp == .storeTrump) }
}
