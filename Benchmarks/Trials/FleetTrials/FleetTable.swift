internal import FleetSimulation
internal import MeterModel

/// In how many random fleets a repair does harm: the tables that Documentation/several-devices.md quotes
/// and `Benchmarks/several-devices` prints.
package struct FleetTable: Sendable {
    /// Who repairs how and when.
    package enum Row: String, CaseIterable, Sendable {
        case rebuildTogetherAtRest = "rebuild on all devices, at rest"
        case rebuildOneAtRest = "rebuild on one device, at rest"
        case aidTogetherNamesAlone = "first aid on all devices, in use, names left alone"
        case aidOneNamesAlone = "first aid on one device, in use, names left alone"
        case aidTogetherInUse = "first aid on all devices, in use"
        case aidOneInUse = "first aid on one device, in use"
        case quietOneInUse = "rebuild of quiet meters on one device, in use"
        case rebuildOneNamesAlone = "rebuild on one device, in use, names left alone"
        case rebuildOneInUse = "rebuild on one device, in use"
        case rebuildTogetherInUse = "rebuild on all devices, in use"

        package var trial: Trial {
            switch self {
            case .rebuildTogetherAtRest: Trial(isTogether: true, .atRest)
            case .rebuildOneAtRest: Trial(isTogether: false, .atRest)
            case .aidTogetherNamesAlone: Trial(.firstAid, isTogether: true, .namesLeftAlone)
            case .aidOneNamesAlone: Trial(.firstAid, isTogether: false, .namesLeftAlone)
            case .aidTogetherInUse: Trial(.firstAid, isTogether: true, .inUse)
            case .aidOneInUse: Trial(.firstAid, isTogether: false, .inUse)
            case .quietOneInUse: Trial(.quietRebuild, isTogether: false, .inUse)
            case .rebuildOneNamesAlone: Trial(isTogether: false, .namesLeftAlone)
            case .rebuildOneInUse: Trial(isTogether: false, .inUse)
            case .rebuildTogetherInUse: Trial(isTogether: true, .inUse)
            }
        }
    }

    /// With a count for each harm.
    private let harmed: CountTable
    private let anyway: CountTable

    private static let losesAnyway = "something typed is lost"

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let empty = [
            CountTable(
                "something typed lost/no record/several records", rows: Row.allCases.map(\.rawValue),
                parts: Harm.allCases.count),
            CountTable("without any repair", rows: [Self.losesAnyway]),
        ]
        let tables = await CountTable.count(fleets: fleets, empty, Self.add)
        (harmed, anyway) = (tables[0], tables[1])
    }

    @Sendable private static func add(_ fleet: RandomFleet, _ policy: MergePolicy, to tables: inout [CountTable]) {
        let moments = Trial.Moment.allCases.map { ($0, fleet.outcome(of: fleet.schedule($0), policy)) }
        let idle = Dictionary(uniqueKeysWithValues: moments)
        if !idle[.inUse]!.lost.isEmpty { tables[1].add(fleet, to: losesAnyway, policy) }
        for row in Row.allCases {
            let result = FleetHarm(row.trial, fleet, policy, idle: idle[row.trial.moment]!)
            for (index, harm) in Harm.allCases.enumerated() where !result.meters(harm).isEmpty {
                tables[0].add(fleet, to: row.rawValue, part: index, policy)
            }
        }
    }

    private func seeds(_ row: Row, _ policy: MergePolicy, _ harm: Harm) -> [UInt64] {
        harmed.seeds(row.rawValue, part: Harm.allCases.firstIndex(of: harm)!, policy)
    }

    /// The tables, in Markdown.
    package var text: String { harmed.text + "\n" + anyway.text }

    /// The shortest schedules that show what happens in the tables, in words: for each row and each harm, with the app's
    /// own policy or else with the first that does the harm; for what first aid loses, with each policy.
    /// - Parameter fleets: the most fleets to try for each.
    package func examples(trying fleets: Int) async -> String {
        var wanted: [(row: Row, policy: MergePolicy, harm: Harm)] = []
        for row in Row.allCases {
            for harm in Harm.allCases {
                let policies = MergePolicy.allCases.filter { !seeds(row, $0, harm).isEmpty }
                let isOfAid = row.trial.strategy == .firstAid && harm == .lost
                let one = policies.first { $0 == .ofTheApp } ?? policies.first
                wanted += (isOfAid ? policies : [one].compactMap(\.self)).map { (row, $0, harm) }
            }
        }
        var texts: [String] = []
        for (row, policy, harm) in wanted {
            let seeds = seeds(row, policy, harm).prefix(fleets)
            let found = await withTaskGroup(of: Counterexample?.self) { group in
                for seed in seeds { group.addTask { Counterexample(of: row.trial, seed: seed, policy, harm) } }
                return await group.reduce(into: [Counterexample]()) { if let example = $1 { $0.append(example) } }
            }
            let smallest = found.min { ($0.size, $0.seed) < ($1.size, $1.seed) }
            let title = "\(row.rawValue), `\(policy.rawValue)`: \(harm.title)"
            texts.append("\(title)\n" + (smallest?.text ?? "it takes more than one meter to show it\n"))
        }
        return texts.joined(separator: "\n")
    }
}
