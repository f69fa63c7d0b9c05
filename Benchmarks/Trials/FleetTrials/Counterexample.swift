package import FleetSimulation
package import MeterModel

/// The shortest schedule with which a repair harms a random fleet, with the one meter that it harms.
package struct Counterexample: Sendable {
    package let seed: UInt64
    private let schedule: HarmfulSchedule

    private var fleet: Fleet { schedule.fleet }
    private var steps: [Outcome.Step] { schedule.steps }

    /// Nil if the repair does no such harm, or if it takes more than one meter to show it.
    package init?(of trial: Trial, seed: UInt64, _ policy: MergePolicy, _ harm: Harm) {
        let random = RandomFleet(seed: seed)
        guard let meter = FleetHarm(trial, seed: seed, policy).meters(harm).first,
            let schedule = HarmfulSchedule(
                of: random.schedules(trial).with, random.fleet, random.options(policy, trial.strategy), meter: meter,
                harm, promisesOneRecord: trial.promisesOneRecord, keeping: random.procedure(of: trial).contains)
        else { return nil }
        self.seed = seed
        self.schedule = schedule
    }

    /// What must be understood to understand it.
    var size: Int { steps.count + fleet.zone.count + fleet.devices.reduce(0) { $0 + $1.records.count } }

    /// In words: where it begins, and what happens.
    var text: String {
        func record(_ copy: Fleet.Copy) -> String {
            let values = SettingsField.typed.compactMap { field in
                fleet.layout.position(of: field).flatMap { copy.values.isEmpty ? nil : copy.values[$0].text }
            }
            return "\(copy.name.prefix(8)) (\(values.isEmpty ? "nothing typed" : values.joined(separator: ", ")))"
        }
        var lines = ["  seed \(seed); in the cloud: \(list(fleet.zone.map(record)))"]
        for device in fleet.devices {
            let records = device.records.map { "\(record($0)) \(word($0.standing))" }
            lines.append("  \(device.identity.name): \(list(records))")
        }
        lines += steps.map { step in
            let who = step.device.map { fleet.devices[$0].identity.name } ?? "all devices"
            return "  \(Int(step.time)) s  \(who): \(step.text)"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func list(_ texts: [String]) -> String { texts.isEmpty ? "nothing" : texts.joined(separator: ", ") }

    private func word(_ standing: Fleet.Copy.Standing) -> String {
        switch standing {
        case .uploaded: "as uploaded"
        case .changed: "changed and not uploaded"
        case .new: "not uploaded"
        case .unnoticed: "unknown to the mirror"
        case .deleted: "deleted, not uploaded"
        }
    }
}
