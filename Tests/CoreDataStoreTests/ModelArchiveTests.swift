import CoreDataStore
import Testing

@Suite struct ModelArchiveTests {
    @Test("what is archived is read back")
    func roundTrip() throws {
        #expect(try ManagedObjectModel(archive: ModelArchive.encode(fullModel)) == fullModel)
        #expect(try ManagedObjectModel(modelCache: ModelArchive.modelCache(for: fullModel)) == fullModel)
        let empty = ManagedObjectModel(entities: [])
        #expect(try ManagedObjectModel(archive: ModelArchive.encode(empty)) == empty)
    }

    @Test("inherited properties are archived with each subentity and read as the parent's")
    func inheritedProperties() throws {
        let archive = try PropertyList(binary: ModelArchive.encode(fullModel))
        let objects = try #require(archive.dictionary?["$objects"]?.array)
        let addresses = objects.filter {
            guard let name = $0.dictionary?["NSPropertyName"]?.uid else { return false }
            return objects[Int(name)] == .string("address")
        }
        #expect(addresses.count == 2)
        let model = try ManagedObjectModel(archive: ModelArchive.encode(fullModel))
        #expect(model[entity: "GasMeter"]?.attributes.map(\.name) == ["pressure"])
    }

    @Test("a property that a subentity redeclares is its own")
    func redeclaredProperty() throws {
        let parent = Entity("Parent", attributes: [Attribute("name", .string)])
        let child = Entity("Child", superentity: "Parent", attributes: [Attribute("name", .string, isOptional: false)])
        let model = ManagedObjectModel(entities: [parent, child])
        let read = try ManagedObjectModel(archive: ModelArchive.encode(model))
        #expect(read == model)
        #expect(read[entity: "Child"].map(read.allAttributes) == child.attributes)
    }

    @Test("an entity that is its own ancestor is an error")
    func cyclicAncestors() {
        let loop = [Entity("A", superentity: "B"), Entity("B", superentity: "A")]
        #expect(throws: ModelArchiveError.malformed("the entity A has too many ancestors, or is its own ancestor")) {
            try ManagedObjectModel(archive: ModelArchive.encode(ManagedObjectModel(entities: loop)))
        }
    }

    @Test("a derived attribute stays one and its entity has no hash")
    func derivedAttribute() throws {
        var count = Attribute("count", .integer64)
        count.isDerived = true
        let model = ManagedObjectModel(entities: [
            Entity("A", attributes: [count]), Entity("B", superentity: "A"), Entity("C"),
        ])
        let read = try ManagedObjectModel(archive: ModelArchive.encode(model))
        #expect(read == model)
        #expect(read.versionHashes().keys.sorted() == ["C"])
    }

    /// The archive of `fullModel`, each object passed through `change`.
    private func archive(_ change: (inout [String: PropertyList]) -> Void) throws -> [UInt8] {
        try rewriting(ModelArchive.encode(fullModel)) { objects in
            for (index, object) in objects.enumerated() {
                guard var values = object.dictionary else { continue }
                change(&values)
                objects[index] = .dictionary(values)
            }
        }
    }

    @Test("a property of an unknown class is remembered, a fetched property is not")
    func unknownPropertyClass() throws {
        let composite = try archive {
            if $0["$classname"] == .string("NSAttributeDescription") {
                $0["$classname"] = .string("NSCompositeAttributeDescription")
            }
        }
        let model = try ManagedObjectModel(archive: composite)
        #expect(model[entity: "Meter"]?.unreadProperties == ["address", "cached", "name", "photo"])
        #expect(model[entity: "GasMeter"]?.unreadProperties == ["pressure"])
        #expect(model.versionHashes().isEmpty)
        #expect(model.entities.allSatisfy { model.historyColumns(of: $0) == nil })
        for name in ["NSFetchedPropertyDescription", "_NSPropertyDescriptionProxy"] {
            let without = try archive {
                if $0["$classname"] == .string("NSAttributeDescription") { $0["$classname"] = .string(name) }
            }
            let meter = try ManagedObjectModel(archive: without)[entity: "Meter"]
            #expect(meter?.attributes == [] && meter?.unreadProperties == [])
        }
    }

    @Test("references that point anywhere are harmless")
    func danglingReferences() throws {
        var read = 0
        for target: UInt64 in [0, 1, 2, 7, 1000, .max] {
            let keys = [
                "NSEntities", "NSProperties", "NSSuperentity", "searchMapping", "values", "NSEntityName", "$class",
            ]
            for key in keys {
                let bytes = try archive { if $0[key] != nil { $0[key] = .uid(target) } }
                guard let model = try? ManagedObjectModel(archive: bytes) else { continue }
                read += 1
                #expect(
                    Set(model.versionHashes().keys).isSubset(of: model.entities.map(\.name)), "\(key) to \(target)")
            }
        }
        #expect((1..<42).contains(read))
    }

    @Test("any byte may be anything")
    func anyByteChanged() throws {
        let model = ManagedObjectModel(entities: [Entity("A", attributes: [Attribute("a", .string)])])
        let bytes = ModelArchive.encode(model)
        var read = 0
        for index in bytes.indices {
            for flip: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= flip
                guard let model = try? ManagedObjectModel(archive: damaged) else { continue }
                read += 1
                // What was read can be written, and is what is read again; what is not known here has no hash.
                let again = try ManagedObjectModel(archive: ModelArchive.encode(model))
                #expect(again.entities.map(\.name) == model.entities.map(\.name), "byte \(index), \(flip)")
                let hashes = model.versionHashes()
                #expect(hashes.isEmpty || again.versionHashes() == hashes, "byte \(index), \(flip)")
            }
        }
        #expect((1..<4 * bytes.count).contains(read))
    }

    @Test("errors say what is wrong")
    func errorMessages() {
        func reason(_ list: PropertyList) -> String? {
            failure { () throws(ModelArchiveError) in
                _ = try ManagedObjectModel(archive: list.binaryPropertyList())
            }?.description
        }
        #expect(reason(.null) == "the model cannot be read: the property list is not a keyed archive")
        let archiver = PropertyList.string("NSKeyedArchiver")
        #expect(
            reason(.dictionary(["$archiver": archiver, "$objects": .array([])]))
                == "the model cannot be read: the keyed archive has no root")
        #expect(throws: ModelArchiveError.notInflated(.truncated)) { try ManagedObjectModel(modelCache: []) }
        #expect(throws: ModelArchiveError.self) { try ManagedObjectModel(archive: []) }
    }

    @Test("a forged archive with too many references ends early")
    func tooManyReferences() throws {
        // Each of the names stands for an entity whose properties are one long list.
        var objects: [PropertyList] = [.string("$null")]
        func add(_ object: PropertyList) -> PropertyList {
            objects.append(object)
            return .uid(UInt64(objects.count - 1))
        }
        let someClass = add(.dictionary(["$classname": .string("NSEntityDescription")]))
        let name = add(.string("name"))
        let many = [PropertyList](repeating: name, count: 100_000)
        let properties = add(.dictionary(["$class": someClass, "NS.keys": .array(many), "NS.objects": .array(many)]))
        let names = (0..<4000).map { add(.string("e\($0)")) }
        let entities = (0..<4000).map { _ in add(.dictionary(["$class": someClass, "NSProperties": properties])) }
        let list = add(.dictionary(["$class": someClass, "NS.keys": .array(names), "NS.objects": .array(entities)]))
        let root = add(.dictionary(["$class": someClass, "NSEntities": list]))
        let archive = PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$objects": .array(objects), "$top": .dictionary(["root": root]),
        ])
        #expect(throws: ModelArchiveError.malformed("the keyed archive refers to too many objects")) {
            try ManagedObjectModel(archive: archive.binaryPropertyList())
        }
    }
}
