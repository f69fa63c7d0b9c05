package import FleetSimulation
package import MeterModel

/// What a repair did to a random fleet that did not happen without it.
package struct FleetHarm: Sendable {
    package let outcome: Outcome
    /// The same without the repair.
    package let idle: Outcome
    private let promisesOneRecord: Bool

    /// - Parameter idle: the outcome of the same fleet, policy and moment without a repair.
    package init(
        _ trial: Trial, _ fleet: RandomFleet, _ policy: MergePolicy, _ rule: FirstAidRule = .built, idle: Outcome
    ) {
        outcome = fleet.outcome(of: fleet.schedules(trial).with, policy, trial.strategy, rule)
        self.idle = idle
        promisesOneRecord = trial.promisesOneRecord
    }

    package init(_ trial: Trial, seed: UInt64, _ policy: MergePolicy) {
        let fleet = RandomFleet(seed: seed)
        self.init(trial, fleet, policy, idle: fleet.outcome(of: fleet.schedule(trial.moment), policy))
    }

    /// The meters that it harmed.
    package func meters(_ harm: Harm) -> [Int] {
        harm.meters(in: outcome, idle, promisesOneRecord: promisesOneRecord)
    }
}

extension RandomFleet {
    package func outcome(
        of schedule: [ScheduledEvent], _ policy: MergePolicy, _ strategy: RepairStrategy = .v3,
        _ rule: FirstAidRule = .built
    ) -> Outcome {
        var options = options(policy, strategy)
        options.firstAid = rule
        return Simulation(fleet, options).run(schedule)
    }

    /// A quarter of the fleets rebuild as the app itself does.
    func options(_ policy: MergePolicy, _ strategy: RepairStrategy) -> Simulation.Options {
        var options = Simulation.Options(policy: policy, strategy: strategy)
        options.winner = seed % 4 == 3 ? .newest : .mostComplete
        return options
    }
}

extension Harm {
    /// What happened to at least one meter, as a part of a sentence.
    var title: String {
        switch self {
        case .lost: "something typed was lost"
        case .gone: "a meter was left without a record"
        case .several: "a meter was left with several records"
        }
    }
}
