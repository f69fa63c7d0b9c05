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
        private static let appModels = ModelCase.all.filter { $0.model[entity: USBMeterModel.entityName] != nil }

        @Test("passes verify, empty and with objects", arguments: appModels, [true, false])
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
                #expect(report.findings.filter { $0.severity == .error }.map(\.message) == [])
                #expect(report.schemaVersion == (example.model == USBMeterModel.v1 ? 1 : 2))
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
#endif
