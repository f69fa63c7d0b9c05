import MeterModel
import MeterRehearsal

/// What a repair did to a random fleet that did not happen without it.
struct FleetHarm {
    /// What is lost with the repair and not without it.
    let lost: [TypedValue]
    /// Meters that have no record with the repair, and one without it.
    let gone: [Int]
    /// Meters that have several records in the end: at rest any, in use those that have one without the repair.
    let several: [Int]
    let outcome: Outcome
    /// The same without the repair.
    let idle: Outcome

    init(_ procedure: RandomFleet.Procedure, seed: UInt64, _ policy: MergePolicy) {
        let random = RandomFleet(seed: seed)
        let (with, without) = random.schedules(procedure)
        var options = Simulation.Options(policy: policy)
        options.winner = seed % 4 == 3 ? .newest : .mostComplete
        outcome = Simulation(random.fleet, options).run(with)
        let idle = Simulation(random.fleet, options).run(without)
        let known = Set(idle.lost)
        lost = outcome.lost.filter { !known.contains($0) }
        gone = outcome.metersWithoutRecord.filter { !idle.metersWithoutRecord.contains($0) }
        several = outcome.severalRecords.filter { procedure.isAtRest || !idle.severalRecords.contains($0) }
        self.idle = idle
    }
}
