import MeterModel
import MeterTestSupport
import Testing

@testable import FleetSimulation

/// What the mirror does after each error of CloudKit and Core Data that can happen to data in a fleet.
@Suite("an event between a simulated device and CloudKit")
struct CloudEventTests {
    private typealias Small = SimulationTests

    private static let old = Small.copy("r", Small.values("Old"))

    private static func simulation(
        _ devices: [[Fleet.Copy]] = [[old], [old]], zone: [Fleet.Copy] = [old], watching: [TypedValue] = []
    ) -> Simulation {
        var options = Simulation.Options(policy: .ofTheApp)
        options.isNarrated = true
        options.watched = watching
        return Simulation(Small.fleet(devices, zone: zone), options)
    }

    private static func rename(_ time: Double, _ name: String, on device: Int = 0) -> ScheduledEvent {
        ScheduledEvent(time, device: device, .rename(meter: 0, name))
    }

    private static func export(_ time: Double, on device: Int = 0) -> ScheduledEvent {
        ScheduledEvent(time, device: device, .export(Small.quick))
    }

    private static func fetch(_ time: Double, on device: Int = 0) -> ScheduledEvent {
        ScheduledEvent(time, device: device, .import(Small.quick, page: 400))
    }

    private static let end = ScheduledEvent(5_000, device: 0, .settle)

    private static func times(_ outcome: Outcome, _ text: String, on device: Int = 0) -> [Double] {
        outcome.steps.filter { $0.device == device && $0.text.hasPrefix(text) }.map(\.time)
    }

    @Test("CloudKit 25, storage full: uploads stop until there is room, and nothing is lost")
    func quota() {
        let simulation = Self.simulation()
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .fillQuota), Self.rename(1, "New"), Self.export(2), Self.export(60),
            ScheduledEvent(100, device: 0, .relieveQuota), Self.export(110), Self.end,
        ])
        #expect(Self.times(outcome, "uploads") == [111])
        #expect(Small.names(simulation) == [["New"], ["New"]])
    }

    @Test("Cocoa 134400, CloudKit 9 and 36, no account: waits, keeps everything, and uploads at once when it is back")
    func noAccount() {
        let simulation = Self.simulation()
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .signOut), Self.rename(1, "New"), Self.export(2), Self.fetch(3),
            ScheduledEvent(100, device: 0, .signIn(Small.quick)), Self.end,
        ])
        #expect(Self.times(outcome, "uploads") == [101])
        #expect(Self.times(outcome, "deletes").isEmpty)
        #expect(Small.names(simulation) == [["New"], ["New"]])
    }

    @Test("no account: a request under way is not answered, and everything in it waits")
    func accountGoes() {
        let simulation = Self.simulation()
        let outcome = simulation.run([
            Self.rename(1, "New"), Self.export(2), ScheduledEvent(2.5, device: 0, .signOut),
            ScheduledEvent(100, device: 0, .signIn(Small.quick)), Self.end,
        ])
        #expect(Self.times(outcome, "uploads") == [101])
        #expect(outcome.lost.isEmpty && outcome.isConverged)
    }

    @Test("Cocoa 134405, another account: deletes all local rows and sets up again, and what was not uploaded is lost")
    func otherAccount() {
        let schedule = [
            Self.rename(0, "New"), ScheduledEvent(5, device: 0, .resetMirror(.accountChange, Small.quick)), Self.end,
        ]
        let simulation = Self.simulation()
        let outcome = simulation.run(schedule)
        #expect(Self.times(outcome, "deletes record r here") == [5])
        #expect(Small.names(simulation) == [["Old"], ["Old"]])
        let ends = Self.simulation(watching: outcome.lost).run(schedule).ends
        #expect(outcome.lost.map { ends[$0]?.isMirrorReset } == [true])
    }

    @Test("CloudKit 28, data deleted by the user: each device deletes it when it learns of it, at its next request")
    func deletedByUser() throws {
        let schedule = [
            Self.rename(0, "New"), ScheduledEvent(5, device: 0, .resetZone(.deletedByUser)),
            Self.fetch(20), Self.fetch(40, on: 1), Self.end,
        ]
        let simulation = Self.simulation()
        let outcome = simulation.run(schedule)
        #expect(Self.times(outcome, "deletes record r here") == [22])
        #expect(Self.times(outcome, "deletes record r here", on: 1) == [42])
        #expect(Small.names(simulation) == [[], []])
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(outcome.lost.map(\.value) == ["New"])
        let end = try #require(Self.simulation(watching: outcome.lost).run(schedule).ends[outcome.lost[0]])
        #expect(end.time == 22 && end.isMirrorReset)
    }

    @Test("CloudKit 28: a device that was never told of a lost answer learns of it at the request after that")
    func answerIsLost() {
        let simulation = Self.simulation()
        let outcome = simulation.run([
            ScheduledEvent(5, device: 0, .resetZone(.deletedByUser)), Self.fetch(20),
            ScheduledEvent(21.5, device: 0, .cutNetwork), ScheduledEvent(30, device: 0, .restoreNetwork(Small.quick)),
            Self.fetch(40), Self.end,
        ])
        #expect(Self.times(outcome, "deletes record r here") == [42])
    }

    @Test("CloudKit 28: what was never in the zone stays, and is uploaded into a new one")
    func newBesideDeleted() {
        let simulation = Self.simulation([[Small.copy("n", Small.values("Mine"), .new)], [Self.old]])
        let outcome = simulation.run([ScheduledEvent(5, device: 0, .resetZone(.deletedByUser)), Self.end])
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(Small.names(simulation) == [["Mine"], ["Mine"]])
    }

    @Test(
        "CloudKit 28: a repair is not blamed for what the user deletes after it, and is for what it loses before that")
    func deletedAfterRepair() {
        let reset = ScheduledEvent(20, device: 0, .resetZone(.deletedByUser))
        let repair = ScheduledEvent(10, device: 0, .repair)
        #expect(Self.simulation().run([repair, reset]).isDeletedByUserAfterRepair)
        #expect(!Self.simulation().run([reset, ScheduledEvent(30, device: 0, .repair)]).isDeletedByUserAfterRepair)
    }

    @Test("CloudKit 26 and 112, zone or key lost: keeps its rows and uploads everything again, with what it typed")
    func zoneLost() {
        let simulation = Self.simulation()
        let outcome = simulation.run([
            ScheduledEvent(5, device: 0, .resetZone(.lost)), Self.rename(10, "New"), Self.export(20), Self.end,
        ])
        #expect(Self.times(outcome, "deletes").isEmpty)
        #expect(!Self.times(outcome, "uploads record r").isEmpty)
        #expect(outcome.isConverged, "\(outcome.obstacles)")
        #expect(Small.names(simulation) == [["New"], ["New"]])
    }

    @Test("CloudKit 26 and 112: what another device uploads again first stands, and the loss is the lost zone's")
    func staleUploadFirst() throws {
        // Device 1 has not fetched what device 0 has uploaded.
        let schedule = [
            Self.rename(0, "New"), Self.export(1), ScheduledEvent(5, device: 0, .resetZone(.lost)),
            Self.fetch(20, on: 1), Self.fetch(60), Self.end,
        ]
        let simulation = Self.simulation()
        let outcome = simulation.run(schedule)
        #expect(Small.names(simulation) == [["Old"], ["Old"]])
        #expect(outcome.lost.map(\.value) == ["New"])
        let end = try #require(Self.simulation(watching: outcome.lost).run(schedule).ends[outcome.lost[0]])
        #expect(end.device == 0 && end.isMirrorReset)
    }

    @Test("of several resets that a device has missed, the deletion by the user counts")
    func missedResets() {
        for resets in [[ZoneReset.deletedByUser, .lost], [.lost, .deletedByUser]] {
            let simulation = Self.simulation()
            let outcome = simulation.run(
                resets.enumerated().map { ScheduledEvent(Double($0.offset), device: 0, .resetZone($0.element)) }
                    + [Self.fetch(20), Self.fetch(20, on: 1), Self.end])
            #expect(Small.names(simulation) == [[], []])
            #expect(outcome.isConverged, "\(outcome.obstacles)")
        }
    }

    @Test("a reset while the answer of an earlier one is on its way is learned of, too")
    func resetDuringAnswer() {
        let simulation = Self.simulation()
        _ = simulation.run([
            ScheduledEvent(0, device: 0, .resetZone(.lost)), Self.fetch(10),
            ScheduledEvent(11.5, device: 0, .resetZone(.deletedByUser)), Self.end,
        ])
        #expect(Small.names(simulation) == [[], []])
    }

    @Test("CloudKit 21, change token too old: keeps its rows and uploads again what CloudKit lacks")
    func tokenTooOld() {
        let simulation = Self.simulation([[Self.old, Small.copy("s", Small.values("Deleted elsewhere"))], [Self.old]])
        let outcome = simulation.run([
            ScheduledEvent(5, device: 0, .resetMirror(.tokenExpired, Small.quick)), Self.end,
        ])
        #expect(Self.times(outcome, "uploads record s").count == 1)
        #expect(Self.times(outcome, "uploads record r").isEmpty)
        #expect(outcome.isConverged, "\(outcome.obstacles)")
    }

    @Test("CloudKit 27, batch too large: smaller batches, at once, until everything is uploaded")
    func batchTooLarge() {
        let copies = (1...5).map { Small.copy("n\($0)", Small.values("Name \($0)"), .new) }
        let simulation = Self.simulation([copies, []], zone: [])
        let outcome = simulation.run([
            ScheduledEvent(0, device: 0, .limitBatches(records: 2)), Self.export(10), Self.end,
        ])
        // Five and two, each with its way there and back; then two at a time.
        #expect(Self.times(outcome, "uploads") == [13, 13, 15, 15, 17])
        #expect(outcome.tallies[0].batches == 3)
        #expect(outcome.isConverged, "\(outcome.obstacles)")
    }

    @Test("CloudKit 3 and 4, no network: tries again when it is back, also for what was under way")
    func noNetwork() {
        let outcome = Self.simulation().run([
            Self.rename(1, "New"), Self.export(2), ScheduledEvent(2.5, device: 0, .cutNetwork),
            ScheduledEvent(50, device: 0, .restoreNetwork(Small.quick)), Self.end,
        ])
        #expect(Self.times(outcome, "uploads") == [51])
    }

    @Test("CloudKit 6, 7 and 23, busy: tries again by itself when the time is over that it was asked to wait")
    func busy() {
        let outcome = Self.simulation().run([
            Self.rename(0, "New"), ScheduledEvent(1, device: 0, .throttle(seconds: 30)), Self.export(2), Self.end,
        ])
        #expect(Self.times(outcome, "uploads") == [35])
    }

    @Test("CloudKit 22, another record of the batch failed: everything in the batch is uploaded again")
    func batchFailed() {
        let second = Small.copy("s", Small.values("Second"), .new)
        let simulation = Self.simulation([[Self.old, second], [Self.old]])
        let outcome = simulation.run([
            Self.rename(0, "Theirs", on: 1), Self.export(1, on: 1), Self.rename(2, "Mine"), Self.export(5), Self.end,
        ])
        #expect(outcome.tallies[0].conflicts == 1)
        #expect(Self.times(outcome, "uploads record s") == [8])
    }

    @Test("uploads when the network is back in the middle of a wait, as soon as the wait is over and not before")
    func networkDuringWait() {
        let outcome = Self.simulation().run([
            Self.rename(0, "New"), ScheduledEvent(1, device: 0, .throttle(seconds: 30)), Self.export(2),
            ScheduledEvent(10, device: 0, .cutNetwork), ScheduledEvent(20, device: 0, .restoreNetwork(Small.quick)),
            Self.end,
        ])
        // The answer came at 4.
        #expect(Self.times(outcome, "uploads") == [35])
    }

    @Test("uploads at once when the network is back after a wait that ended without it")
    func networkAfterWait() {
        let outcome = Self.simulation().run([
            Self.rename(0, "New"), ScheduledEvent(1, device: 0, .throttle(seconds: 30)), Self.export(2),
            ScheduledEvent(10, device: 0, .cutNetwork), ScheduledEvent(50, device: 0, .restoreNetwork(Small.quick)),
            Self.end,
        ])
        #expect(Self.times(outcome, "uploads") == [51])
    }

    @Test("a device with small batches and a meter connected does not keep the others from coming to rest")
    func settlesWithSmallBatches() {
        let outcome = Self.simulation().run([
            ScheduledEvent(0, device: 0, .limitBatches(records: 1)), ScheduledEvent(1, device: 0, .connect(meter: 0)),
            ScheduledEvent(2, device: 0, .export(.init(up: 40, down: 40))), ScheduledEvent(3, device: 0, .catchUp),
        ])
        #expect(outcome.isConverged, "\(outcome.obstacles)")
    }
}
