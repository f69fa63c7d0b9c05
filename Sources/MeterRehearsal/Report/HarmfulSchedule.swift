internal import MeterModel

/// The shortest schedule that shows what a repair does to a meter, with this meter alone.
package struct HarmfulSchedule: Sendable {
    /// Where it begins.
    package let fleet: Fleet
    package let events: [ScheduledEvent]
    /// What happens in it, in words.
    package let steps: [Outcome.Step]

    /// The most schedules that are tried.
    private static let patience = 3_000

    /// Nil if other meters are needed to show it.
    /// - Parameters:
    ///   - schedule: of the whole fleet, with the repair.
    ///   - keeps: whether an event is never left out.
    ///   - goesOn: asked before each schedule that is tried; false gives up.
    package init?(
        of schedule: [ScheduledEvent], _ whole: Fleet, _ options: Simulation.Options, meter: Int, _ harm: Harm,
        promisesOneRecord: Bool, keeping keeps: (ScheduledEvent) -> Bool, while goesOn: () -> Bool = { true }
    ) {
        let fleet = whole.only(meter)
        func shows(_ events: [ScheduledEvent]) -> Bool {
            guard goesOn() else { return false }
            let outcome = Simulation(fleet, options).run(events)
            guard harm.isPossible(in: outcome) else { return false }
            let idle = Simulation(fleet, options).run(events.filter { $0.action != .repair })
            return !harm.meters(in: outcome, idle, promisesOneRecord: promisesOneRecord).isEmpty
        }
        let ofMeter = schedule.filter { $0.meter == nil || $0.meter == meter }
        guard shows(ofMeter) else { return nil }
        self.fleet = fleet
        events = ShortestSchedule(of: ofMeter, keeping: keeps, runs: Self.patience, where: shows).events
        var narrating = options
        narrating.isNarrated = true
        steps = Simulation(fleet, narrating).run(events).steps
    }
}
