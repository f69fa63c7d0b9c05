package import CoreDataStore
package import MeterModel

/// Rehearses a repair of a customer's devices before one of them is repaired: a day in use with the repair at noon,
/// once with all devices repairing at once, once with one device alone, once with first aid on all devices, and once
/// without any repair, so that what the merge policy loses by itself is not blamed on the repair.
package struct Rehearsal {
    package struct Options: Sendable {
        package var devices: Int?
        package var policy = MergePolicy.ofTheApp
        package var strategy = RepairStrategy.v3
        package var winner = WinnerPolicy.mostComplete
        package var seed: UInt64 = 1
        /// When the day begins.
        package var start: Timestamp

        package init(start: Timestamp) { self.start = start }
    }

    /// The first store's, for errors.
    private let path: String
    private let fleet: Fleet
    private let options: Options
    private let day: [ScheduledEvent]

    /// Reads the stores, runs the simulations, and reports. The stores are only read.
    /// - Parameter paths: main files, at least one.
    /// - Throws: `StoreError`.
    package static func report(_ paths: [String], _ options: Options) throws(StoreError) -> RehearsalReport {
        let count = max(paths.count, options.devices ?? max(2, paths.count))
        let fleet = try Fleet(stores: paths, devices: count, extraMeters: 2, start: options.start)
        return try Rehearsal(fleet, options, of: paths[0]).report(paths)
    }

    /// - Parameters:
    ///   - path: the first store's, for errors.
    ///   - day: in the order of time; a random day of the fleet by default.
    init(_ fleet: Fleet, _ options: Options, of path: String, day: [ScheduledEvent]? = nil) {
        self.path = path
        self.fleet = fleet
        self.options = options
        self.day = day ?? DayInUse.events(of: fleet, seed: options.seed)
    }

    private static func simulation(_ options: Options, _ strategy: RepairStrategy) -> Simulation.Options {
        var simulation = Simulation.Options(policy: options.policy, strategy: strategy)
        simulation.winner = options.winner
        simulation.seed = options.seed
        return simulation
    }

    func report(_ paths: [String]) throws(StoreError) -> RehearsalReport {
        WorkProgress.begin(.rehearsing)
        var runs: [RehearsalReport.Run] = []
        for procedure in Procedure.allCases {
            runs.append(try run(procedure, procedure.strategy ?? options.strategy, findsShortest: true))
        }
        let lost = try outcome(of: day, options.strategy).lost
        let lostInMirrorResets = try inMirrorResets(lost, day, options.strategy)
        let other: RepairStrategy = options.strategy == .v3 ? .v2 : .v3
        return RehearsalReport(
            stores: paths,
            devices: fleet.devices.map { device in
                RehearsalReport.Device(
                    name: device.identity.name, records: device.records.count { $0.standing != .deleted },
                    waiting: device.records.count(where: \.standing.isWaiting))
            }, meters: fleet.meters, records: fleet.zone.count, options: options,
            mirrorResets: day.filter(\.isMirrorReset).map { event in
                Outcome.Step(
                    time: event.time, device: event.concernsAll ? nil : event.device, text: event.text(fleet.meters))
            },
            lostWithoutRepair: lost.count - lostInMirrorResets, lostInMirrorResets: lostInMirrorResets, runs: runs,
            otherStrategy: try run(.together, other, findsShortest: false))
    }

    private func outcome(
        of schedule: [ScheduledEvent], _ strategy: RepairStrategy, watching: [TypedValue] = []
    ) throws(StoreError) -> Outcome {
        try Interruption.check(path)
        WorkProgress.advance(.runs, by: 1)
        var options = Self.simulation(options, strategy)
        options.watched = watching
        return Simulation(fleet, options).run(schedule)
    }

    func run(
        _ procedure: Procedure, _ strategy: RepairStrategy, findsShortest: Bool
    ) throws(StoreError) -> RehearsalReport.Run {
        let schedule = procedure.schedule(day, devices: fleet.devices.count)
        let outcome = try outcome(of: schedule, strategy)
        var run = RehearsalReport.Run(procedure: procedure, strategy: strategy, outcome: outcome)
        guard Harm.allCases.contains(where: { $0.isPossible(in: outcome) }) else { return run }
        let idle = try self.outcome(of: schedule.filter { $0.action != .repair }, strategy, watching: outcome.lost)
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
            of: schedule, fleet, Self.simulation(options, strategy), meter: meter, harm,
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
