internal import MeterModel
internal import MeterRehearsal

/// What is lost in fleets where some devices have an older version of the app, by what an older version does.
package struct VersionTable: Sendable {
    private let table: CountTable

    private enum Row: String, CaseIterable {
        case alone = "no repair"
        case aid = "first aid on one device, in use"
        case rebuild = "rebuild on one device, at rest, before the others are updated"

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

    private static func title(_ row: Row, _ apps: OlderApps) -> String {
        let how =
            switch apps {
            case .skipFields: "skips new fields, the cloud keeps them"
            case .dropFields: "skips new fields and empties them"
            case .stopAtRecord: "stops fetching at the record"
            case .stopSync: "stops syncing"
            }
        return "\(row.rawValue); an older app \(how)"
    }

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let rows = Row.allCases.flatMap { row in OlderApps.allCases.map { Self.title(row, $0) } }
        let empty = CountTable("old and new versions: something typed is lost", rows: rows, Self.policies)
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
            for row in Row.allCases {
                let isLost: Bool
                if let trial = row.trial {
                    let (with, without) = random.schedules(trial, upgrades: false)
                    let idle = trial.moment == .inUse ? alone : outcome(without)
                    isLost = !Harm.lost.meters(
                        in: outcome(with, trial.strategy), idle, promisesOneRecord: false
                    ).isEmpty
                } else {
                    isLost = !alone.lost.isEmpty
                }
                if isLost { tables[0].add(random, to: title(row, apps), policy) }
            }
        }
    }

    /// In Markdown.
    package var text: String { table.text }
}
