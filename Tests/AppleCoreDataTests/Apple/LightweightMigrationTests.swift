#if canImport(CoreData)
    import CoreDataStore
    import MeterRepair
    import MeterStore
    import MeterTestSupport
    import Testing

    @Suite("a lightweight migration of Core Data's")
    struct LightweightMigrationTests {
        /// Core Data and meterfix may write a store that says the same in these ways. Neither tolerates a row, a column,
        /// an index or a version hash that differs; no timestamp and no UUID may differ either, for a migration makes no
        /// transaction of history and no new store.
        private static let tolerances: Set<StoreContents.Tolerance> = [
            .frameworkVersion, .otherMetadataKeys, .versionIdentifiers, .statementText,
        ]

        @Test(
            "of v1 to v2 ends in the store that meterfix's migration makes",
            arguments: ["v1", "check-uniqueness-constraint"])
        func migration(_ name: String) throws {
            let sample = try #require(SampleShelf.sample(name))
            let copy = try SampleCopy(sample)
            let store = try AppleStore(
                copy.name, in: copy.folder, AppleModel.make(USBMeterModel.v2), describedAs: USBMeterModel.v2,
                tracksHistory: true, migrates: true)
            let records = try store.records()
            try store.close()

            let prepared = try #require(try PreparedSample(sample, .migrated))
            #expect(try ReadRecords(in: prepared.copy.path)?.differences(from: records) == [])
            let apples = try StoreContents(of: copy.path)
            let ours = try StoreContents(of: prepared.copy.path)
            #expect(ours.differences(from: apples, tolerating: Self.tolerances) == [])
            #expect(apples.metadata["NSStoreModelVersionHashes"] == ours.metadata["NSStoreModelVersionHashes"])
            #expect(try copy.findings() == prepared.copy.findings())
        }

        @Test("has nothing to do in a store that meterfix migrated")
        func unneeded() throws {
            let sample = try #require(SampleShelf.sample("v1"))
            let prepared = try #require(try PreparedSample(sample, .migrated))
            let before = try StoreContents(of: prepared.copy.path)
            try AppleStore(
                prepared.copy.name, in: prepared.copy.folder, AppleModel.make(USBMeterModel.v2),
                describedAs: USBMeterModel.v2, tracksHistory: true, migrates: true
            ).close()
            let after = try StoreContents(of: prepared.copy.path)
            #expect(after.differences(from: before, tolerating: [.frameworkVersion, .otherMetadataKeys]) == [])
        }
    }
#endif
