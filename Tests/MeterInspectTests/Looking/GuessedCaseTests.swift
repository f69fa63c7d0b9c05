import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

/// The case of a store's addresses is guessed from its first records while all are read.
@Suite("the case of a store's addresses")
struct GuessedCaseTests {
    @Test("is that of most of them, even if the first hundred say otherwise")
    func wrongGuess() throws {
        let records = (1...350).map { row in
            let address = MACAddress(bits: 0xA4C1_3800_0000 + UInt64(row % 340)).text(in: row <= 120 ? .upper : .lower)
            return FixtureRecord(row: Int64(row), macAddress: address, meterName: "Meter \(row % 330)")
        }
        let store = try TestStore(StoreFixture(records: records))
        let guessed = try Verify.report(store.path, VerifyOptions(now: TestStore.now))
        #expect(guessed.letterCase == .lower)
        #expect(guessed.findings.count { $0.id == "mac-not-canonical" } == 120)
        #expect(guessed.findings.allSatisfy { $0.mac.map { $0 == $0.lowercased() } ?? true })

        var options = VerifyOptions(now: TestStore.now)
        options.letterCase = .lower
        let asked = try Verify.report(store.path, options)
        // The cure of a case that was asked for names it.
        #expect(guessed.findings.map(\.message) == asked.findings.map(\.message))
        #expect(guessed.findings.map(\.rows) == asked.findings.map(\.rows))
    }
}
