package import MeterRehearsal

/// In how many random fleets a repair does harm: the tables that MIGRATIONS.md quotes and `Benchmarks/rehearsals` prints.
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

    /// A number of the tables.
    private struct Cell: Hashable {
        let row: Row
        let policy: MergePolicy
        let harm: Harm
    }

    package let fleets: UInt64
    /// The seeds of the fleets that were harmed, in ascending order.
    private var harmed: [Cell: [UInt64]] = [:]
    /// How many fleets lose something typed on the same day without a repair.
    private var losingAnyway: [MergePolicy: Int] = [:]

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        self.fleets = fleets
        // A part for each fleet would cost more than some of the fleets.
        let length: UInt64 = 50
        let parts = await withTaskGroup(of: Part.self) { group in
            for start in stride(from: 0, to: fleets, by: Int(length)) {
                group.addTask { Part(start..<min(start + length, fleets)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for part in parts {
            harmed.merge(part.harmed) { $0 + $1 }
            losingAnyway.merge(part.losingAnyway, uniquingKeysWith: +)
        }
        for cell in harmed.keys { harmed[cell]!.sort() }
    }

    /// What some fleets add.
    private struct Part: Sendable {
        var harmed: [Cell: [UInt64]] = [:]
        var losingAnyway: [MergePolicy: Int] = [:]

        init(_ seeds: Range<UInt64>) {
            for seed in seeds {
                let fleet = RandomFleet(seed: seed)
                for policy in MergePolicy.allCases { add(fleet, policy) }
            }
        }

        private mutating func add(_ fleet: RandomFleet, _ policy: MergePolicy) {
            let moments = Trial.Moment.allCases.map { ($0, fleet.outcome(of: fleet.schedule($0), policy)) }
            let idle = Dictionary(uniqueKeysWithValues: moments)
            if !idle[.inUse]!.lost.isEmpty { losingAnyway[policy, default: 0] += 1 }
            for row in Row.allCases {
                let result = FleetHarm(row.trial, fleet, policy, idle: idle[row.trial.moment]!)
                for harm in Harm.allCases where !result.meters(harm).isEmpty {
                    harmed[Cell(row: row, policy: policy, harm: harm), default: []].append(fleet.seed)
                }
            }
        }
    }

    package func seeds(_ row: Row, _ policy: MergePolicy, _ harm: Harm) -> [UInt64] {
        harmed[Cell(row: row, policy: policy, harm: harm)] ?? []
    }

    /// The tables, in Markdown.
    package var text: String {
        let policies = MergePolicy.allCases
        func line(_ title: String, _ cells: [String]) -> String { "| \(title) | \(cells.joined(separator: " | ")) |\n" }
        func head(_ title: String) -> String {
            line(title, policies.map { "`\($0.rawValue)`" }) + "|---|" + policies.map { _ in "---:|" }.joined() + "\n"
        }
        let tables = Harm.allCases.map { harm in
            head(Self.title(harm))
                + Row.allCases.map { row in
                    line(row.rawValue, policies.map { "\(seeds(row, $0, harm).count)" })
                }.joined()
        }
        let anyway =
            head("without any repair")
            + line("something typed is lost", policies.map { "\(losingAnyway[$0] ?? 0)" })
        return (tables + [anyway]).joined(separator: "\n")
    }

    private static func title(_ harm: Harm) -> String {
        switch harm {
        case .lost: "something typed was lost"
        case .gone: "a meter was left without a record"
        case .several: "a meter was left with several records"
        }
    }

    /// The shortest schedules that show what happens in the tables, in words: for each row and each harm, with the app's
    /// own policy or else with the first that does the harm.
    /// - Parameter fleets: the most fleets to try for each.
    package func examples(trying fleets: Int) async -> String {
        var wanted: [(row: Row, policy: MergePolicy, harm: Harm)] = []
        for row in Row.allCases {
            for harm in Harm.allCases {
                let policies = [MergePolicy.ofTheApp] + MergePolicy.allCases
                if let policy = policies.first(where: { !seeds(row, $0, harm).isEmpty }) {
                    wanted.append((row, policy, harm))
                }
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
            let title = "\(row.rawValue), `\(policy.rawValue)`: \(Self.title(harm))"
            texts.append("\(title)\n" + (smallest?.text ?? "it takes more than one meter to show it\n"))
        }
        return texts.joined(separator: "\n")
    }
}
