internal import MeterModel
internal import MeterRehearsal

/// What names of records that follow from the meter's address would prevent, and what it costs to get there.
package struct NamingTable: Sendable {
    private let tables: [CountTable]

    /// Where a fleet begins, and what is done.
    private static let tidy = "one record of each meter at first"
    private static let move = "several records with random names at first"

    private static func row(_ naming: RecordNaming, _ harm: Harm) -> String {
        let names =
            switch naming {
            case .random: "random names"
            case .fromAddress: "names from the address"
            }
        switch harm {
        case .lost: return "\(names): something typed is lost"
        case .gone: return "\(names): a meter has no record in the end"
        case .several: return "\(names): a meter has several records in the end"
        }
    }

    private static let newOnly = "new records only: a meter has several records in the end"
    private static let neither = "no move: a meter has several records in the end"

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

        func row(_ harm: Harm) -> String { "\(rawValue): \(harm.title)" }
    }

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let empty = [
            CountTable(
                Self.tidy,
                rows: Harm.allCases.reversed().flatMap { harm in RecordNaming.allCases.map { Self.row($0, harm) } }),
            CountTable(
                Self.move, rows: [Self.neither, Self.newOnly] + Move.allCases.flatMap { Harm.allCases.map($0.row) },
                VersionTable.policies),
        ]
        tables = await CountTable.count(fleets: fleets, empty, Self.add)
    }

    @Sendable private static func add(_ fleet: RandomFleet, _ policy: MergePolicy, to tables: inout [CountTable]) {
        for naming in RecordNaming.allCases {
            var options = fleet.options(policy, .v3)
            options.naming = naming
            let outcome = Simulation(fleet.tidy(naming), options).run(fleet.schedule(.inUse))
            if !outcome.lost.isEmpty { tables[0].add(fleet, to: row(naming, .lost), policy) }
            if !outcome.metersWithoutRecord.isEmpty { tables[0].add(fleet, to: row(naming, .gone), policy) }
            if !outcome.severalRecords.isEmpty { tables[0].add(fleet, to: row(naming, .several), policy) }
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
            for harm in Harm.allCases {
                let meters = harm.meters(
                    in: outcome, idle[move.trial.moment]!, promisesOneRecord: move.trial.promisesOneRecord)
                if !meters.isEmpty { tables[1].add(fleet, to: move.row(harm), policy) }
            }
        }
    }

    /// In Markdown.
    package var text: String { tables.map(\.text).joined(separator: "\n") }
}
