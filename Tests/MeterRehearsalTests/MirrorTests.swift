import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRehearsal

/// What the mirror of a device does by itself after an error.
@Suite("the mirror of a simulated device")
struct MirrorTests {
    private typealias Small = SimulationTests

    private static let old = Small.copy("r", Small.values("Old"))

    /// Two devices that have the same record.
    private static func pair(_ policy: MergePolicy = .lastWriteWins) -> Simulation {
        var options = Simulation.Options(policy: policy)
        options.isNarrated = true
        return Simulation(Small.fleet([[old], [old]], zone: [old]), options)
    }

    /// When something was uploaded.
    private static func uploads(_ outcome: Outcome) -> [Double] {
        outcome.steps.filter { $0.text.hasPrefix("uploads") }.map(\.time)
    }

    @Test("uploads what waits as soon as the network is back, not when the app syncs next")
    func networkIsBack() {
        let simulation = Self.pair()
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .cutNetwork), ScheduledEvent(1, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(2, device: 0, .export(Small.quick)),
            ScheduledEvent(10, device: 0, .restoreNetwork(Small.quick)),
            ScheduledEvent(5_000, device: 1, .import(Small.quick, page: 400)),
        ])
        #expect(Self.uploads(outcome) == [11])
        #expect(Small.names(simulation) == [["New"], ["New"]])
    }

    @Test("does nothing more if the network was there all the time")
    func networkWasThere() {
        let outcome = Self.pair().run([
            ScheduledEvent(1, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(10, device: 0, .restoreNetwork(Small.quick)),
            ScheduledEvent(50, device: 0, .export(Small.quick)), ScheduledEvent(60, device: 0, .settle),
        ])
        #expect(Self.uploads(outcome) == [51])
    }

    @Test("tries again by itself when the time that CloudKit asked for is over, and not before")
    func retry() {
        let outcome = Self.pair().run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(1, device: 0, .throttle(seconds: 30)), ScheduledEvent(2, device: 0, .export(Small.quick)),
            ScheduledEvent(20, device: 0, .export(Small.quick)), ScheduledEvent(5_000, device: 0, .settle),
        ])
        // The answer came at 4, and a request takes a second to get there.
        #expect(Self.uploads(outcome) == [35])
    }

    @Test("forgets in a crash that it wanted to try again")
    func crashBeforeRetry() {
        let outcome = Self.pair().run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(1, device: 0, .throttle(seconds: 30)), ScheduledEvent(2, device: 0, .export(Small.quick)),
            ScheduledEvent(10, device: 0, .crash), ScheduledEvent(100, device: 0, .export(Small.quick)),
            ScheduledEvent(5_000, device: 0, .settle),
        ])
        #expect(Self.uploads(outcome) == [101])
    }

    @Test("uploads nothing while the account is full, and keeps what waits")
    func fullAccount() {
        let simulation = Self.pair()
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .fillQuota), ScheduledEvent(1, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(2, device: 0, .export(Small.quick)), ScheduledEvent(10, device: 0, .crash),
            ScheduledEvent(12, device: 0, .export(Small.quick)),
            ScheduledEvent(100, device: 0, .relieveQuota), ScheduledEvent(110, device: 0, .export(Small.quick)),
            ScheduledEvent(5_000, device: 0, .settle),
        ])
        #expect(Self.uploads(outcome) == [111])
        #expect(Small.names(simulation) == [["New"], ["New"]])
    }
}
