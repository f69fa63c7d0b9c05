import MeterTestSupport
import Testing

@Suite("random record sets")
struct RandomStoresTests {
    @Test("are the same for the same seed", arguments: [UInt64](0..<20))
    func repeatable(seed: UInt64) {
        let records = RandomStores.records(seed: seed)
        #expect(records == RandomStores.records(seed: seed))
        #expect(records != RandomStores.records(seed: seed + 1))
        #expect(records.map(\.row) == (1...Int64(records.count)).map { $0 })
    }

    @Test("keep everything but row numbers and order when shuffled", arguments: [UInt64](0..<20))
    func shuffled(seed: UInt64) {
        let records = RandomStores.records(seed: seed)
        let shuffled = RandomStores.shuffledRows(records, seed: seed)
        #expect(Set(shuffled.map(\.row)).count == records.count)
        #expect(counted(shuffled) == counted(records))
    }

    private func counted(_ records: [FixtureRecord]) -> [FixtureRecord: Int] {
        records.reduce(into: [:]) { counts, record in counts[record.with { $0.row = 0 }, default: 0] += 1 }
    }

    @Test("have the mirror's token at the same place for the same seed, and at every place for some")
    func tokens() {
        let seeds = UInt64(0)..<200
        let tokens = seeds.map { RandomStores.historyToken(seed: $0, transactions: 4) }
        #expect(tokens == seeds.map { RandomStores.historyToken(seed: $0, transactions: 4) })
        #expect(
            Set(tokens) == Set((1...4).map { StoreFixture.HistoryToken.transaction($0) } + [.none, .lastExported]))
        #expect(seeds.allSatisfy { RandomStores.historyToken(seed: $0, transactions: 0) == .lastExported })
    }

    @Test("meet the cases that laws are about")
    func variety() {
        let records = (UInt64(0)..<50).flatMap { RandomStores.records(seed: $0) }
        #expect(records.contains { $0.macAddress == nil })
        #expect(records.contains { $0.macAddress?.contains("-") == true })
        #expect(records.contains { $0.meterName == " " })
        #expect(records.contains { $0.connectedAt != nil && $0.connectedByDeviceID == nil })
        #expect(records.contains { $0.updatedAt == nil })
        #expect(records.contains { $0.cloudRecordName == nil })
    }
}
