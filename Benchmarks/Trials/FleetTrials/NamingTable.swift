internal import FleetSimulation
internal import MeterModel

/// What names of records that follow from the meter's address would prevent, and what it costs to get there.
package struct NamingTable: Sendable {
    private let tables: [CountTable]

    /// Where a fleet begins, and what happens in the end.
    private static let tidy = "one record of each meter at first: several records/no record/something typed lost"
    private static let kept = "several records with random names at first: several records in the end"
    private static let move = "something typed lost/no record/several records"

    private static func row(_ naming: RecordNaming) -> String {
        switch naming {
        case .random: "random names"
        case .fromAddress: "names from the address"
        }
    }

    private static let newOnly = "new records only"
    private static let neither = "no move"

    private enum Move: String, CaseIterable {
        case atRest = "every record renamed on one device, at rest"
        case oneInUse = "every record renamed on one device, in use"
        case allInUse = "every record renamed on all devices, in use"

        var trial: Trial {
            switch self {
            case .atRest: Trial(.v2, isTogether: false, .atRest)
            case .oneInUse: Trial(.v2, isTogether: false, .inUse)
            case .allInUse: Trial(.v2, isTogether: true, .inUse)
            }
        }
    }

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let empty = [
            CountTable(Self.tidy, rows: RecordNaming.allCases.map(Self.row), parts: 3),
            CountTable(Self.kept, rows: [Self.neither, Self.newOnly], VersionTable.policies),
            CountTable(
                Self.move, rows: Move.allCases.map(\.rawValue), parts: Harm.allCases.count, VersionTable.policies),
        ]
        tables = await CountTable.count(fleets: fleets, empty, Self.add)
    }

    @Sendable private static func add(_ fleet: RandomFleet, _ policy: MergePolicy, to tables: inout [CountTable]) {
        for naming in RecordNaming.allCases {
            var options = fleet.options(policy, .v3)
            options.naming = naming
            let outcome = Simulation(fleet.tidy(naming), options).run(fleet.schedule(.inUse))
            let ends = [outcome.severalRecords.isEmpty, outcome.metersWithoutRecord.isEmpty, outcome.lost.isEmpty]
            for (part, isWell) in ends.enumerated() where !isWell {
                tables[0].add(fleet, to: row(naming), part: part, policy)
            }
        }
        guard VersionTable.policies.contains(policy) else { return }
        var options = fleet.options(policy, .v2)
        if !fleet.outcome(of: fleet.schedule(.inUse), policy).severalRecords.isEmpty {
            tables[1].add(fleet, to: neither, policy)
        }
        options.naming = .fromAddress
        var idle: [Trial.Moment: Outcome] = [:]
        for moment in [Trial.Moment.inUse, .atRest] {
            idle[moment] = Simulation(fleet.fleet, options).run(fleet.schedule(moment))
        }
        if !idle[.inUse]!.severalRecords.isEmpty { tables[1].add(fleet, to: newOnly, policy) }
        for move in Move.allCases {
            let outcome = Simulation(fleet.fleet, options).run(fleet.schedules(move.trial).with)
            for (part, harm) in Harm.allCases.enumerated() {
                let meters = harm.meters(
                    in: outcome, idle[move.trial.moment]!, promisesOneRecord: move.trial.promisesOneRecord)
                if !meters.isEmpty { tables[2].add(fleet, to: move.rawValue, part: part, policy) }
            }
        }
    }

    /// In Markdown.
    package var text: String { tables.map(\.text).joined(separator: "\n") }
}
