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
    package init?(
        of schedule: [ScheduledEvent], _ whole: Fleet, _ options: Simulation.Options, meter: Int, _ harm: Harm,
        promisesOneRecord: Bool, keeping keeps: (ScheduledEvent) -> Bool
    ) {
        let fleet = whole.only(meter)
        func shows(_ events: [ScheduledEvent]) -> Bool {
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

/// What a repair can do to a meter that the same day without it does not.
package enum Harm: Hashable, Sendable, CaseIterable {
    /// Something that the user typed is lost.
    case lost
    /// The meter has no record left.
    case gone
    /// The meter has several records.
    case several

    /// Whether it is worth a comparison with the day without the repair.
    func isPossible(in outcome: Outcome) -> Bool {
        switch self {
        case .lost: !outcome.lost.isEmpty
        case .gone: !outcome.metersWithoutRecord.isEmpty
        case .several: !outcome.severalRecords.isEmpty || outcome.severalRecordsWhenQuiet?.isEmpty == false
        }
    }

    /// The meters it happens to, in ascending order; none if the user deletes everything after the repair.
    /// - Parameters:
    ///   - idle: the same day without the repair.
    ///   - promisesOneRecord: whether every meter was to have one record when the repair had reached every device.
    package func meters(in outcome: Outcome, _ idle: Outcome, promisesOneRecord: Bool) -> [Int] {
        // Several records that were there before the deletion still count.
        if outcome.isDeletedByUserAfterRepair {
            return self == .several && promisesOneRecord ? outcome.severalRecordsWhenQuiet ?? [] : []
        }
        switch self {
        case .lost: return Set(Set(outcome.lost).subtracting(idle.lost).map(\.meter)).sorted()
        case .gone: return outcome.metersWithoutRecord.filter { !idle.metersWithoutRecord.contains($0) }
        case .several:
            let added = outcome.severalRecords.filter { !idle.severalRecords.contains($0) }
            guard promisesOneRecord else { return added }
            return Set(added + (outcome.severalRecordsWhenQuiet ?? outcome.severalRecords)).sorted()
        }
    }
}
