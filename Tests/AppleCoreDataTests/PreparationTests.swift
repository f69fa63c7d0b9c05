import CoreDataStore
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("the samples as meterfix hands them to Core Data")
struct PreparationTests {
    /// Samples that a preparation changes.
    private static let changed: [Preparation: Set<String>] = [
        .rebuilt: ["duplicates", "v1", "blob", "wal-only", "no-history", "rollback-journal", "no-model-cache"],
        .migrated: ["v1", "half-migrated", "half-migrated-hashes", "check-uniqueness-constraint"],
        .imported: ["healthy", "duplicates", "v1", "blob", "wal-only", "no-history", "rollback-journal"],
    ]

    @Test("have the version hashes of the model they are to be opened with", arguments: SampleShelf.samples)
    func hashes(_ sample: Sample) throws {
        for preparation in Preparation.allCases {
            guard let prepared = try PreparedSample(sample, preparation) else {
                var isExpectedToOpen = false
                if case .opens = CoreDataAnswer.of(sample) { isExpectedToOpen = true }
                #expect(!isExpectedToOpen || PreparedSample.refused.contains(sample.name))
                continue
            }
            let description = try prepared.copy.description()
            let model = try #require(prepared.model.model(for: description))
            #expect(description.metadata.versionHashes == model.versionHashes(), "\(preparation.rawValue)")
            #expect((prepared.report == nil) == (preparation == .asSent))
            if Self.changed[preparation]?.contains(sample.name) == true {
                #expect(prepared.report?.outcome == .applied, "\(preparation.rawValue)")
            }
        }
    }

    @Test("have in their history what the plan says", arguments: SampleShelf.samples)
    func history(_ sample: Sample) throws {
        for preparation in Preparation.allCases {
            guard let prepared = try PreparedSample(sample, preparation) else { continue }
            let description = try prepared.copy.description()
            guard description.history != nil,
                let entity = prepared.model.model(for: description)?[entity: SettingsTable.entityName]
            else { continue }
            let attributes = entity.attributes.map(\.name)
            // Some samples have transactions of meterfix themselves.
            let original = try SampleCopy(sample)
            let sent = try HistoryTransaction.written(in: original.path, attributes: attributes).count
            let written = try HistoryTransaction.written(in: prepared.copy.path, attributes: attributes).dropFirst(sent)
                .filter { $0.author == HistoryWriter.author }
            let planned = prepared.report?.plan.historyChanges ?? []
            #expect(written.count == (planned.isEmpty ? 0 : 1), "\(preparation.rawValue)")
            for transaction in written {
                #expect(transaction.bundle == HistoryWriter.author)
                #expect(transaction.process == HistoryWriter.author)
                #expect(Set(transaction.changes) == planned, "\(preparation.rawValue)")
                #expect(transaction.changes.count == planned.count)
            }
        }
    }

    @Test("have a record for each row")
    func records() throws {
        let sample = try #require(SampleShelf.sample("healthy"))
        let copy = try SampleCopy(sample)
        let records = try #require(try ReadRecords(in: copy.path)).records
        #expect(records.keys.sorted() == [1, 2, 3, 4, 5])
        #expect(records[3]?["tc66TemperatureUnit"] == .text("celsius"))
        #expect(records[4]?["createdAt"] == .real(FixtureClock.now - 120 * FixtureClock.day + 0.25))
        #expect(records[4]?["lastSeenAt"] == .null)
        #expect(records[1]?.keys.sorted() == USBMeterModel.v2.entities[0].attributes.map(\.name).sorted())
        let other = try SampleCopy(#require(SampleShelf.sample("other-app")))
        #expect(try ReadRecords(in: other.path) == nil)
    }
}
