import MeterInspect

#if canImport(CoreData)
    import CoreData
    import CoreDataStore
    import Foundation
    import MeterModel
    import MeterRepair
    import MeterStore
    import MeterTestSupport
    import Testing

    @Suite("a lightweight migration of Core Data's")
    struct LightweightMigrationTests {
        /// In what the two stores may differ and say the same. Everything else counts: each row, column and index, the
        /// version hashes, and also every timestamp and UUID, for a migration makes no transaction of history and no new
        /// store.
        private static let tolerances: Set<StoreContents.Tolerance> = [
            .frameworkVersion, .otherMetadataKeys, .versionIdentifiers, .statementText,
        ]

        @Test(
            "of v1 to v2, when the store is opened, ends in the store that meterfix's migration makes",
            arguments: ["v1", "check-uniqueness-constraint"])
        func opened(_ name: String) throws {
            let copy = try SampleCopy(#require(SampleShelf.sample(name)))
            try withKnownIssue(
                "Core Data may look for the model of before in an app, and there is none", isIntermittent: true
            ) {
                try AppleStore(
                    copy.name, in: copy.folder, AppleModel.make(USBMeterModel.v2), describedAs: USBMeterModel.v2,
                    tracksHistory: true, migrates: true
                ).close()
                try compare(copy.path, with: name, tolerating: Self.tolerances)
            } matching: { issue in
                (issue.error as? CocoaError)?.code.rawValue == NSMigrationMissingSourceModelError
            }
        }

        @Test(
            "of v1 to v2, with both models given, ends in the store that meterfix's migration makes",
            arguments: ["v1", "check-uniqueness-constraint"])
        func copied(_ name: String) throws {
            let copy = try SampleCopy(#require(SampleShelf.sample(name)))
            try AppleStore.migrate(
                copy.name, from: USBMeterModel.v1, to: USBMeterModel.v2, as: "new.sqlite", in: copy.folder)
            // It is another file.
            try compare(
                copy.folder.path + "/new.sqlite", with: name, tolerating: Self.tolerances.union([.storeUUID]))
        }

        /// Holds the store at `path` against what meterfix makes of a sample.
        private func compare(
            _ path: String, with name: String, tolerating tolerances: Set<StoreContents.Tolerance>
        ) throws {
            let sample = try #require(SampleShelf.sample(name))
            let prepared = try #require(try PreparedSample(sample, .migrated))
            let ours = try StoreContents(of: prepared.copy.path)
            let apples = try StoreContents(of: path)
            #expect(ours.differences(from: apples, tolerating: tolerances) == [])
            #expect(ours.metadata["NSStoreModelVersionHashes"] == apples.metadata["NSStoreModelVersionHashes"])
            let findings = try Verify.report(path, VerifyOptions(now: SampleCopy.now)).findings
            #expect(Set(findings.map(\.id)) == (try prepared.copy.findings()))
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
