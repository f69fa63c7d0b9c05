internal import FleetSimulation
internal import MeterModel

/// In how many random fleets something typed is lost by a command that changes one thing, by how it is gone about.
package struct ByHandTable: Sendable {
    private let table: CountTable

    private static let strategies: [(RepairStrategy, String)] = [
        (.set, "`set`"), (.type, "the same name typed in the app"), (.unlock, "`unlock`"),
        (.fix, "`fix` of locks and units"), (.importLegacy, "`import-kv`"), (.delete, "`delete`"),
        (.forcedDelete, "`delete --force` of a record with nothing typed"),
    ]
    private static let moments: [Trial.Moment] = [.inUse, .namesLeftAlone, .atRest]

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let empty = CountTable(
            "something typed lost: in use/names left alone/at rest", rows: Self.strategies.map(\.1),
            parts: Self.moments.count)
        table = await CountTable.count(fleets: fleets, [empty]) { random, policy, tables in
            let fleet = random.faulty
            func outcome(_ schedule: [ScheduledEvent], _ strategy: RepairStrategy = .v3) -> Outcome {
                Simulation(fleet, random.options(policy, strategy)).run(schedule)
            }
            for (part, moment) in Self.moments.enumerated() {
                let idle = outcome(random.schedule(moment))
                for (strategy, command) in Self.strategies {
                    let trial = Trial(strategy, isTogether: false, moment)
                    let result = outcome(random.schedules(trial).with, strategy)
                    if !Harm.lost.meters(in: result, idle, promisesOneRecord: false).isEmpty {
                        tables[0].add(random, to: command, part: part, policy)
                    }
                }
            }
        }[0]
    }

    /// In Markdown.
    package var text: String { table.text }
}
