import Foundation
import MeterModel
import MeterRehearsal
import Testing

/// Decides by random schedules what the winners' order and the merge of a rebuild can promise when devices repair with
/// partly synced data. MIGRATIONS.md says the same in words. What the merge policy loses on the same schedule without
/// the repair does not count. A failure names its seed.
@Suite("a repair of a fleet with partly synced data")
struct PromiseTests {
    @Test(
        "loses nothing, leaves a record of every meter and converges, if all devices are updated and at rest before it",
        arguments: MergePolicy.allCases, [RandomFleet.Procedure.oneAtRest, .togetherAtRest])
    func atRest(policy: MergePolicy, procedure: RandomFleet.Procedure) {
        for seed in 0..<UInt64(70) {
            let harm = FleetHarm(procedure, seed: seed, policy)
            #expect(harm.lost.isEmpty && harm.gone.isEmpty, "seed \(seed): \(harm.lost) \(harm.gone)")
            #expect(harm.outcome.isConverged, "seed \(seed): \(harm.outcome.obstacles)")
            #expect(harm.several.isEmpty, "seed \(seed)")
        }
    }

    @Test(
        "never leaves a meter without a record, if one device repairs and no other repair is on its way",
        arguments: MergePolicy.allCases)
    func oneRepairer(policy: MergePolicy) {
        for seed in 0..<UInt64(150) where !RandomFleet(seed: seed).hasDeletionsOnTheirWay {
            let harm = FleetHarm(.oneInUse, seed: seed, policy)
            #expect(harm.gone.isEmpty, "seed \(seed): \(harm.lost) \(harm.gone)")
        }
    }

    /// These cannot be promised: were one of them to hold, the documentation would warn of nothing.
    @Test(
        "in use loses typed values whichever policy and procedure, and together even whole meters",
        arguments: MergePolicy.allCases)
    func inUse(policy: MergePolicy) throws {
        let seeds = UInt64(0)..<100
        #expect(seeds.contains { !FleetHarm(.oneInUse, seed: $0, policy).lost.isEmpty })
        #expect(seeds.contains { !FleetHarm(.togetherInUse, seed: $0, policy).lost.isEmpty })
        #expect(seeds.contains { !FleetHarm(.togetherInUse, seed: $0, policy).gone.isEmpty })
    }

    @Test("may lose what a device typed that waits for an update of its app: it is not at rest")
    func waitingForUpgrade() {
        let lost = (UInt64(0)..<500).contains { seed in
            let random = RandomFleet(seed: seed)
            guard random.fleet.devices.contains(where: { !$0.unknownFields.isEmpty }) else { return false }
            let (with, without) = random.schedules(.oneAtRest, upgrades: false)
            let known = Set(Simulation(random.fleet, .init(policy: .fieldwise)).run(without).lost)
            return !Set(Simulation(random.fleet, .init(policy: .fieldwise)).run(with).lost).isSubset(of: known)
        }
        #expect(lost)
    }

    private static let tableFleets = ProcessInfo.processInfo.environment["METERFIX_FLEETS"].flatMap(UInt64.init)

    /// For `Benchmarks/rehearsals`.
    @Test(
        "writes to METERFIX_FLEET_TABLE in how many of METERFIX_FLEETS fleets it does harm",
        .enabled(if: tableFleets != nil, "Benchmarks/rehearsals sets METERFIX_FLEETS"))
    func table() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["METERFIX_FLEET_TABLE"])
        let table = await FleetTable(fleets: try #require(Self.tableFleets))
        try table.text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
