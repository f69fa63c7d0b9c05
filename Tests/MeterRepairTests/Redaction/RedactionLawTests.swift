import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("A redacted copy, by law")
struct RedactionLawTests {
    @Test(
        "gets the same answers as the store, whatever its records, its lock encoding and its mirror",
        arguments: LawSeeds.first(8))
    func answers(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let records = RandomStores.records(seed: seed)
        let fixture = StoreFixture(records: RandomStores.shuffledRows(records, seed: seed)).with {
            $0.lockEncoding = [.flat, .blob, .blobWithBinaryDiscovery][Int(seed % 3)]
            $0.mirror = seed % 4 == 0 ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
            $0.logPlacement = seed % 2 == 0 ? .checkpointed : .rowsInLogOnly
        }
        let store = folder.path + "/store.sqlite"
        try fixture.write(to: store)
        for hours in [0.0, -1, 5000] {
            let copy = "\(folder.path)/copy\(hours).sqlite"
            let now = Timestamp(secondsSince2001: FixtureClock.now + hours * FixtureClock.hour)
            let report = try Redaction.run(store, to: copy, now: now)
            #expect(report.isFaithful, "seed \(seed), \(hours) hours: \(report.differences) \(report.leftOut)")
            // A lock that was held has expired a day later, in both.
            let later = Timestamp(secondsSince2001: now.secondsSince2001 + 86_500)
            let differences = try Session.look(at: store, now: later) {
                try AnswerComparison.differences(between: ($0, store), and: copy)
            }
            #expect(differences.isEmpty, "seed \(seed), a day later: \(differences)")
        }
    }
}
