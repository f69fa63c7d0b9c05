#if canImport(CoreData)
    import CoreData
    import CoreDataStore
    import Testing

    @Suite("Core Data's own model")
    struct ModelTests {
        @Test("has the version hashes that meterfix computes", arguments: ModelCase.all)
        func hashes(_ example: ModelCase) {
            let model = AppleModel.make(example.model)
            #expect(AppleModel.versionHashes(of: model) == example.model.versionHashes())
        }

        @Test("comes out of the archive that meterfix writes", arguments: ModelCase.all)
        func unarchived(_ example: ModelCase) throws {
            let model = try AppleModel.unarchived(ModelArchive.encode(example.model))
            #expect(AppleModel.versionHashes(of: model) == example.model.versionHashes())
            #expect(model.versionIdentifiers == Set(example.model.versionIdentifiers.map { AnyHashable($0) }))
        }

        @Test("is read by meterfix from the archive that Core Data writes", arguments: ModelCase.all)
        func archived(_ example: ModelCase) throws {
            let archive = try AppleModel.archived(AppleModel.make(example.model))
            #expect(try ManagedObjectModel(archive: archive).inOrder == example.model.inOrder)
        }
    }
#endif
