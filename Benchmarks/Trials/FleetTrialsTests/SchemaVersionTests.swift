import Foundation
import MeterModel
import Testing

@testable import FleetSimulation

/// What an older version of the app does with what a newer one has uploaded. The newer one has the unit.
@Suite("an older version of the app beside a newer one")
struct SchemaVersionTests {
    private typealias Small = SimulationTests

    private static let position = Small.layout.position(of: .tc66TemperatureUnit)!
    private static let old = Small.copy("r", Small.values("Old"))

    /// Device 0 has the older version.
    private static func simulation(_ olderApps: OlderApps) -> Simulation {
        var options = Simulation.Options(policy: .ofTheApp)
        options.olderApps = olderApps
        options.isNarrated = true
        return Simulation(
            Small.fleet([[old], [old]], zone: [old], unknown: [SettingsField.tc66TemperatureUnit.rawValue]), options)
    }

    private static func units(_ simulation: Simulation) -> [[String?]] {
        simulation.devices.map { DeviceContents($0.replica)[.tc66TemperatureUnit] }
    }

    /// Device 1 chooses a unit; device 0 names the meter, fetches and uploads.
    private static let schedule = [
        ScheduledEvent(0, device: 1, .chooseUnit(meter: 0, .celsius)),
        ScheduledEvent(1, device: 1, .export(Small.quick)),
        ScheduledEvent(10, device: 0, .import(Small.quick, page: 400)),
        ScheduledEvent(20, device: 0, .rename(meter: 0, "New")), ScheduledEvent(30, device: 0, .export(Small.quick)),
    ]
    private static let upgrade = [ScheduledEvent(100, device: 0, .settle), ScheduledEvent(101, device: 0, .upgrade)]

    @Test("skips the field, syncs the others, and has the field's value once it is updated")
    func skips() {
        let before = Self.simulation(.skipFields)
        let outcome = before.run(Self.schedule)
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(Small.names(before) == [["New"], ["New"]])
        #expect(Self.units(before) == [[nil], ["celsius"]])
        let after = Self.simulation(.skipFields)
        #expect(after.run(Self.schedule + Self.upgrade).isConverged)
        #expect(Self.units(after) == [["celsius"], ["celsius"]])
    }

    @Test("empties the field for all if it uploads whole records")
    func drops() {
        let simulation = Self.simulation(.dropFields)
        let outcome = simulation.run(Self.schedule + Self.upgrade)
        #expect(Self.units(simulation) == [[nil], [nil]])
        #expect(outcome.lost.map(\.value) == ["celsius"])
    }

    @Test("keeps what the updated app chose before it had fetched everything again")
    func choosesAfterUpdate() {
        let simulation = Self.simulation(.skipFields)
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .upgrade), ScheduledEvent(1, device: 0, .chooseUnit(meter: 0, .fahrenheit)),
        ])
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(Self.units(simulation) == [["fahrenheit"], ["fahrenheit"]])
    }

    @Test("uploads and fetches nothing once it has seen a higher version, and goes on when it is updated")
    func stops() {
        let before = Self.simulation(.stopSync)
        let outcome = before.run(Self.schedule)
        #expect(!outcome.isConverged)
        #expect(outcome.tallies[0].saves == 0)
        #expect(Small.names(before) == [["New"], ["Old"]])
        let after = Self.simulation(.stopSync)
        #expect(after.run(Self.schedule + Self.upgrade).isConverged)
        #expect(Small.names(after) == [["New"], ["New"]])
        #expect(Self.units(after) == [["celsius"], ["celsius"]])
    }

    @Test("stops also where the newer version has uploaded no new field: the number travels, not the field")
    func stopsWithoutNewField() {
        let simulation = Self.simulation(.stopSync)
        let outcome = simulation.run([
            ScheduledEvent(0, device: 1, .rename(meter: 0, "Theirs")),
            ScheduledEvent(1, device: 1, .export(Small.quick)),
            ScheduledEvent(10, device: 0, .import(Small.quick, page: 400)),
        ])
        #expect(!outcome.isConverged)
        #expect(Small.names(simulation) == [["Old"], ["Theirs"]])
        #expect(
            Self.simulation(.stopAtRecord).run([ScheduledEvent(0, device: 1, .rename(meter: 0, "Theirs"))]).isConverged)
    }

    @Test("a device in a drawer loses what it typed while it was stopped, if a rebuild deletes the record meanwhile")
    func drawer() {
        let loser = Small.copy("s", Small.values(nil, age: 500))
        let fleet = Small.fleet(
            [[loser], [Self.old, loser]], zone: [Self.old, loser], unknown: [SettingsField.tc66TemperatureUnit.rawValue]
        )
        let schedule = [
            ScheduledEvent(0, device: 1, .chooseUnit(meter: 0, .celsius)),
            ScheduledEvent(1, device: 1, .export(Small.quick)),
            ScheduledEvent(10, device: 0, .import(Small.quick, page: 400)),
            ScheduledEvent(20, device: 0, .rename(meter: 0, "Drawer")), ScheduledEvent(30, device: 0, .settle),
            ScheduledEvent(40, device: 1, .repair), ScheduledEvent(50, device: 1, .settle),
            ScheduledEvent(60, device: 0, .upgrade),
        ]
        func lost(_ olderApps: OlderApps) -> [String] {
            var options = Simulation.Options(policy: .ofTheApp)
            options.olderApps = olderApps
            return Simulation(fleet, options).run(schedule).lost.map(\.value)
        }
        #expect(lost(.stopSync) == ["Drawer"])
        #expect(lost(.skipFields) == [])
    }
}
