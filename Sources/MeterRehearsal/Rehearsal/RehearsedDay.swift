internal import CoreDataStore
internal import MeterModel

/// One day of a rehearsal, with each procedure and without a repair.
struct RehearsedDay {
    /// The first store's, for errors.
    private let path: String
    private let fleet: Fleet
    private let options: Rehearsal.Options
    private let seed: UInt64
    private let day: [ScheduledEvent]

    /// - Parameter day: in the order of time; a random day of the fleet by default.
    init(
        _ fleet: Fleet, _ options: Rehearsal.Options, seed: UInt64, of path: String, day: [ScheduledEvent]? = nil
    ) {
        self.path = path
        self.fleet = fleet
        self.options = options
        self.seed = seed
        self.day = day ?? DayInUse.events(of: fleet, seed: seed)
    }

    private func simulation(_ strategy: RepairStrategy) -> Simulation.Options {
        var simulation = Simulation.Options(policy: options.policy, strategy: strategy)
        simulation.winner = options.winner
        simulation.seed = seed
        return simulation
    }

    /// What a day shows of each procedure.
    struct Trial: Sendable {
        let seed: UInt64
        /// By procedure.
        var days: [RehearsalReport.Days] = []
        /// Whether the merge policy loses something typed without a repair, and a sync that starts over.
        var isLostWithoutRepair = false
        var isLostInMirrorReset = false
        var isWell = true
        /// How bad it is, the worst first: what one device at rest does, then first aid, then the rest.
        var harm: [Int] = []
    }

    /// Plays each procedure, and more of the day only where that may show harm.
    func trial() throws(StoreError) -> Trial {
        var trial = Trial(seed: seed)
        let idle = try outcome(of: day, options.strategy)
        let inMirrorResets = try inMirrorResets(idle.lost, day, options.strategy)
        trial.isLostInMirrorReset = inMirrorResets > 0
        trial.isLostWithoutRepair = idle.lost.count > inMirrorResets
        var harm: [Procedure: [Int]] = [:]
        for procedure in Procedure.allCases {
            let run = try run(
                procedure, procedure.strategy ?? options.strategy, findsShortest: false, isTrial: true,
                idle: procedure == .together ? idle : nil)
            var days = RehearsalReport.Days()
            let lost = run.lost(through: .repair).count
            if run.wentWell { days.well = 1 }
            if lost > 0 { days.lost = 1 }
            if !run.goneByRepair.isEmpty { days.gone = 1 }
            if !run.leftWithSeveral.isEmpty { days.several = 1 }
            if !run.outcome.isConverged { days.apart = 1 }
            if !run.outcome.givenUp.isEmpty { days.givenUp = 1 }
            trial.days.append(days)
            trial.isWell = trial.isWell && run.outcome.hasNoLoss && run.leftWithSeveral.isEmpty
            harm[procedure] = [run.goneByRepair.count, lost, run.leftWithSeveral.count, days.apart]
        }
        trial.harm = [Procedure.oneAndWait, .namesLeftAlone, .together].flatMap { harm[$0]! } + [idle.lost.count]
        return trial
    }

    /// The day in full.
    func report() throws(StoreError) -> (
        mirrorResets: [Outcome.Step], lostWithoutRepair: Int, lostInMirrorResets: Int, runs: [RehearsalReport.Run],
        otherStrategy: RehearsalReport.Run
    ) {
        var runs: [RehearsalReport.Run] = []
        for procedure in Procedure.allCases {
            runs.append(try run(procedure, procedure.strategy ?? options.strategy, findsShortest: true))
        }
        let lost = try outcome(of: day, options.strategy).lost
        let lostInMirrorResets = try inMirrorResets(lost, day, options.strategy)
        let resets = day.filter(\.isMirrorReset).map { event in
            Outcome.Step(
                time: event.time, device: event.concernsAll ? nil : event.device, text: event.text(fleet.meters))
        }
        return (
            resets, lost.count - lostInMirrorResets, lostInMirrorResets, runs,
            try run(.together, options.strategy == .v3 ? .v2 : .v3, findsShortest: false)
        )
    }

    private func outcome(
        of schedule: [ScheduledEvent], _ strategy: RepairStrategy, watching: [TypedValue] = []
    ) throws(StoreError) -> Outcome {
        try Interruption.check(path)
        WorkProgress.advance(.runs, by: 1)
        var options = simulation(strategy)
        options.watched = watching
        return Simulation(fleet, options).run(schedule)
    }

    /// - Parameters:
    ///   - isTrial: whether only what the repair harms is of interest.
    ///   - idle: the same schedule without the repair; nil to play it where it is needed.
    func run(
        _ procedure: Procedure, _ strategy: RepairStrategy, findsShortest: Bool, isTrial: Bool = false,
        idle: Outcome? = nil
    ) throws(StoreError) -> RehearsalReport.Run {
        let schedule = procedure.schedule(day, devices: fleet.devices.count)
        let outcome = try outcome(of: schedule, strategy)
        var run = RehearsalReport.Run(procedure: procedure, strategy: strategy, outcome: outcome)
        guard Harm.allCases.contains(where: { $0.isPossible(in: outcome) }) else { return run }
        let withoutRepair = schedule.filter { $0.action != .repair }
        if isTrial {
            // Why something is lost that is lost anyway, nobody asks.
            let idle = if let idle { idle } else { try self.outcome(of: withoutRepair, strategy) }
            let isHarmless = Harm.allCases.allSatisfy {
                $0.meters(in: outcome, idle, promisesOneRecord: procedure.promisesOneRecord).isEmpty
            }
            if isHarmless { return run }
        }
        let idle = try self.outcome(of: withoutRepair, strategy, watching: outcome.lost)
        let ends = outcome.lost.isEmpty ? [:] : try self.outcome(of: schedule, strategy, watching: outcome.lost).ends
        run.lost = outcome.lost.map { lost in
            RehearsalReport.Loss(value: lost, cause: cause(of: lost, ends[lost], outcome, idle), end: ends[lost])
        }
        run.goneByRepair = Harm.gone.meters(in: outcome, idle, promisesOneRecord: procedure.promisesOneRecord)
        run.leftWithSeveral = Harm.several.meters(in: outcome, idle, promisesOneRecord: procedure.promisesOneRecord)
        guard findsShortest else { return run }
        if let meter = run.goneByRepair.first {
            run.shortest = try shortest(procedure, schedule, strategy, meter: meter, .gone)
        } else if let loss = run.lost(through: .repair).first {
            run.shortest = try shortest(procedure, schedule, strategy, meter: loss.value.meter, .lost)
        } else if let meter = run.leftWithSeveral.first {
            run.shortest = try shortest(procedure, schedule, strategy, meter: meter, .several)
        }
        return run
    }

    /// The repair's, if a value was lost before the repair had reached all devices, and is not lost on the same day
    /// without the repair. What is lost later, the merge policy loses. What a device had not uploaded when its mirror
    /// started over is lost with or without a repair.
    private func cause(
        of lost: TypedValue, _ end: Outcome.Step?, _ outcome: Outcome, _ idle: Outcome
    ) -> RehearsalReport.Loss.Cause {
        if end?.isMirrorReset == true { return .mirrorReset }
        if idle.lost.contains(where: { $0.meter == lost.meter && $0.field == lost.field && $0.value == lost.value }) {
            return idle.ends[lost]?.isMirrorReset == true ? .mirrorReset : .mergePolicy
        }
        if let end, let quietAt = outcome.quietAt, end.time > quietAt { return .mergePolicy }
        return .repair
    }

    /// How many of the values that a schedule loses are lost because a mirror starts over.
    private func inMirrorResets(
        _ lost: [TypedValue], _ schedule: [ScheduledEvent], _ strategy: RepairStrategy
    ) throws(StoreError) -> Int {
        guard !lost.isEmpty, schedule.contains(where: \.isMirrorReset) else { return 0 }
        return try outcome(of: schedule, strategy, watching: lost).ends.values.count { $0.isMirrorReset }
    }

    /// The shortest schedule that shows what a repair does to a meter, with this meter alone; nil if other meters are
    /// needed to show it.
    private func shortest(
        _ procedure: Procedure, _ schedule: [ScheduledEvent], _ strategy: RepairStrategy, meter: Int, _ harm: Harm
    ) throws(StoreError) -> RehearsalReport.Story? {
        let procedures = Set(schedule.filter { $0.action != .repair }).subtracting(day)
        let shortest = HarmfulSchedule(
            of: schedule, fleet, simulation(strategy), meter: meter, harm,
            promisesOneRecord: procedure.promisesOneRecord, keeping: procedures.contains
        ) {
            if Interruption.isRequested { return false }
            WorkProgress.advance(.runs, by: 1)
            return true
        }
        try Interruption.check(path)
        return shortest.map { RehearsalReport.Story(meter: meter, events: $0.events.count, steps: $0.steps) }
    }
}

extension Procedure {
    /// The repair that the procedure is for; nil for either rebuild.
    fileprivate var strategy: RepairStrategy? {
        switch self {
        case .together, .oneAndWait: nil
        case .namesLeftAlone: .firstAid
        }
    }
}
