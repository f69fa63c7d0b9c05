#if canImport(CoreData)
    import CoreDataStore
    import MeterModel
    import MeterStore
    import MeterTestSupport
    import Testing

    @Suite("Core Data reads the history")
    struct HistoryTests {
        @Test(
            "that meterfix wrote: author, kind, row and changed attributes of each change",
            arguments: SampleShelf.samples)
        func planned(_ sample: Sample) throws {
            for preparation in Preparation.allCases {
                guard let prepared = try prepared(sample, preparation), let plan = prepared.report?.plan,
                    let store = try prepared.open(with: .description)
                else { continue }
                let written = try store.history().filter { $0.author == HistoryWriter.author }
                try store.close()
                #expect(written.count == (plan.historyChanges.isEmpty ? 0 : 1), "\(preparation.rawValue)")
                for transaction in written {
                    #expect(transaction.bundle == HistoryWriter.author)
                    #expect(transaction.process == HistoryWriter.author)
                    #expect(Set(transaction.changes) == plan.historyChanges, "\(preparation.rawValue)")
                    #expect(transaction.changes.count == plan.historyChanges.count)
                }
            }
        }

        @Test("as it is in the tables, transaction by transaction", arguments: SampleShelf.samples)
        func tables(_ sample: Sample) throws {
            for preparation in Preparation.allCases {
                guard let prepared = try prepared(sample, preparation) else { continue }
                let entity = prepared.model.model(for: try prepared.copy.description())?[
                    entity: SettingsTable.entityName]
                let written = try HistoryTransaction.written(
                    in: prepared.copy.path, attributes: try #require(entity).attributes.map(\.name))
                guard let store = try prepared.open(with: .description) else { continue }
                #expect(try store.history() == written, "\(preparation.rawValue)")
                try store.close()
            }
        }

        /// Nil where the store has no history of `DeviceSettings` that anybody could read whole.
        private func prepared(_ sample: Sample, _ preparation: Preparation) throws -> PreparedSample? {
            guard sample.expectedFindings.isDisjoint(with: ["history-broken", "not-intact", "no-device-settings"]),
                let prepared = try PreparedSample(sample, preparation),
                try prepared.copy.description().history != nil
            else { return nil }
            return prepared
        }
    }
#endif
