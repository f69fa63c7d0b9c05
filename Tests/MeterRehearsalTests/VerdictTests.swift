import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRehearsal

/// Whether a rehearsal says that it went well, and what it says a loss comes from.
@Suite("the verdict of a rehearsal")
struct VerdictTests {
    private typealias Small = SimulationTests

    private static let noon = DayInUse.length / 2
    private static let old = Small.copy("a", Small.values("Old"))
    private static let second = Small.copy("b", Small.values("Old", age: 50))

    private static func run(
        _ procedure: Procedure, _ devices: [[Fleet.Copy]], zone: [Fleet.Copy], _ day: [ScheduledEvent] = [],
        by strategy: RepairStrategy = .v3
    ) throws -> RehearsalReport.Run {
        let options = Rehearsal.Options(start: DeviceFiles.now)
        return try RehearsedDay(Small.fleet(devices, zone: zone), options, seed: 1, of: "phone.sqlite", day: day)
            .run(procedure, strategy, findsShortest: true)
    }

    @Test(
        "says that a value was lost in an account change, not through the repair on the same day",
        arguments: [MirrorReset.accountChange, .historyLost], [Procedure.together, .oneAndWait])
    func accountChange(reset: MirrorReset, procedure: Procedure) throws {
        let records = [Self.old, Self.second]
        let run = try Self.run(
            procedure, [records, records], zone: records,
            [
                ScheduledEvent(Self.noon + 100, device: 1, .rename(meter: 0, "New")),
                ScheduledEvent(Self.noon + 200, device: 1, .resetMirror(reset, Small.quick)),
            ])
        #expect(run.lost.map(\.value.value) == ["New"])
        #expect(run.lost.map(\.cause) == [.mirrorReset])
        #expect(run.wentWell)
        #expect(run.shortest == nil)
    }

    @Test("says that a meter whose only record was not uploaded is gone without the repair too")
    func onlyRecord() throws {
        let new = Small.copy("n", Small.values(nil), .new)
        let run = try Self.run(
            .together, [[new], []], zone: [],
            [ScheduledEvent(Self.noon - 100, device: 0, .resetMirror(.accountChange, Small.quick))])
        #expect(run.outcome.metersWithoutRecord == [0])
        #expect(run.goneByRepair.isEmpty)
        #expect(run.wentWell)
    }

    @Test("does not call it well if the repair leaves a meter with several records, and shows how that comes")
    func severalRecords() throws {
        let run = try Self.run(.together, [[Self.old], [Self.old]], zone: [Self.old], by: .v2)
        #expect(run.outcome.hasNoLoss)
        #expect(run.leftWithSeveral == [0])
        #expect(!run.wentWell)
        #expect(run.shortest?.events == 2)
        let canonical = try Self.run(.together, [[Self.old], [Self.old]], zone: [Self.old])
        #expect(canonical.leftWithSeveral.isEmpty)
        #expect(canonical.wentWell)
    }

    /// In use the other device may be making another record. That is not the repair's.
    @Test("does not blame the repair for records that are there without it, or that the app makes afterwards")
    func othersRecords() throws {
        let new = Small.copy("n", Small.values("Mine"), .new)
        let offline = [
            ScheduledEvent(0, device: 1, .cutNetwork),
            ScheduledEvent(Self.noon + 4_000, device: 1, .restoreNetwork(Small.quick)),
        ]
        let together = try Self.run(.together, [[Self.old], [new]], zone: [Self.old], offline)
        #expect(together.outcome.severalRecords == [0])
        #expect(together.leftWithSeveral.isEmpty)
        let afterwards = [0, 1].map { ScheduledEvent(Self.noon + 100, device: $0, .hear(meter: 0)) }
        for procedure in Procedure.allCases {
            let run = try Self.run(procedure, [[], []], zone: [], afterwards)
            #expect(run.outcome.severalRecords == [0])
            #expect(run.leftWithSeveral.isEmpty)
            #expect(run.wentWell)
        }
    }

    @Test("holds one device at rest to one record of each meter when the repair has reached all devices")
    func promise() {
        let copies = Small.fleet([[Self.old], [Small.copy("n", Small.values("Mine"), .new)]], zone: [Self.old])
        let outcome = Simulation(copies, .init(policy: .lastWriteWins)).run([
            ScheduledEvent(0, device: 0, .repair), ScheduledEvent(1, device: 0, .settle),
        ])
        #expect(outcome.severalRecordsWhenQuiet == [0])
        let idle = Simulation(copies, .init(policy: .lastWriteWins)).run([ScheduledEvent(1, device: 0, .settle)])
        #expect(idle.severalRecords == [0])
        #expect(Harm.several.meters(in: outcome, idle, promisesOneRecord: true) == [0])
        #expect(Harm.several.meters(in: outcome, idle, promisesOneRecord: false) == [])
    }

    @Test("a day in use has now and then a mirror that starts over, and is otherwise the same")
    func rareResets() {
        let fleet = Small.fleet([[Self.old], [Self.old]], zone: [Self.old])
        let days = (UInt64(0)..<400).map { DayInUse.events(of: fleet, seed: $0) }
        let resets = days.flatMap { $0.filter(\.isMirrorReset) }
        #expect((5...60).contains(resets.count))
        #expect(Set(resets.map(\.device)) == [0, 1])
    }

    @Test("of first aid is that of devices in use on which nothing is typed after it")
    func firstAid() throws {
        let nameless = Small.copy("n", Small.values(nil, age: 90))
        let records = [nameless, Self.old]
        let typing = ScheduledEvent(Self.noon + 100, device: 1, .rename(meter: 0, "New"))
        let heard = ScheduledEvent(Self.noon + 100, device: 1, .hear(meter: 0))
        let day = [ScheduledEvent(Self.noon - 9, device: 1, .cutNetwork), heard, typing]
        let run = try Self.run(.namesLeftAlone, [records, records], zone: records, day, by: .firstAid)
        #expect(run.wentWell)
        #expect(run.outcome.repairedRecords == 2, "each device fills in its own")
        #expect(run.repairOperations.deletes == 0)
        #expect(run.outcome.severalRecords == [0])
        let schedule = Procedure.namesLeftAlone.schedule(day, devices: 2)
        #expect(schedule.contains(heard))
        #expect(!schedule.contains(typing))
        #expect(schedule.filter { $0.action == .repair }.map(\.device) == [0, 1])
        #expect(schedule.firstIndex { $0.action == .catchUp }! < schedule.firstIndex { $0.action == .repair }!)
    }

    @Test(
        "recommends first aid where an app shows a meter without its name, and the rebuild at rest in any case",
        arguments: [(nil, "now, if devices must stay in use"), ("Old", "rebuild --in-use has nothing to do")])
    func recommendation(name: String?, expected: String) throws {
        let records = [Small.copy("a", Small.values(name, age: 90)), Self.second]
        let fleet = Small.fleet([records, records], zone: records)
        var options = Rehearsal.Options(start: DeviceFiles.now)
        options.seed = 1
        let report = try Rehearsal(fleet, options, of: "phone.sqlite").report([.init(path: "phone.sqlite")])
        #expect(report.devices.map(\.store?.filled) == [name == nil ? 1 : 0, nil])
        #expect(report.runs.map(\.strategy) == [.v3, .v3, .firstAid])
        #expect(report.recommendation.first?.hasPrefix(expected) == true, "\(report.recommendation)")
        #expect(report.recommendation.contains { $0.hasPrefix("repair one device when the app can be closed on all others") })
    }

    @Test("counts what a sync that starts over loses apart from what the merge policy does")
    func lostInMirrorReset() throws {
        let records = [Self.old, Self.second]
        let trial = try RehearsedDay(
            Small.fleet([records, records], zone: records), Rehearsal.Options(start: DeviceFiles.now), seed: 1,
            of: "phone.sqlite",
            day: [
                ScheduledEvent(Self.noon + 100, device: 1, .rename(meter: 0, "New")),
                ScheduledEvent(Self.noon + 200, device: 1, .resetMirror(.accountChange, Small.quick)),
            ]
        ).trial()
        #expect(trial.isLostInMirrorReset && !trial.isLostWithoutRepair)
    }

    @Test("tells of equally bad days the first")
    func firstDay() throws {
        let fleet = Small.fleet([[Self.second], [Self.second]], zone: [Self.second])
        var options = Rehearsal.Options(start: DeviceFiles.now)
        let harms = try (UInt64(1)...12).map {
            try RehearsedDay(fleet, options, seed: $0, of: "phone.sqlite").trial().harm
        }
        func worst(of days: Int) -> [Int] { harms[..<days].max { $0.lexicographicallyPrecedes($1) }! }
        let days = try #require((2...12).first { days in harms[..<days].count { $0 == worst(of: days) } > 1 })
        options.days = UInt64(days)
        let report = try Rehearsal(fleet, options, of: "phone.sqlite").report([.init(path: "phone.sqlite")])
        #expect(Int(report.seed) - 1 == harms.firstIndex(of: worst(of: days)))
    }

    @Test("of many days is the share of them in which each procedure does harm, with the worst one in full")
    func shares() throws {
        let rehearsal = { (seed: UInt64?, strategy: RepairStrategy) in
            // Where there are several anyway, the old rebuild leaves no more.
            let records =
                strategy == .v2 ? [Self.second] : [Small.copy("a", Small.values("Old", age: 90)), Self.second]
            var options = Rehearsal.Options(start: DeviceFiles.now)
            options.strategy = strategy
            options.seed = seed
            options.days = 12
            return try Rehearsal(Small.fleet([records, records], zone: records), options, of: "phone.sqlite")
                .report([.init(path: "phone.sqlite"), .init(path: "mac.sqlite")])
        }
        for strategy in [RepairStrategy.v3, .v2] {
            let all = try rehearsal(nil, strategy)
            let each = try (UInt64(1)...12).map { try rehearsal($0, strategy) }
            #expect(all.days == 12 && each.allSatisfy { $0.days == 1 })
            for (index, run) in all.runs.enumerated() {
                let runs = each.map { $0.runs[index] }
                #expect(run.days.well == runs.count(where: \.wentWell))
                #expect(run.days.lost == runs.count { !$0.lost(through: .repair).isEmpty })
                #expect(run.days.gone == runs.count { !$0.goneByRepair.isEmpty })
                #expect(run.days.several == runs.count { !$0.leftWithSeveral.isEmpty })
                #expect(run.days.apart == runs.count { !$0.outcome.isConverged })
            }
            #expect(all.daysWell == each.count(where: \.wentWell))
            #expect(all.daysLostWithoutRepair == each.count { $0.lostWithoutRepair > 0 })
            let shown = each[Int(all.seed) - 1]
            #expect(shown.runs.map(\.wentWell) == all.runs.map(\.wentWell), "the day that is told is day \(all.seed)")
            let harmed = each.filter { !$0.runs[1].wentWell }
            #expect(harmed.isEmpty || !all.runs[1].wentWell, "the worst is harm to one device at rest")
            if strategy == .v2 { #expect(all.runs[0].days.well < 12) }
        }
    }
}
