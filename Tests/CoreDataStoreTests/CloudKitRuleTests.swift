import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite("what CloudKit asks of a model")
struct CloudKitRuleTests {
    private static let model: ManagedObjectModel = {
        var meter = Entity("Meter", attributes: [Attribute("name", .string, isOptional: false)])
        meter.relationships = [Relationship("site", to: "Site", inverse: "meters")]
        let site = Entity("Site", relationships: [Relationship("meters", to: "Meter", inverse: "site", maxCount: 0)])
        return ManagedObjectModel(entities: [meter, Entity("GasMeter", superentity: "Meter"), site])
    }()

    /// The compiled model with each of its properties passed through `change`; `values` are references to more objects.
    private func compiled(
        adding values: [PropertyList] = [], _ change: (inout [String: PropertyList], [PropertyList]) -> Void
    ) throws -> ModelFile {
        let archive = try rewriting(ModelArchive.encode(Self.model)) { objects in
            let references = values.indices.map { PropertyList.uid(UInt64(objects.count + $0)) }
            for (index, object) in objects.enumerated() {
                guard var members = object.dictionary, members["NSPropertyName"] != nil else { continue }
                change(&members, references)
                objects[index] = .dictionary(members)
            }
            objects += values
        }
        return try file(archive)
    }

    private func file(_ archive: [UInt8]) throws -> ModelFile {
        try TemporaryFolder.use { folder in
            try FileBytes.write(archive, to: folder + "/Model.mom")
            return try ModelFile.read(folder + "/Model.mom")
        }
    }

    @Test("is read off a compiled model: no default value, said once and not for each subentity")
    func withoutDefault() throws {
        let file = try compiled { _, _ in }
        #expect(file.details == ModelDetails())
        #expect(
            file.model.breaches(file.details).map(\.description) == ["Meter.name is required and has no default value"])
    }

    @Test(
        "is met by a default value, whatever it is",
        arguments: [
            PropertyList.string(""), .integer(0), .bool(false), .dictionary(["NS.time": .real(0)]), .data([]),
        ])
    func withDefault(value: PropertyList) throws {
        let file = try compiled(adding: [value]) { members, references in
            if members["NSAttributeType"] != nil { members["NSDefaultValue"] = references[0] }
        }
        #expect(file.details.defaulted == [.init("Meter", "name")])
        #expect(file.model.breaches(file.details).isEmpty)
    }

    /// `NSDeleteRule`: no action, nullify, cascade, deny.
    @Test("is broken by one of the delete rules", arguments: Int64(0)..<4)
    func deleteRules(rule: Int64) throws {
        let file = try compiled(adding: [.string("")]) { members, references in
            if members["NSAttributeType"] != nil { members["NSDefaultValue"] = references[0] }
            if members["NSMaxCount"] == .integer(0) { members["NSDeleteRule"] = .integer(rule) }
        }
        #expect(
            file.model.breaches(file.details).map(\.description)
                == (rule == 3 ? ["the relationship Site.meters has the delete rule Deny"] : []))
    }

    @Test("is broken by a relationship that leads out of a configuration, also in a compiled model")
    func configurations() throws {
        let configurations: [String: Set<String>] = ["Everything": ["GasMeter", "Meter", "Site"], "Meters": ["Meter"]]
        let file = try file(ModelArchive.encode(Self.model, configurations: configurations))
        #expect(file.details.configurations == configurations)
        #expect(
            file.model.breaches(file.details).map(\.description).suffix(1) == [
                "the relationship Meter.site leads out of a configuration that has Meter"
            ])
    }

    @Test("is broken by what is externalized, also in a compiled model")
    func externalized() throws {
        let key = PropertyList.string("NSPersistentCloudKitContainerExternalizedAttributeKey")
        var count: UInt64 = 0
        _ = try rewriting(ModelArchive.encode(Self.model)) { count = UInt64($0.count) }
        let userInfo = PropertyList.dictionary([
            "$class": .uid(count + 2), "NS.keys": .array([.uid(count)]), "NS.objects": .array([.uid(count + 1)]),
        ])
        let objects = [key, .string("1"), .dictionary(["$classname": .string("NSDictionary")]), userInfo]
        let file = try compiled(adding: objects) { members, references in
            guard members["NSMaxCount"] == .integer(0) else { return }
            members["NSUserInfo"] = references[3]
        }
        #expect(file.details.externalized == [.init("Site", "meters")])
    }

    @Test("is in MIGRATIONS.md, rule by rule")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "MIGRATIONS.md"), encoding: .utf8)
        for rule in CloudKitRule.allCases { #expect(page.contains("\n| `\(rule.rawValue)` |"), "\(rule)") }
    }

    @Test("is broken in every way by a model that has all of them")
    func every() {
        var meter = Entity("Meter", uniquenessConstraints: [["name"]])
        meter.attributes = [Attribute("any", .undefined), Attribute("id", .objectID), Attribute("name", .string)]
        meter.attributes[2].traits.isOptional = false
        var sites = Relationship("sites", to: "Site", maxCount: 0)
        sites.isOrdered = true
        sites.traits.isOptional = false
        meter.relationships = [sites]
        var details = ModelDetails()
        details.denying = [.init("Meter", "sites")]
        details.externalized = [.init("Meter", "sites"), .init("Meter", "count")]
        meter.attributes.append(Attribute("count", .integer16))
        details.configurations = ["Cloud": ["Meter"], "Local": ["Meter", "Site"]]
        let breaches = ManagedObjectModel(entities: [meter, Entity("Site")]).breaches(details)
        #expect(Set(breaches.map(\.rule)) == Set(CloudKitRule.allCases))
        #expect(breaches.count == CloudKitRule.allCases.count + 1)
    }
}
