import MeterModel
import Testing

@testable import FleetSimulation

/// What counts as a repair's doing: what the same day without the repair does not show.
@Suite("the harm that a repair does")
struct HarmTests {
    private typealias Small = SimulationTests

    private static let old = Small.copy("a", Small.values("Old"))
    private static let second = Small.copy("b", Small.values("Old", age: 50))

    /// A day with the repair and without it.
    private struct Day {
        let with: Outcome
        let idle: Outcome

        init(
            _ devices: [[Fleet.Copy]], zone: [Fleet.Copy], _ schedule: [ScheduledEvent],
            by strategy: RepairStrategy = .v3
        ) {
            func outcome(_ schedule: [ScheduledEvent]) -> Outcome {
                Simulation(Small.fleet(devices, zone: zone), .init(policy: .storeTrump, strategy: strategy))
                    .run(schedule)
            }
            with = outcome(schedule)
            idle = outcome(schedule.filter { $0.action != .repair })
        }

        func meters(_ harm: Harm, promisesOneRecord: Bool = false) -> [Int] {
            harm.meters(in: with, idle, promisesOneRecord: promisesOneRecord)
        }
    }

    private static let settle = ScheduledEvent(0, device: 0, .settle)
    /// By both devices in use, and by one of them at rest.
    private static let repairs: [[ScheduledEvent]] = [
        [0, 1].map { ScheduledEvent(0, device: $0, .repair) }, [settle, ScheduledEvent(0, device: 0, .repair), settle],
    ]

    @Test(
        "is not that a value is lost in an account change on the same day",
        arguments: [MirrorReset.accountChange, .historyLost])
    func accountChange(reset: MirrorReset) {
        let records = [Self.old, Self.second]
        let day = Day(
            [records, records], zone: records,
            Self.repairs[0] + [
                ScheduledEvent(100, device: 1, .rename(meter: 0, "New")),
                ScheduledEvent(200, device: 1, .resetMirror(reset, Small.quick)),
            ])
        #expect(day.with.lost.map(\.value) == ["New"])
        #expect(day.with.isConverged)
        for harm in Harm.allCases { #expect(day.meters(harm) == []) }
    }

    @Test("is not that a meter is gone whose only record was not uploaded")
    func onlyRecord() {
        let new = Small.copy("n", Small.values(nil), .new)
        let day = Day(
            [[new], []], zone: [],
            [ScheduledEvent(0, device: 0, .resetMirror(.accountChange, Small.quick))]
                + [0, 1].map { ScheduledEvent(100, device: $0, .repair) })
        #expect(day.with.metersWithoutRecord == [0])
        #expect(day.with.isConverged)
        #expect(day.meters(.gone) == [])
    }

    @Test("is that a meter has several records, even if nothing is lost; the shortest schedule that shows it is found")
    func severalRecords() {
        let storm = Day([[Self.old], [Self.old]], zone: [Self.old], Self.repairs[0], by: .v2)
        #expect(storm.with.hasNoLoss)
        #expect(storm.meters(.several) == [0])
        let heard = ScheduledEvent(1, device: 1, .hear(meter: 0))
        let shortest = HarmfulSchedule(
            of: [heard] + Self.repairs[0] + [heard], Small.fleet([[Self.old], [Self.old]], zone: [Self.old]),
            .init(policy: .storeTrump, strategy: .v2), meter: 0, .several, promisesOneRecord: false,
            keeping: { _ in false })
        #expect(shortest?.events == Self.repairs[0])
        let canonical = Day([[Self.old], [Self.old]], zone: [Self.old], Self.repairs[0])
        #expect(canonical.with.hasNoLoss)
        #expect(canonical.meters(.several) == [])
    }

    /// In use the other device may be making another record. That is not the repair's.
    @Test("is not that there are records without it too, or that the app makes afterwards")
    func othersRecords() {
        let new = Small.copy("n", Small.values("Mine"), .new)
        let together = Day(
            [[Self.old], [new]], zone: [Self.old],
            [ScheduledEvent(0, device: 1, .cutNetwork)] + [0, 1].map { ScheduledEvent(100, device: $0, .repair) }
                + [ScheduledEvent(4_000, device: 1, .restoreNetwork(Small.quick))])
        #expect(together.with.severalRecords == [0])
        #expect(together.meters(.several) == [])
        let afterwards = [0, 1].map { ScheduledEvent(100, device: $0, .hear(meter: 0)) }
        for (strategy, repairs, isAtRest) in [
            (RepairStrategy.v3, Self.repairs[0], false), (.v3, Self.repairs[1], true),
            (.firstAid, Self.repairs[0], false),
        ] {
            let day = Day([[], []], zone: [], repairs + afterwards, by: strategy)
            #expect(day.with.severalRecords == [0])
            #expect(day.meters(.several, promisesOneRecord: isAtRest) == [])
        }
    }

    @Test("of one device at rest is every meter with several records when the repair has reached all devices")
    func promise() {
        let new = Small.copy("n", Small.values("Mine"), .new)
        let day = Day(
            [[Self.old], [new]], zone: [Self.old],
            [ScheduledEvent(0, device: 0, .repair), ScheduledEvent(1, device: 0, .settle)])
        #expect(day.with.severalRecordsWhenQuiet == [0])
        #expect(day.idle.severalRecords == [0])
        #expect(day.meters(.several, promisesOneRecord: true) == [0])
        #expect(day.meters(.several) == [])
    }

    @Test("of first aid is none where nothing is typed after it, and each device fills in its own record")
    func firstAid() {
        let records = [Small.copy("n", Small.values(nil, age: 90)), Self.old]
        let day = Day(
            [records, records], zone: records,
            [ScheduledEvent(0, device: 1, .cutNetwork), ScheduledEvent(10, device: 0, .catchUp)]
                + [0, 1].map { ScheduledEvent(10, device: $0, .repair) }
                + [ScheduledEvent(100, device: 1, .hear(meter: 0))], by: .firstAid)
        for harm in Harm.allCases { #expect(day.meters(harm) == []) }
        #expect(day.with.isConverged)
        #expect(day.with.repairedRecords == 2)
        #expect(day.with.tallies.map(\.repairDeletes) == [0, 0])
        #expect(day.with.severalRecords == [0])
    }
}
