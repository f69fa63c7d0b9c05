internal import CoreDataStore
internal import MeterStore
internal import MeterTestSupport

extension FuzzTarget {
    /// The keyed archive of a model.
    static let modelArchive = FuzzTarget(
        name: "model-archive", longestInput: 1 << 16, shortRun: 37,
        seeds: {
            [USBMeterModel.v1, family, Kitchen.modelWithComposite].map {
                ModelArchive.encode($0, configurations: ["Some": Set($0.entities.prefix(1).map(\.name))])
            }
        },
        entry: { { bytes in if let model = try? ManagedObjectModel(archive: bytes) { use(model) } } })

    /// The compressed archive in a store.
    static let modelCache = FuzzTarget(
        name: "model-cache", longestInput: 1 << 16, shortRun: 250,
        seeds: { [try ModelArchive.modelCache(for: USBMeterModel.v2), try ModelArchive.modelCache(for: family)] },
        entry: {
            { bytes in
                if let model = try? ManagedObjectModel(modelCache: bytes) { use(model) }
                _ = try? bytes.inflated(limit: 1 << 16)
            }
        })

    /// A developer's model, `contents`.
    static let modelSource = FuzzTarget(
        name: "model-source", longestInput: 1 << 16, shortRun: 200,
        seeds: {
            let text = """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="é&#x1F50C;">
                    <entity name="Item" representedClassName="Item" isAbstract="YES" versionHashModifier="x">
                        <attribute name="name" optional="YES" attributeType="String" renamingIdentifier="n"/>
                        <attribute name="count" attributeType="Integer 64" defaultValueString="0" usesScalarValueType="YES"/>
                        <relationship name="tags" optional="YES" toMany="YES" minCount="1" maxCount="9" ordered="YES" destinationEntity="Tag" inverseName="item" inverseEntity="Tag"/>
                        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
                    </entity>
                    <entity name="Tag" parentEntity="Item"><!-- a & b --><userInfo><entry key="k" value="&lt;v&gt;"/></userInfo>
                        <relationship name="item" maxCount="1" destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
                    </entity>
                </model>
                """
            return [Array(text.utf8)]
        },
        entry: {
            let folder = try TemporaryFolder()
            return { bytes in
                try FileBytes.write(bytes, to: folder.path + "/contents")
                if let file = try? ModelFile.read(folder.path + "/contents") { use(file.model) }
            }
        })

    /// A compiled model, `.mom`.
    static let compiledModel = FuzzTarget(
        name: "compiled-model", longestInput: 1 << 16, shortRun: 37, seeds: modelArchive.seeds,
        entry: {
            let folder = try TemporaryFolder()
            return { bytes in
                try FileBytes.write(bytes, to: folder.path + "/Model.mom")
                if let file = try? ModelFile.read(folder.path + "/Model.mom") { use(file.model) }
            }
        })

    /// `VersionInfo.plist` of a `.momd`.
    static let versionInformation = FuzzTarget(
        name: "version-information", longestInput: 1 << 16, shortRun: 125,
        seeds: {
            let hashes = USBMeterModel.v2.versionHashes().mapValues { PropertyList.data($0) }
            return [
                PropertyList.dictionary([
                    "NSManagedObjectModel_CurrentVersionName": .string("Model"),
                    "NSManagedObjectModel_VersionHashes": .dictionary(["Model": .dictionary(hashes)]),
                ]).binaryPropertyList()
            ]
        },
        entry: {
            let folder = try TemporaryFolder()
            try FileBytes.write(
                ModelArchive.encode(ManagedObjectModel(entities: [Entity("A")])), to: folder.path + "/Model.mom")
            return { bytes in
                try FileBytes.write(bytes, to: folder.path + "/VersionInfo.plist")
                for path in [folder.path, folder.path + "/Model.mom"] { _ = try? ModelFile.read(path) }
            }
        })

    /// Entities with a parent, and every kind of relationship.
    private static let family = ManagedObjectModel(
        entities: [
            Entity(
                "Item", attributes: [Attribute("name", .string), Attribute("count", .integer64, isOptional: false)],
                relationships: [Relationship("tags", to: "Tag", inverse: "item", maxCount: 0)]),
            Entity(
                "Tag", attributes: [Attribute("bytes", .binary)],
                relationships: [Relationship("item", to: "Item", inverse: "tags")]),
        ], versionIdentifiers: ["one", "é"])

    /// What the commands do with a model from a file.
    private static func use(_ model: ManagedObjectModel) {
        let hashes = model.versionHashes()
        _ = HashComparison(of: model, with: hashes)
        _ = hashes.versionHashesDigest
        for entity in model.entities {
            _ = model.historyColumns(of: entity)
            _ = model.allAttributes(of: entity)
            _ = model.allRelationships(of: entity)
            _ = model.allComposites(of: entity).flatMap(\.leaves)
        }
        _ = ModelDifference(from: USBMeterModel.v1, to: model)
        _ = ModelDifference(from: model, to: USBMeterModel.v2)
        _ = ModelArchive.encode(model)
    }
}
