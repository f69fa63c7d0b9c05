import MeterModel
import MeterTestSupport
import Testing

@testable import FleetSimulation

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

/// The mirror of a device starts over: an account change, a lost history, an expired token.
@Suite("a mirror that starts over")
struct MirrorResetTests {
    private typealias Small = SimulationTests

    private static let old = Small.copy("r", Small.values("Old"))

    private static func simulation(
        _ devices: [[Fleet.Copy]], zone: [Fleet.Copy] = [old], watching: [TypedValue] = []
    ) -> Simulation {
        var options = Simulation.Options(policy: .lastWriteWins)
        options.isNarrated = true
        options.watched = watching
        return Simulation(Small.fleet(devices, zone: zone), options)
    }

    @Test(
        "loses on an account change and with a lost history what was not uploaded, and has the cloud's records again",
        arguments: [MirrorReset.accountChange, .historyLost])
    func unsentChange(reset: MirrorReset) throws {
        let schedule = [
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(5, device: 0, .resetMirror(reset, Small.quick)),
        ]
        let simulation = Self.simulation([[Self.old], [Self.old]])
        let outcome = simulation.run(schedule)
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(Small.names(simulation) == [["Old"], ["Old"]])
        #expect(outcome.lost.map(\.value) == ["New"])
        #expect(outcome.tallies[0].received == 1, "it fetched what it had deleted, once")
        let end = try #require(
            Self.simulation([[Self.old], [Self.old]], watching: outcome.lost).run(schedule).ends[outcome.lost[0]])
        #expect(end.time == 5)
        #expect(end.isMirrorReset)
    }

    @Test("fetches at once what it has deleted, without waiting for the app to sync")
    func fetchesAtOnce() {
        let simulation = Self.simulation([[Self.old], [Self.old]])
        let outcome = simulation.run([
            ScheduledEvent(5, device: 0, .resetMirror(.accountChange, Small.quick)),
            ScheduledEvent(5_000, device: 0, .settle),
        ])
        #expect(outcome.steps.contains { $0.time == 7 && $0.text == "receives record r" })
    }

    @Test(
        "deletes on an account change also what the mirror never knew, and keeps it where only the history is lost",
        arguments: [(MirrorReset.accountChange, 0), (.historyLost, 1), (.tokenExpired, 1)])
    func newRecord(reset: MirrorReset, left: Int) {
        let new = Small.copy("n", Small.values("Mine"), .new)
        let simulation = Self.simulation([[new], []], zone: [])
        let outcome = simulation.run([ScheduledEvent(5, device: 0, .resetMirror(reset, Small.quick))])
        #expect(outcome.isConverged)
        #expect(Small.names(simulation).map(\.count) == [left, left])
        #expect(outcome.metersWithoutRecord == (left == 0 ? [0] : []))
    }

    @Test("uploads after a lost history also what nothing told the mirror of")
    func unnoticed() {
        let schedule = [ScheduledEvent(5, device: 0, .resetMirror(.historyLost, Small.quick))]
        let copy = Small.copy("n", Small.values("Mine"), .unnoticed)
        #expect(!Self.simulation([[copy], []], zone: []).run([]).isConverged)
        let simulation = Self.simulation([[copy], []], zone: [])
        #expect(simulation.run(schedule).isConverged)
        #expect(Small.names(simulation) == [["Mine"], ["Mine"]])
    }

    /// What waits to be deleted is forgotten too.
    @Test("brings back what a repair has deleted and not uploaded yet, and loses nothing by it")
    func unsentRepair() {
        let records = [Self.old, Small.copy("s", Small.values("Old", age: 50))]
        for reset in [MirrorReset.accountChange, .historyLost] {
            let simulation = Self.simulation([records, records], zone: records)
            let outcome = simulation.run([
                ScheduledEvent(0, device: 0, .repair), ScheduledEvent(5, device: 0, .resetMirror(reset, Small.quick)),
            ])
            #expect(outcome.hasNoLoss)
            #expect(Small.names(simulation) == [["Old", "Old"], ["Old", "Old"]])
        }
        let simulation = Self.simulation([records, records], zone: records)
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .repair),
            ScheduledEvent(5, device: 0, .resetMirror(.tokenExpired, Small.quick)),
        ])
        #expect(outcome.hasNoLoss)
        #expect(Small.names(simulation) == [["Old"], ["Old"]], "with an expired token it still waits to be deleted")
    }

    @Test("keeps its records if only the token has expired, with what was not uploaded")
    func expiredToken() {
        let simulation = Self.simulation([[Self.old], [Self.old]])
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(5, device: 0, .resetMirror(.tokenExpired, Small.quick)),
        ])
        #expect(outcome.isConverged)
        #expect(outcome.lost.isEmpty)
        #expect(Small.names(simulation) == [["New"], ["New"]])
        #expect(outcome.tallies[0].saves == 1)
    }

    @Test("uploads only what CloudKit turns out not to have")
    func uploadsAgain() {
        let many = (0..<500).map { Small.copy("r\($0)", Small.values("N\($0)")) }
        let simulation = Self.simulation([many, many], zone: many)
        let outcome = simulation.run([ScheduledEvent(5, device: 0, .resetMirror(.tokenExpired, Small.quick))])
        #expect(outcome.isConverged)
        #expect(outcome.tallies[0].saves == 0)
        #expect(outcome.tallies[0].received == 500)
    }

    /// A device without a token is told what there is, not what was deleted.
    @Test("brings a duplicate back that another device has deleted, if its token has expired before it learned of that")
    func resurrection() {
        let records = [Self.old, Small.copy("s", Small.values("Old", age: 50))]
        let schedule = [
            ScheduledEvent(0, device: 0, .repair), ScheduledEvent(1, device: 0, .export(Small.quick)),
            ScheduledEvent(5, device: 1, .resetMirror(.tokenExpired, Small.quick)),
        ]
        let simulation = Self.simulation([records, records], zone: records)
        let outcome = simulation.run(schedule)
        #expect(outcome.hasNoLoss)
        #expect(Small.names(simulation).map(\.count) == [2, 2])
        // It learned of it first.
        let informed = Self.simulation([records, records], zone: records)
        _ = informed.run([
            schedule[0], schedule[1], ScheduledEvent(4, device: 0, .settle), schedule[2],
        ])
        #expect(Small.names(informed).map(\.count) == [1, 1])
    }

    @Test("gives up the request under way")
    func underWay() {
        let simulation = Self.simulation([[Self.old], [Self.old]])
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .rename(meter: 0, "New")),
            ScheduledEvent(1, device: 0, .export(.init(up: 10, down: 10))),
            ScheduledEvent(5, device: 0, .resetMirror(.accountChange, Small.quick)),
        ])
        #expect(outcome.isConverged)
        #expect(Small.names(simulation) == [["Old"], ["Old"]])
    }
}
