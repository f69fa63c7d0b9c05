internal import FleetSimulation
internal import MeterModel

/// What is lost in fleets where some devices have an older version of the app, by what an older version does.
package struct VersionTable: Sendable {
    private let table: CountTable

    private enum Column: CaseIterable {
        case alone, aid, rebuild

        var trial: Trial? {
            switch self {
            case .alone: nil
            case .aid: Trial(.firstAid, isTogether: false, .inUse)
            case .rebuild: Trial(isTogether: false, .atRest)
            }
        }
    }

    /// The app's own, and the one that loses least to a repair.
    static let policies = [MergePolicy.ofTheApp, .lastWriteWins]

    private static func title(_ apps: OlderApps) -> String {
        switch apps {
        case .skipFields: "skips new fields, the cloud keeps them"
        case .dropFields: "skips new fields and empties them"
        case .stopAtRecord: "stops fetching at the record"
        case .stopSync: "stops syncing"
        }
    }

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let empty = CountTable(
            "an older app … something typed lost without repair/by first aid/by a rebuild",
            rows: OlderApps.allCases.map(Self.title), parts: Column.allCases.count, Self.policies)
        table = await CountTable.count(fleets: fleets, [empty], Self.add)[0]
    }

    @Sendable private static func add(_ random: RandomFleet, _ policy: MergePolicy, to tables: inout [CountTable]) {
        guard policies.contains(policy) else { return }
        let fleet = random.mixed
        // In the end every device is updated.
        let updates = fleet.devices.indices.map { ScheduledEvent(RandomFleet.repairTime + 1, device: $0, .upgrade) }
        for apps in OlderApps.allCases {
            func outcome(_ schedule: [ScheduledEvent], _ strategy: RepairStrategy = .v3) -> Outcome {
                var options = random.options(policy, strategy)
                options.olderApps = apps
                return Simulation(fleet, options).run(schedule + updates)
            }
            let alone = outcome(random.schedule(.inUse))
            for (part, column) in Column.allCases.enumerated() {
                let isLost: Bool
                if let trial = column.trial {
                    let (with, without) = random.schedules(trial, upgrades: false)
                    let idle = trial.moment == .inUse ? alone : outcome(without)
                    isLost = !Harm.lost.meters(
                        in: outcome(with, trial.strategy), idle, promisesOneRecord: false
                    ).isEmpty
                } else {
                    isLost = !alone.lost.isEmpty
                }
                if isLost { tables[0].add(random, to: title(apps), part: part, policy) }
            }
        }
    }

    /// In Markdown.
    package var text: String { table.text }
}
