import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

@testable import AppChecks

@Suite("the model of an app")
struct AppCheckModelTests {
    private static func lines(_ entities: String, own: String = "") throws -> [String] {
        let folder = try AppFolder()
        try folder.model("<entity name=\"DeviceSettings\">\(own)</entity>\(entities)")
        return try folder.check("M.xcdatamodel").lines
    }

    @Test(
        "keeps the rules of CloudKit, attribute by attribute",
        arguments: [
            ("attributeType=\"String\" optional=\"YES\"", [String]()),
            ("attributeType=\"String\"", ["error model-attribute-required DeviceSettings.a"]),
            ("attributeType=\"String\" optional=\"NO\"", ["error model-attribute-required DeviceSettings.a"]),
            ("attributeType=\"String\" transient=\"YES\"", ["error model-attribute-required DeviceSettings.a"]),
            ("attributeType=\"String\" defaultValueString=\"\"", []),
            ("attributeType=\"Date\" defaultDateTimeInterval=\"0\"", []),
            ("optional=\"YES\"", ["error model-attribute-type DeviceSettings.a"]),
            ("attributeType=\"Undefined\" optional=\"YES\"", ["error model-attribute-type DeviceSettings.a"]),
            ("attributeType=\"Object ID\" optional=\"YES\"", ["error model-attribute-type DeviceSettings.a"]),
            (
                "attributeType=\"Undefined\"",
                ["error model-attribute-required DeviceSettings.a", "error model-attribute-type DeviceSettings.a"]
            ),
            ("attributeType=\"Transformable\" optional=\"YES\"", []),
            ("attributeType=\"Transformable\" optional=\"YES\" valueTransformerName=\"\"", []),
            ("attributeType=\"Transformable\" optional=\"YES\" valueTransformerName=\"NSSecureUnarchiveFromData\"", []),
            (
                "attributeType=\"Transformable\" optional=\"YES\" "
                    + "valueTransformerName=\"NSSecureUnarchiveFromDataTransformer\"", []
            ),
            (
                "attributeType=\"Transformable\" optional=\"YES\" valueTransformerName=\"Mine\"",
                ["warning model-transformer-unknown DeviceSettings.a"]
            ),
            ("attributeType=\"String\" optional=\"YES\" valueTransformerName=\"Mine\"", []),
        ])
    func attributes(_ attributes: String, _ wanted: [String]) throws {
        #expect(try Self.lines("", own: "<attribute name=\"a\" \(attributes)/>") == wanted)
    }

    @Test(
        "keeps the rules of CloudKit, relationship by relationship",
        arguments: [
            ("optional=\"YES\" inverseName=\"b\"", [String]()),
            ("inverseName=\"b\"", ["required"]), ("optional=\"YES\"", ["inverse"]),
            ("optional=\"YES\" inverseName=\"b\" ordered=\"YES\" toMany=\"YES\"", ["ordered"]),
            ("optional=\"YES\" inverseName=\"b\" ordered=\"NO\"", []),
            ("optional=\"YES\" inverseName=\"b\" deletionRule=\"Deny\"", ["deny"]),
            ("optional=\"YES\" inverseName=\"b\" deletionRule=\"Cascade\"", []),
            ("optional=\"YES\" inverseName=\"b\" deletionRule=\"No Action\"", []),
            ("ordered=\"YES\" deletionRule=\"Deny\"", ["required", "inverse", "ordered", "deny"]),
        ])
    func relationships(_ attributes: String, _ wanted: [String]) throws {
        let ids = [
            "required": "error model-relationship-required", "inverse": "error model-inverse-missing",
            "ordered": "error model-relationship-ordered", "deny": "error model-delete-deny",
        ]
        let lines = try Self.lines(
            "<entity name=\"B\"/>", own: "<relationship name=\"r\" destinationEntity=\"B\" \(attributes)/>")
        #expect(lines == wanted.compactMap { ids[$0] }.map { "\($0) DeviceSettings.r" })
    }

    @Test("keeps outside its record only what has no fixed length, and no relationship")
    func externalized() throws {
        let userInfo =
            "<userInfo><entry key=\"NSPersistentCloudKitContainerExternalizedAttributeKey\" value=\"1\"/></userInfo>"
        func lines(_ type: String) throws -> [String] {
            try Self.lines(
                "", own: "<attribute name=\"a\" optional=\"YES\" attributeType=\"\(type)\">\(userInfo)</attribute>")
        }
        for type in ["String", "Binary", "Transformable"] { #expect(try lines(type) == [], "\(type)") }
        for type in ["Integer 16", "Date", "UUID"] {
            #expect(try lines(type) == ["error model-externalized-type DeviceSettings.a"], "\(type)")
        }
        let relationship =
            "<relationship name=\"r\" destinationEntity=\"B\" optional=\"YES\" inverseName=\"b\">\(userInfo)</relationship>"
        #expect(
            try Self.lines("<entity name=\"B\"/>", own: relationship)
                == ["error model-externalized-relationship DeviceSettings.r"])
    }

    @Test("has each uniqueness constraint as a finding of its own")
    func constraints() throws {
        let own = """
            <attribute name="a" attributeType="String" optional="YES"/>
            <attribute name="b" attributeType="String" optional="YES"/>
            <uniquenessConstraints>
            <uniquenessConstraint><constraint value="b"/><constraint value="a"/></uniquenessConstraint>
            <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
            </uniquenessConstraints>
            """
        #expect(
            try Self.lines("", own: own) == [
                "error model-uniqueness-constraint DeviceSettings.a",
                "error model-uniqueness-constraint DeviceSettings.b+a",
            ])
        #expect(try Self.lines("", own: "<uniquenessConstraints></uniquenessConstraints>") == [])
    }

    @Test("leads out of no configuration that has the entity")
    func configurations() throws {
        let own = "<relationship name=\"r\" optional=\"YES\" destinationEntity=\"B\" inverseName=\"i\"/>"
        func lines(_ members: [[String]]) throws -> [String] {
            let configurations = members.enumerated().map { index, names in
                "<configuration name=\"C\(index)\">"
                    + names.map { "<memberEntity name=\"\($0)\"/>" }.joined() + "</configuration>"
            }
            return try Self.lines("<entity name=\"B\"/>" + configurations.joined(), own: own)
        }
        #expect(try lines([]) == [])
        #expect(try lines([["DeviceSettings", "B"]]) == [])
        #expect(try lines([["B"]]) == [])
        #expect(try lines([["DeviceSettings"]]) == ["error model-relationship-outside DeviceSettings.r"])
        #expect(
            try lines([["DeviceSettings"], ["B", "DeviceSettings"]]) == [
                "error model-relationship-outside DeviceSettings.r"
            ])
    }

    @Test("has its inherited properties said once")
    func inheritance() throws {
        let lines = try Self.lines(
            "<entity name=\"Child\" parentEntity=\"DeviceSettings\"/>",
            own: "<attribute name=\"a\" attributeType=\"String\"/>")
        #expect(lines == ["error model-attribute-required DeviceSettings.a"])
    }

    @Test("is the one that has the app's entity, among several")
    func several() throws {
        let folder = try AppFolder()
        try folder.model(
            "<entity name=\"Event\"><attribute name=\"a\" attributeType=\"String\"/></entity>", to: "A.xcdatamodel")
        #expect(
            try folder.check().lines == [
                "error model-entity-missing DeviceSettings", "error model-attribute-required Event.a",
            ])
        try folder.model("<entity name=\"DeviceSettings\"/>", to: "B.xcdatamodel")
        #expect(try folder.check().lines == [])
    }

    private static func information(_ name: String?) -> String {
        let key = name.map { "<key>_XCCurrentVersionName</key><string>\($0)</string>" } ?? ""
        return "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(key)</dict></plist>"
    }

    @Test("names its current version, if there are several")
    func current() throws {
        let folder = try AppFolder()
        let good = "<entity name=\"DeviceSettings\"/>"
        let bad = "<entity name=\"DeviceSettings\"><attribute name=\"a\" attributeType=\"String\"/></entity>"
        try folder.model(bad, to: "M.xcdatamodeld/1.xcdatamodel")
        let broken = ["error model-attribute-required DeviceSettings.a"]
        #expect(try folder.check("M.xcdatamodeld").lines == broken)
        try folder.model(good, to: "M.xcdatamodeld/2.xcdatamodel")
        #expect(try folder.check("M.xcdatamodeld").lines == ["error model-current-missing"])
        #expect(try !folder.check("M.xcdatamodeld").unknown.contains(.model))
        for (name, wanted) in [
            ("1.xcdatamodel", broken), ("2.xcdatamodel", []),
            ("3.xcdatamodel", ["error model-current-missing 3.xcdatamodel"]),
            (nil, ["error model-current-missing"]),
        ] {
            try folder.write(Self.information(name), to: "M.xcdatamodeld/.xccurrentversion")
            #expect(try folder.check("M.xcdatamodeld").lines == wanted, "\(name ?? "none")")
        }
        #expect(try folder.check("M.xcdatamodeld/1.xcdatamodel").lines == broken)
        try folder.write("none", to: "M.xcdatamodeld/.xccurrentversion")
        #expect(try folder.check("M.xcdatamodeld").lines == ["error unreadable M.xcdatamodeld/.xccurrentversion"])
    }

    @Test("cannot be read where its source is damaged; an earlier version does not matter for the rest")
    func damaged() throws {
        let folder = try AppFolder()
        try folder.write("<model><entity", to: "M.xcdatamodel/contents")
        #expect(try folder.check("M.xcdatamodel").lines == ["error unreadable M.xcdatamodel"])
        #expect(try folder.check("M.xcdatamodel").unknown.contains(.model))
        try folder.write("none", to: "N.xcdatamodeld/1.xcdatamodel/contents")
        try folder.model("<entity name=\"DeviceSettings\"/>", to: "N.xcdatamodeld/2.xcdatamodel")
        try folder.write(Self.information("2.xcdatamodel"), to: "N.xcdatamodeld/.xccurrentversion")
        #expect(try folder.check("N.xcdatamodeld").lines == ["error unreadable N.xcdatamodeld/1.xcdatamodel"])
        #expect(try !folder.check("N.xcdatamodeld").unknown.contains(.model))
    }

    /// A compiled model with versions.
    private static func compiled(_ versions: [String: ManagedObjectModel], current: String?, in folder: AppFolder)
        throws
    {
        for (name, model) in versions { try folder.write(ModelArchive.encode(model), to: "M.momd/\(name).mom") }
        guard let current else { return }
        let hashes = versions.mapValues { model in
            PropertyList.dictionary(model.versionHashes().mapValues(PropertyList.data))
        }
        try folder.write(
            [
                "NSManagedObjectModel_CurrentVersionName": .string(current),
                "NSManagedObjectModel_VersionHashes": .dictionary(hashes),
            ], to: "M.momd/VersionInfo.plist")
    }

    @Test("is read compiled: a .mom, a .momd, in the bundle of an app")
    func compiled() throws {
        let folder = try AppFolder()
        let broken = [
            "error model-uniqueness-constraint DeviceSettings.macAddress",
            "error model-attribute-required DeviceSettings.macAddress",
        ]
        try Self.compiled(["1": USBMeterModel.v1, "2": USBMeterModel.v2], current: "2", in: folder)
        #expect(try folder.check("M.momd").lines == [])
        #expect(try folder.check("M.momd/1.mom").lines == broken)
        #expect(try folder.check("M.momd").right.contains(.modelRelationshipOutside))
        try Self.compiled(["1": USBMeterModel.v1], current: "1", in: folder)
        #expect(try folder.check("M.momd").lines == broken)
        try Self.compiled([:], current: "3", in: folder)
        #expect(try folder.check("M.momd").lines == ["error model-current-missing 3"])
        let several = try AppFolder()
        try Self.compiled(["1": USBMeterModel.v1, "2": USBMeterModel.v2], current: nil, in: several)
        #expect(try several.check("M.momd").lines == ["error model-current-missing"])
        try several.write([:], to: "M.momd/VersionInfo.plist")
        #expect(try several.check("M.momd").lines == ["error unreadable M.momd/VersionInfo.plist"])

        let app = try AppFolder()
        try app.app(AppFolder.built)
        try app.write(ModelArchive.encode(USBMeterModel.v1), to: "USB Meter.app/CKModel.momd/1.mom")
        #expect(try app.check().lines == broken)
    }

    @Test("has a value transformer that is named in an archive")
    func transformers() throws {
        var settings = Entity("DeviceSettings")
        settings.attributes = [Attribute("blob", .transformable), Attribute("id", .objectID)]
        var list = try #require(
            PropertyList(binary: ModelArchive.encode(ManagedObjectModel(entities: [settings]))).dictionary)
        var objects = try #require(list["$objects"]?.array)
        let name = PropertyList.uid(UInt64(objects.count))
        for index in objects.indices {
            guard var members = objects[index].dictionary, members["NSAttributeType"] == .integer(1_800) else {
                continue
            }
            members["NSValueTransformerName"] = name
            objects[index] = .dictionary(members)
        }
        list["$objects"] = .array(objects + [.string("MeterTransformer")])
        let folder = try AppFolder()
        try folder.write(list, to: "M.mom")
        #expect(
            try folder.check("M.mom").lines == [
                "error model-attribute-type DeviceSettings.id", "warning model-transformer-unknown DeviceSettings.blob",
            ])
    }

    @Test("is that of the store, or an earlier version, or neither")
    func stores() throws {
        let folder = try AppFolder()
        _ = try folder.folder.store(StoreFixture(.v1), named: "v1.sqlite")
        _ = try folder.folder.store(StoreFixture(.v2), named: "v2.sqlite")
        try Self.compiled(["1": USBMeterModel.v1, "2": USBMeterModel.v2], current: "2", in: folder)
        #expect(try folder.check("M.momd", store: "v2.sqlite").lines == [])
        #expect(try folder.check("M.momd", store: "v2.sqlite").unknown == [.entitlements, .backgroundModes])
        #expect(try folder.check("M.momd", store: "v1.sqlite").lines == ["note store-older-model 1.mom"])
        #expect(try folder.check("M.momd/2.mom", store: "v1.sqlite").lines == ["error store-model-unknown"])
        try folder.model("<entity name=\"DeviceSettings\"/>")
        #expect(try folder.check("M.xcdatamodel", store: "v2.sqlite").lines == ["error store-model-unknown"])
        // Without a model there is nothing to hold it against, and where no version is current none is earlier.
        try folder.write(AppFolder.source, to: "A.entitlements")
        #expect(try folder.check("A.entitlements", store: "v1.sqlite").lines == [])
        try Self.compiled([:], current: "3", in: folder)
        #expect(try folder.check("M.momd", store: "v1.sqlite").lines == ["error model-current-missing 3"])
    }

    @Test("is not asked where the store is none")
    func noStore() throws {
        let folder = try AppFolder()
        try folder.model("<entity name=\"DeviceSettings\"/>")
        try folder.write("nope", to: "text.sqlite")
        try DatabaseQueue(path: "\(folder.path)/other.sqlite").write { try $0.execute(sql: "CREATE TABLE a (b)") }
        for (name, kind) in [
            ("text.sqlite", StoreError.Kind.damaged), ("other.sqlite", .damaged), ("gone.sqlite", .notFound),
        ] {
            let error = #expect(throws: StoreError.self) { try folder.check("M.xcdatamodel", store: name) }
            #expect(error?.kind == kind, "\(name)")
        }
    }
}
