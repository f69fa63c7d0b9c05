import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite struct ModelRevisionTests {
    private let archive = ModelArchive.encode(fullModel)

    @Test("a dropped constraint is gone, and nothing else changes")
    func droppedConstraint() throws {
        let revised = try ManagedObjectModel(
            archive: ModelArchive.revised(
                archive, [.dropUniquenessConstraint(entity: "Meter", attributes: ["address"])]))
        var entities = fullModel.entities
        for index in entities.indices where entities[index].name == "Meter" {
            entities[index].uniquenessConstraints = [["name", "address"]]
        }
        #expect(revised == ManagedObjectModel(entities: entities, versionIdentifiers: ["1.2"]))
        #expect(revised.versionHashes()["Reading"] == fullModel.versionHashes()["Reading"])
        #expect(revised.versionHashes()["Meter"] != fullModel.versionHashes()["Meter"])
    }

    @Test("an entity whose last constraint is dropped has no list of them")
    func lastConstraintDropped() throws {
        let bytes = try ModelArchive.revised(
            archive,
            [
                .dropUniquenessConstraint(entity: "Meter", attributes: ["address"]),
                .dropUniquenessConstraint(entity: "Meter", attributes: ["name", "address"]),
            ])
        #expect(try ManagedObjectModel(archive: bytes)[entity: "Meter"]?.uniquenessConstraints == [])
        #expect(try objects(bytes).allSatisfy { $0.dictionary?["NSUniqueTuples"] == nil })
    }

    @Test("an attribute becomes optional in its entity and in those that inherit it")
    func optionalAttribute() throws {
        let bytes = try ModelArchive.revised(archive, [.makeOptional(entity: "Meter", attribute: "address")])
        let revised = try ManagedObjectModel(archive: bytes)
        #expect(revised == (try fullModel.revised([.makeOptional(entity: "Meter", attribute: "address")])))
        #expect(revised[entity: "GasMeter"]?.attributes.map(\.name) == ["pressure"])
        for object in try objects(bytes).compactMap(\.dictionary) where object["_P"] != nil {
            let bit = (object["_P"]?.integer ?? 0) & 2 != 0
            #expect(bit == (object["NSIsOptional"] == .bool(true)))
        }
    }

    @Test("an added attribute is in its entity and in those that inherit it, and nothing else changes")
    func addedAttribute() throws {
        let note = Attribute("batchNote", .string)
        let revision = ModelRevision.addAttribute(entity: "Meter", note)
        let bytes = try ModelArchive.revised(archive, [revision])
        let revised = try ManagedObjectModel(archive: bytes)
        #expect(revised == (try fullModel.revised([revision])))
        #expect(revised[entity: "Meter"]?.attributes.contains(note) == true)
        let inheriting = try #require(revised[entity: "GasMeter"])
        #expect(revised.allAttributes(of: inheriting).contains(note) && !inheriting.attributes.contains(note))
        let (before, after) = (try objects(archive), try objects(bytes))
        for (old, new) in zip(before, after) where old != new {
            let (old, new) = (old.dictionary ?? [:], new.dictionary ?? [:])
            #expect(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] } == ["NSProperties"])
        }
        // Classes and texts that the archive has are not added again.
        let texts = after.compactMap(\.string)
        #expect(texts.count == Set(texts).count)
        let classes = after.compactMap { $0.dictionary?["$classname"]?.string }
        #expect(classes.count == Set(classes).count)
    }

    @Test("an attribute that a subentity redeclares stays as it is there")
    func redeclaredAttribute() throws {
        var required = Attribute("name", .string, isOptional: false)
        required.traits.versionHashModifier = "own"
        let model = ManagedObjectModel(entities: [
            Entity("A", attributes: [Attribute("name", .string, isOptional: false)]),
            Entity("B", superentity: "A", attributes: [required]), Entity("C", superentity: "B"),
            Entity("D", superentity: "A", attributes: [Attribute("name", .string)]), Entity("E", superentity: "A"),
        ])
        let revised = try ManagedObjectModel(
            archive: ModelArchive.revised(
                ModelArchive.encode(model), [.makeOptional(entity: "A", attribute: "name")]))
        let optional = revised.entities.map { revised.allAttributes(of: $0)[0].traits.isOptional }
        #expect(optional == [true, false, false, true, true])
    }

    @Test("a revision that does not fit says why")
    func impossibleRevision() {
        func reason(_ revision: ModelRevision) -> String? {
            failure { () throws(ModelArchiveError) in _ = try ModelArchive.revised(archive, [revision]) }?.description
        }
        #expect(
            reason(.makeOptional(entity: "Gone", attribute: "a"))
                == "the model cannot be revised: there is no entity Gone")
        #expect(
            reason(.makeOptional(entity: "GasMeter", attribute: "address"))
                == "the model cannot be revised: GasMeter has no attribute address of its own")
        #expect(
            reason(.dropUniquenessConstraint(entity: "Meter", attributes: ["name"]))
                == "the model cannot be revised: Meter has no uniqueness constraint [name]")
        #expect(
            reason(.dropUniquenessConstraint(entity: "Meter", attributes: ["address", "name"]))
                == "the model cannot be revised: Meter has no uniqueness constraint [address, name]")
        #expect(
            reason(.addAttribute(entity: "Meter", Attribute("address", .string)))
                == "the model cannot be revised: Meter has an attribute address")
        #expect(
            reason(.addAttribute(entity: "Meter", Attribute("batch", .string, isOptional: false)))
                == "the model cannot be revised: batch is not optional")
    }

    @Test("what is unknown survives, in its place")
    func unknownPartsSurvive() throws {
        var list = try #require(PropertyList(binary: archive).dictionary)
        var before = try #require(list["$objects"]?.array)
        for index in before.indices {
            guard var values = before[index].dictionary, values["$class"] != nil else { continue }
            values["XUnknown"] = .array([.real(0.5), .date(7), .integer(.min), .uid(3), .data([1, 2]), .null])
            before[index] = .dictionary(values)
        }
        before.append(.dictionary(["XNobody": .string("refers to me")]))
        list["$objects"] = .array(before)
        list["XTop"] = .integer(5)
        let bytes = try ModelArchive.revised(
            PropertyList.dictionary(list).binaryPropertyList(),
            [
                .makeOptional(entity: "Meter", attribute: "address"),
                .dropUniquenessConstraint(entity: "Meter", attributes: ["address"]),
            ])
        var revised = try #require(PropertyList(binary: bytes).dictionary)
        let after = try #require(revised["$objects"]?.array)
        let changed = before.indices.filter { before[$0] != after[$0] }
        // The entity, the attribute and the subentity's copy of it; a new list of constraints at the end.
        #expect(changed.count == 3)
        #expect(after.count == before.count + 1)
        for index in changed {
            let (old, new) = (before[index].dictionary ?? [:], after[index].dictionary ?? [:])
            let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            #expect(keys == ["_P", "NSIsOptional"] || keys == ["NSUniqueTuples"])
        }
        revised["$objects"] = nil
        list["$objects"] = nil
        #expect(revised == list)
    }

    @Test("a list that two entities share changes for one")
    func sharedList() throws {
        let model = ManagedObjectModel(
            entities: ["A", "B"].map {
                Entity($0, attributes: [Attribute("id", .uuid)], uniquenessConstraints: [["id"], ["id", "id"]])
            })
        let archive = try rewriting(ModelArchive.encode(model)) { objects in
            let lists = objects.compactMap { $0.dictionary?["NSUniqueTuples"] }
            let shared = try #require(lists.first)
            for (index, object) in objects.enumerated() {
                guard var values = object.dictionary, values["NSUniqueTuples"] != nil else { continue }
                values["NSUniqueTuples"] = shared
                objects[index] = .dictionary(values)
            }
        }
        let revised = try ManagedObjectModel(
            archive: ModelArchive.revised(
                archive, [.dropUniquenessConstraint(entity: "A", attributes: ["id"])]))
        #expect(revised.entities.map(\.uniquenessConstraints) == [[["id", "id"]], [["id"], ["id", "id"]]])
    }

    @Test("an attribute that two unrelated entities share is not revised")
    func sharedAttribute() throws {
        let model = ManagedObjectModel(
            entities: ["A", "B"].map { Entity($0, attributes: [Attribute("id", .uuid, isOptional: false)]) })
        let shared = try rewriting(ModelArchive.encode(model)) { objects in
            let attributes = objects.indices.filter { objects[$0].dictionary?["NSAttributeType"] != nil }
            replace(attributes[1], by: attributes[0], in: &objects)
        }
        #expect(try ManagedObjectModel(archive: shared) == model)
        #expect(throws: ModelArchiveError.notRevised("parts of its archive are shared and would change too")) {
            try ModelArchive.revised(shared, [.makeOptional(entity: "A", attribute: "id")])
        }
    }

    @Test("a constraint may list properties instead of names")
    func constraintOfProperties() throws {
        let bytes = try rewriting(archive) { objects in
            let named = try #require(objects.firstIndex(of: .string("address")))
            let property = try #require(
                objects.firstIndex { $0.dictionary?["NSPropertyName"] == .uid(UInt64(named)) })
            replace(named, by: property, in: &objects)
        }
        #expect(bytes != archive)
        #expect(try ManagedObjectModel(archive: bytes) == fullModel)
        let revision = ModelRevision.dropUniquenessConstraint(entity: "Meter", attributes: ["address"])
        #expect(
            try ManagedObjectModel(archive: ModelArchive.revised(bytes, [revision])) == fullModel.revised([revision]))
    }

    @Test("a cache is revised in the encoding it was found in")
    func revisedCache() throws {
        let revisions = [ModelRevision.dropUniquenessConstraint(entity: "Meter", attributes: ["address"])]
        let compressed = try ModelArchive.revisedCache(ModelArchive.modelCache(for: fullModel), revisions)
        let plain = try ModelArchive.revisedCache(archive, revisions)
        #expect(try compressed.inflated(limit: 1 << 20) == plain)
        #expect(try ManagedObjectModel(modelCache: compressed) == ManagedObjectModel(modelCache: plain))
        #expect(throws: ModelArchiveError.notInflated(.truncated)) { try ModelArchive.revisedCache([], revisions) }
        #expect(throws: ModelArchiveError.self) { try ModelArchive.revised([1, 2, 3], revisions) }
    }

    @Test("every revision of a random model gives the revised model", arguments: UInt64(0)..<40)
    func randomRevisions(
        seed: UInt64
    ) throws {
        let model = RandomModels.model(seed: seed)
        let bytes = ModelArchive.encode(model)
        #expect(try ModelArchive.revised(bytes, []) == bytes)
        for revision in revisions(of: model) {
            let revised = try ManagedObjectModel(archive: ModelArchive.revised(bytes, [revision]))
            #expect(revised.versionHashes() == (try model.revised([revision]).versionHashes()), "\(revision)")
        }
        let all = try ManagedObjectModel(archive: ModelArchive.revised(bytes, revisions(of: model)))
        #expect(all == (try model.revised(revisions(of: model))))
    }

    @Test("any byte may be anything")
    func anyByteChanged() throws {
        let model = ManagedObjectModel(entities: [
            Entity("A", attributes: [Attribute("a", .string, isOptional: false)], uniquenessConstraints: [["a"]])
        ])
        let bytes = ModelArchive.encode(model)
        var revised = 0
        for index in bytes.indices {
            for flip: UInt8 in [0x01, 0x80] {
                var damaged = bytes
                damaged[index] ^= flip
                guard let archive = try? ModelArchive.revised(damaged, revisions(of: model)) else { continue }
                revised += 1
                // What is not refused has its revisions.
                let entity = try ManagedObjectModel(archive: archive)[entity: "A"]
                #expect(entity?.uniquenessConstraints == [], "byte \(index), \(flip)")
                #expect(entity?.attributes.map(\.traits.isOptional) == [true], "byte \(index), \(flip)")
            }
        }
        #expect((1..<2 * bytes.count).contains(revised))
    }

    /// Lets the lists of one object have another one.
    private func replace(_ old: Int, by new: Int, in objects: inout [PropertyList]) {
        for (index, object) in objects.enumerated() {
            guard var values = object.dictionary, values["NS.objects"] == .array([.uid(UInt64(old))]) else { continue }
            values["NS.objects"] = .array([.uid(UInt64(new))])
            objects[index] = .dictionary(values)
        }
    }

    /// Every revision there is of the model.
    private func revisions(of model: ManagedObjectModel) -> [ModelRevision] {
        model.entities.flatMap { entity in
            entity.uniquenessConstraints.map { .dropUniquenessConstraint(entity: entity.name, attributes: $0) }
                + entity.attributes.map { .makeOptional(entity: entity.name, attribute: $0.name) }
        }
    }

    private func objects(_ archive: [UInt8]) throws -> [PropertyList] {
        try #require(PropertyList(binary: archive).dictionary?["$objects"]?.array)
    }

    @Suite(.enabled(if: RealStores.isAvailable, "no real stores: set METERFIX_REAL_STORES to their folder"))
    struct RealModels {
        @Test("a real model is the same except for what is revised", arguments: RealStoreTests.expectations)
        func realModel(
            expected: RealStoreTests.Expectation
        ) throws {
            let cache = try RealStoreTests.Store(expected.path).modelCache
            let model = try ManagedObjectModel(modelCache: cache)
            let before = try PropertyList(binary: cache.inflated(limit: 1 << 20))
            let untouched = try ModelArchive.revisedCache(cache, [])
            #expect(try PropertyList(binary: untouched.inflated(limit: 1 << 20)) == before)
            for entity in model.entities {
                for constraint in entity.uniquenessConstraints {
                    let revision = ModelRevision.dropUniquenessConstraint(entity: entity.name, attributes: constraint)
                    let revised = try ManagedObjectModel(modelCache: ModelArchive.revisedCache(cache, [revision]))
                    let changed = model.entities.filter { candidate in
                        model.versionHash(of: candidate) != revised[entity: candidate.name].flatMap(revised.versionHash)
                    }
                    // A parent's hash is part of its subentities'.
                    #expect(changed.allSatisfy { model.lineage(of: $0).contains(entity) })
                    #expect(revised.versionHashes() == (try model.revised([revision]).versionHashes()))
                }
                for attribute in entity.attributes {
                    let revision = ModelRevision.makeOptional(entity: entity.name, attribute: attribute.name)
                    let revised = try ManagedObjectModel(modelCache: ModelArchive.revisedCache(cache, [revision]))
                    #expect(revised.versionHashes() == (try model.revised([revision]).versionHashes()))
                }
            }
        }
    }
}
