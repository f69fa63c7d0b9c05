import MeterInspect

#if canImport(CoreData)
    import CoreDataStore
    import Foundation
    import MeterModel
    import MeterRepair
    import MeterStore
    import MeterTestSupport
    import Testing

    @Suite("a store that Core Data makes")
    struct NewStoreTests {
        /// Of the model cases, those of the app.
        private static let appModels = ModelCase.all.filter { $0.model[entity: SettingsTable.entityName] != nil }

        @Test("passes verify, with one object and with more", arguments: appModels, [true, false])
        func verify(_ example: ModelCase, tracksHistory: Bool) throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/CKModel.sqlite"
            for number in 0..<3 {
                let store = try AppleStore(
                    "CKModel.sqlite", in: folder, AppleModel.make(example.model), describedAs: example.model,
                    tracksHistory: tracksHistory)
                let now = Date(timeIntervalSinceReferenceDate: FixtureClock.now + Double(number))
                let row = try store.save(
                    AppleStore.Edit(insertion: [
                        "id": UUID(), "macAddress": "A4:C1:38:0B:7E:0\(number)", "meterName": "Meter \(number)",
                        "createdAt": now, "updatedAt": now,
                    ]), author: "app")
                #expect(row == Int64(number + 1))
                let records = try store.records()
                try store.close()
                #expect(try ReadRecords(in: path)?.differences(from: records) == [])
                let report = try Verify.report(path, VerifyOptions(now: SampleCopy.now))
                // That v1 has a constraint is what `migrate` is for.
                let isConstrained = example.model == USBMeterModel.v1
                #expect(
                    report.findings.filter { $0.severity == .error }.map(\.id)
                        == (isConstrained ? ["uniqueness-constraint"] : []))
                #expect(report.schemaVersion == (isConstrained ? 1 : 2))
            }
        }

        @Test(
            "is the one that meterfix makes of the same model, to the letter of each statement",
            arguments: ModelCase.laidOut,
            [SchemaStatements.History.current, .none])
        func layout(_ example: ModelCase, history: SchemaStatements.History) throws {
            let folder = try TemporaryFolder()
            try AppleStore(
                "apple.sqlite", in: folder, AppleModel.make(example.model), describedAs: example.model,
                tracksHistory: history != .none
            ).close()
            try StoreCreator.create(
                at: folder.path + "/meterfix.sqlite", model: example.model,
                options: StoreOptions(storeUUID: FixtureUUID(1).text, history: history))
            let apples = try StoreContents(of: folder.path + "/apple.sqlite")
            let ours = try StoreContents(of: folder.path + "/meterfix.sqlite")
            let tolerances: Set<StoreContents.Tolerance> = [
                .frameworkVersion, .storeUUID, .otherMetadataKeys, .unusedHistoryNumbers,
            ]
            #expect(ours.differences(from: apples, tolerating: tolerances) == [])
        }
    }

    @Suite("Core Data opens a store that meterfix makes")
    struct MadeStoreTests {
        @Test("of a model, and has nothing in it", arguments: ModelCase.laidOut)
        func created(_ example: ModelCase) throws {
            let folder = try TemporaryFolder()
            try StoreCreator.create(
                at: folder.path + "/store.sqlite", model: example.model,
                options: StoreOptions(storeUUID: FixtureUUID(1).text))
            let store = try AppleStore(
                "store.sqlite", in: folder, AppleModel.make(example.model), describedAs: example.model,
                tracksHistory: true)
            for entity in example.model.entities { #expect(try store.count(of: entity.name) == 0) }
            try store.close()
        }

        @Test("of a legacy dump, with the records and the history of the import")
        func imported() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/CKModel.sqlite"
            let report = try LegacyImport.run(
                Preparation.legacyImport, on: path, creates: true, options: ChangeOptions(now: SampleCopy.now))
            let expected = try #require(try ReadRecords(in: path))
            #expect(expected.records.count == 2)
            let store = try AppleStore(
                "CKModel.sqlite", in: folder, AppleModel.make(USBMeterModel.v2), describedAs: USBMeterModel.v2,
                tracksHistory: true)
            #expect(try store.records().differences(from: expected) == [])
            let history = try store.history()
            try store.close()
            #expect(history.map(\.author) == [HistoryWriter.author])
            #expect(Set(history.flatMap(\.changes)) == report.plan.historyChanges)
        }
    }
#endif
