import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

/// What the stores written by Apple's Core Data say, compared with what is computed here.
@Suite(.enabled(if: RealStores.isAvailable, "no real stores: set METERFIX_REAL_STORES to their folder"))
struct RealStoreTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        let path: String
        let entities: Int
        let recomputable: Int
        let hasChecksum: Bool

        var testDescription: String { path }
    }

    static let expectations = [
        Expectation(path: "CoreDataPlus/SampleModel/SampleModel_V1", entities: 4, recomputable: 4, hasChecksum: false),
        Expectation(path: "CoreDataPlus/SampleModel/SampleModel_V2", entities: 4, recomputable: 4, hasChecksum: false),
        Expectation(path: "CoreDataPlus/SampleModel2/SampleModel2_V1", entities: 6, recomputable: 4, hasChecksum: true),
        Expectation(path: "CoreDataPlus/SampleModel2/SampleModel2_V2", entities: 6, recomputable: 4, hasChecksum: true),
        Expectation(path: "CoreDataPlus/SampleModel3/SampleModel3_V1", entities: 1, recomputable: 1, hasChecksum: true),
        Expectation(path: "Scout/Scout-v1", entities: 16, recomputable: 16, hasChecksum: true),
        Expectation(path: "Scout/Scout-v4", entities: 17, recomputable: 17, hasChecksum: true),
    ]

    /// What is read from a copy of a store.
    struct Store {
        var metadata: [String: PropertyList] = [:]
        var metadataBytes: [UInt8] = []
        var modelCache: [UInt8] = []
        var columns: [String: [String]] = [:]

        init(_ path: String) throws {
            try StoreText.read(try #require(RealStores.folder) + "/\(path).sqlite") { database in
                metadataBytes = Array(try #require(try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA")))
                modelCache = Array(try #require(try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE")))
                for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                    columns[table] = try database.columns(in: table).map(\.name)
                }
            }
            metadata = try #require(PropertyList(binary: metadataBytes).dictionary)
        }

        var versionHashes: [String: [UInt8]] {
            (metadata["NSStoreModelVersionHashes"]?.dictionary ?? [:]).compactMapValues(\.data)
        }
    }

    @Test("a compiled model has its configurations")
    func configurations() throws {
        let store = try Store("CoreDataPlus/SampleModel2/SampleModel2_V2")
        let file = try TemporaryFolder.use { folder in
            try FileBytes.write(store.modelCache.inflated(limit: 1 << 20), to: folder + "/Model.mom")
            return try ModelFile.read(folder + "/Model.mom")
        }
        #expect(
            file.details.configurations == [
                "SampleConfigurationV2Part1": ["Author", "Book", "Feedback", "Page", "Writer"],
                "SampleConfigurationV2Part2": ["Feedback"],
            ])
        #expect(file.fits(store.versionHashes))
    }

    @Test("version hashes recompute", arguments: expectations)
    func versionHashesRecompute(expected: Expectation) throws {
        let store = try Store(expected.path)
        let model = try ManagedObjectModel(modelCache: store.modelCache)
        let hashes = model.versionHashes()
        #expect(model.entities.count == expected.entities)
        #expect(hashes.count == expected.recomputable)
        for (name, hash) in hashes { #expect(store.versionHashes[name] == hash, "\(name)") }
        for entity in model.entities where hashes[entity.name] == nil {
            #expect(model.allAttributes(of: entity).map(\.isDerived).contains(true), "\(entity.name)")
        }
        #expect(store.versionHashes.count == expected.entities)
    }

    @Test("digest and checksum recompute", arguments: expectations)
    func digestAndChecksum(expected: Expectation) throws {
        let store = try Store(expected.path)
        let digest = try #require(store.metadata["NSStoreModelVersionHashesDigest"]?.string)
        #expect(store.versionHashes.versionHashesDigest == digest)
        let checksum = store.metadata["NSStoreModelVersionChecksumKey"]?.string
        #expect((checksum != nil) == expected.hasChecksum)
        if let checksum { #expect(store.versionHashes.versionChecksum == checksum) }
    }

    @Test("a model is the same after archiving", arguments: expectations)
    func archivedModel(expected: Expectation) throws {
        let model = try ManagedObjectModel(modelCache: Store(expected.path).modelCache)
        let again = try ManagedObjectModel(modelCache: ModelArchive.modelCache(for: model))
        #expect(again == model)
        #expect(again.versionHashes() == model.versionHashes())
    }

    @Test("the cached model is compressed as Core Data does it", arguments: expectations)
    func compressedModel(expected: Expectation) throws {
        let cache = try Store(expected.path).modelCache
        #expect(try cache.inflated(limit: 1 << 24).deflated() == cache)
    }

    /// As many bytes, not the same ones: Core Data writes keys in no order. (Archives come longer from Apple's
    /// archiver, which writes the same reference again and again.)
    @Test("metadata is written in as many bytes as by Core Data", arguments: expectations)
    func metadataSize(
        expected: Expectation
    ) throws {
        let store = try Store(expected.path)
        let written = PropertyList.dictionary(store.metadata).binaryPropertyList()
        #expect(try PropertyList(binary: written).dictionary == store.metadata)
        #expect(written.count == store.metadataBytes.count)
    }

    /// Keys and attributes are columns of the entity's table, and nothing else is.
    @Test("history columns are the table's", arguments: expectations)
    func historyColumns(expected: Expectation) throws {
        let store = try Store(expected.path)
        let model = try ManagedObjectModel(modelCache: store.modelCache)
        let parents = Set(model.entities.compactMap(\.superentity))
        for entity in model.entities where entity.superentity == nil && !parents.contains(entity.name) {
            guard let columns = store.columns["Z" + entity.name.uppercased()] else {
                // It kept the columns of the model before it.
                #expect(expected.path.hasSuffix("SampleModel_V2"), "\(entity.name)")
                continue
            }
            let expectedColumns = try #require(model.historyColumns(of: entity)).compactMap { column -> String? in
                switch column.kind {
                case .toOneKey, .attribute: "Z" + column.property.uppercased()
                case .entityKey: "Z#_" + column.property.uppercased()
                case .orderKey: "Z_FOK_" + column.property.uppercased()
                case .toMany, .manyToMany: nil
                }
            }
            let stored = columns.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0) }
                .map { $0.replacing(/^Z\d+_/, with: "Z#_") }
            #expect(stored.sorted() == expectedColumns.sorted(), "\(entity.name)")
        }
    }
}
