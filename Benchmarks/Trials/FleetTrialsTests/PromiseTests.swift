import FleetSimulation
import FleetTrials
import MeterModel
import Testing

/// What Documentation/several-devices.md promises of a repair while data is partly synced, on the first of the random fleets
/// that `Benchmarks/several-devices` plays. What the same day without the repair loses does not count. A failure names its
/// seed.
@Suite("a repair of a fleet with partly synced data")
struct PromiseTests {
    @Test(
        "loses nothing, converges and leaves one record of each meter, if all devices are updated and at rest before it",
        arguments: MergePolicy.allCases, [false, true])
    func atRest(policy: MergePolicy, isTogether: Bool) {
        for seed in 0..<UInt64(60) {
            let harm = FleetHarm(Trial(isTogether: isTogether, .atRest), seed: seed, policy)
            for kind in Harm.allCases { #expect(harm.meters(kind) == [], "seed \(seed): \(kind)") }
            #expect(harm.outcome.isConverged, "seed \(seed): \(harm.outcome.obstacles)")
        }
    }

    @Test(
        "as first aid does no harm while devices are in use, if all are updated and have synced and nothing is typed",
        arguments: MergePolicy.allCases, [false, true])
    func firstAid(policy: MergePolicy, isTogether: Bool) {
        for seed in 0..<UInt64(60) {
            let harm = FleetHarm(Trial(.firstAid, isTogether: isTogether, .namesLeftAlone), seed: seed, policy)
            for kind in Harm.allCases { #expect(harm.meters(kind) == [], "seed \(seed): \(kind)") }
        }
    }

    @Test(
        "never leaves a meter without a record, if one device repairs and no other repair is on its way",
        arguments: MergePolicy.allCases)
    func oneRepairer(policy: MergePolicy) {
        for seed in 0..<UInt64(150) where !RandomFleet(seed: seed).hasDeletionsOnTheirWay {
            let harm = FleetHarm(Trial(isTogether: false, .inUse), seed: seed, policy)
            #expect(harm.meters(.gone) == [], "seed \(seed)")
        }
    }

    /// These cannot be promised: were one of them to hold, the documentation would warn of nothing.
    @Test(
        "in use loses typed values whichever policy and procedure, and together even whole meters",
        arguments: MergePolicy.allCases)
    func inUse(policy: MergePolicy) throws {
        let seeds = UInt64(0)..<100
        func isHarmed(_ seed: UInt64, _ isTogether: Bool, _ harm: Harm) -> Bool {
            !FleetHarm(Trial(isTogether: isTogether, .inUse), seed: seed, policy).meters(harm).isEmpty
        }
        #expect(seeds.contains { isHarmed($0, false, .lost) })
        #expect(seeds.contains { isHarmed($0, true, .lost) })
        #expect(seeds.contains { isHarmed($0, true, .gone) })
    }

    @Test("may lose what a device typed that waits for an update of its app: it is not at rest")
    func waitingForUpgrade() {
        let trial = Trial(isTogether: false, .atRest)
        let lost = (UInt64(0)..<500).contains { seed in
            let random = RandomFleet(seed: seed)
            guard random.fleet.devices.contains(where: { !$0.unknownFields.isEmpty }) else { return false }
            let (with, without) = random.schedules(trial, upgrades: false)
            let known = Set(random.outcome(of: without, .objectTrump).lost)
            return !Set(random.outcome(of: with, .objectTrump).lost).isSubset(of: known)
        }
        #expect(lost)
    }
}
