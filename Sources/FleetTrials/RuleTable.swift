package import MeterRehearsal

/// In how many random fleets first aid on one device in use would lose something typed, by the rule that says what it
/// fills in, and in how many it would fill in anything.
package struct RuleTable: Sendable {
    private struct Cell: Hashable {
        let rule: FirstAidRule
        let policy: MergePolicy
        let isHarmed: Bool
    }

    private let seeds: [Cell: [UInt64]]

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let trial = Trial(.firstAid, isTogether: false, .inUse)
        seeds = await FleetCounts.seeds(of: fleets) { fleet in
            var cells: Set<Cell> = []
            for policy in MergePolicy.allCases {
                let idle = fleet.outcome(of: fleet.schedule(.inUse), policy)
                for rule in FirstAidRule.allCases {
                    let harm = FleetHarm(trial, fleet, policy, rule, idle: idle)
                    if harm.outcome.repairedRecords > 0 {
                        cells.insert(Cell(rule: rule, policy: policy, isHarmed: false))
                    }
                    if !harm.meters(.lost).isEmpty { cells.insert(Cell(rule: rule, policy: policy, isHarmed: true)) }
                }
            }
            return cells
        }
    }

    /// In Markdown.
    package var text: String {
        var table = PolicyTable("rules for first aid on one device, in use: something typed was lost")
        for rule in FirstAidRule.allCases {
            func count(_ policy: MergePolicy, _ isHarmed: Bool) -> Int {
                seeds[Cell(rule: rule, policy: policy, isHarmed: isHarmed)]?.count ?? 0
            }
            table.add("\(Self.title(rule)) (fills something in \(count(.ofTheApp, false)))") { count($0, true) }
        }
        return table.text
    }

    private static func title(_ rule: FirstAidRule) -> String {
        switch rule {
        case .built: "name and unit of the record that the app finds first"
        case .stamped: "the same with a new `updatedAt`"
        case .withModelType: "the same and the model type"
        case .everyRecord: "name and unit of every record"
        case .winner: "name and unit of the record that a rebuild would keep"
        case .nothingWaits: "as the first, only if nothing waits to be uploaded"
        case .unchangedForADay: "as the first, only if no record of the meter has changed for a day"
        case .notUploaded: "as the first, only in a record that CloudKit does not have"
        }
    }
}
