import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@Suite("a migration to the app's own model")
struct AppModelTests {
    private let v1 = StoreFixture(.v1, records: [Meters.pair[1], Meters.healthy])

    private func file(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> ModelFile {
        let path = folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(model), to: path)
        return try ModelFile.read(path)
    }

    private static func target(_ edit: (inout [String: Entity]) -> Void = { _ in }) -> ManagedObjectModel {
        var entities = Dictionary(uniqueKeysWithValues: USBMeterModel.v2.entities.map { ($0.name, $0) })
        edit(&entities)
        return ManagedObjectModel(entities: Array(entities.values), versionIdentifiers: ["USB_Meter 7"])
    }

    struct Addition: CustomTestStringConvertible {
        let testDescription: String
        let model: ManagedObjectModel
        /// Statements that it adds to the schema.
        let statements: [String]
    }

    static let additions = [
        Addition(testDescription: "nothing but v2", model: target(), statements: []),
        Addition(
            testDescription: "attributes",
            model: target {
                $0["DeviceSettings"]?.attributes += [Attribute("note", .string), Attribute("rank", .integer16)]
            }, statements: []),
        Addition(
            testDescription: "an entity with relations",
            model: target {
                var site = Entity("Site", attributes: [Attribute("title", .string, isOptional: false)])
                site.relationships = [Relationship("meters", to: "DeviceSettings", inverse: "site", maxCount: 0)]
                $0["Site"] = site
                $0["DeviceSettings"]?.relationships = [Relationship("site", to: "Site", inverse: "meters")]
            },
            statements: [
                "CREATE INDEX ZDEVICESETTINGS_ZSITE_INDEX ON ZDEVICESETTINGS (ZSITE)",
                "CREATE TABLE ZSITE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR )",
            ]),
    ]

    @Test("adds what it has more, and the store is as one made with it", arguments: additions, [true, false])
    func added(_ addition: Addition, hasCache: Bool) throws {
        let store = try TestStore(v1.with { if !hasCache { $0.modelCache = .empty } })
        let before = try store.text()
        let model = try file(addition.model, in: store.folder)
        #expect(try Self.matches(store, model) == false)
        #expect(try Self.cures(store, model) == ["meterfix migrate --model \(model.path) \(store.path)"])
        let report = try store.migrate(MigrationPlanner(model: model))
        #expect(report.outcome == .applied)
        let after = try store.text()
        #expect(after.isIntact)
        let description = try store.description()
        #expect(description.metadata.versionHashes == addition.model.versionHashes())
        #expect(description.metadata.modelIdentifiers == ["USB_Meter 7"])
        // Later than any version that meterfix knows.
        #expect(report.schemaVersion == nil)
        #expect(try StatusReport.of(store.path, now: TestStore.now).model.schemaVersion == nil)
        #expect(description.model?.versionHashes() == addition.model.versionHashes())
        #expect(try Self.matches(store, model) == true)
        #expect(try !store.findings().contains("model-hash-mismatch"))
        let tables = Set(
            after.statements.filter { !$0.contains("ZDEVICESETTINGS (") && !$0.contains("ZDEVICESETTINGS  ") })
        for statement in addition.statements { #expect(after.statements.contains(statement), "\(tables)") }
        for row in zip(before[table: "ZDEVICESETTINGS"], after[table: "ZDEVICESETTINGS"]) {
            #expect(row.1.hasPrefix(row.0))
        }
        for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
            #expect(after[table: table] == before[table: table])
        }
        // Core Data numbers the entities of a new store in the same way.
        for entry in PrimaryKeys(numbering: addition.model).entries {
            #expect(description.keys[entry.name]?.number == entry.number)
        }
        #expect(try store.migrate(MigrationPlanner(model: model)).outcome == .unchanged)
    }

    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let says: String
        let model: ManagedObjectModel
    }

    static let refused = [
        Refused(
            testDescription: "an attribute that would go", says: "DeviceSettings.updatedAt: attribute removed",
            model: target { $0["DeviceSettings"]?.attributes.removeAll { $0.name == "updatedAt" } }),
        Refused(
            testDescription: "another type", says: "DeviceSettings.meterName: String → Binary",
            model: target { entities in
                let index = entities["DeviceSettings"]?.attributes.firstIndex { $0.name == "meterName" }
                entities["DeviceSettings"]?.attributes[index!].type = .binary
            }),
        Refused(
            testDescription: "a new required attribute",
            says: "DeviceSettings.note: attribute added (String, required); 2 records would",
            model: target { $0["DeviceSettings"]?.attributes.append(Attribute("note", .string, isOptional: false)) }),
        Refused(
            testDescription: "a required attribute without values",
            says: "DeviceSettings.modelType: optional → required; 1 record would",
            model: target { entities in
                let index = entities["DeviceSettings"]?.attributes.firstIndex { $0.name == "modelType" }
                entities["DeviceSettings"]?.attributes[index!].traits.isOptional = false
            }),
        Refused(
            testDescription: "an entity that comes first",
            says: "a new entity of the model comes before DeviceSettings",
            model: target { $0["Alarm"] = Entity("Alarm", attributes: [Attribute("volts", .double)]) }),
        Refused(
            testDescription: "a model without DeviceSettings", says: "has no DeviceSettings",
            model: ManagedObjectModel(entities: [Entity("Site")])),
    ]

    @Test("is refused where it asks for more than additions, and no file is touched", arguments: refused)
    func refusals(_ refused: Refused) throws {
        let store = try TestStore(v1)
        let model = try file(refused.model, in: store.folder)
        let error = try store.refusal { try store.migrate(MigrationPlanner(model: model)) }
        #expect(error.kind == .unsuitable)
        #expect(error.message.contains(refused.says), "\(error.message)")
        #expect(try Self.matches(store, model) == false)
        // What is refused is no cure.
        #expect(try Self.cures(store, model).allSatisfy { !$0.hasPrefix("meterfix") })
    }

    /// The source of a model of version 2 with more in it.
    private func source(
        settings: String = "", more: String = "", constraint: String = "", in folder: TemporaryFolder
    ) throws -> ModelFile {
        let attributes = USBMeterModel.v2.entities[0].attributes.map {
            #"<attribute name="\#($0.name)" optional="YES" attributeType="\#($0.type.name)"/>"#
        }
        let text = """
            <model userDefinedModelVersionIdentifier="USB_Meter 7">
            <entity name="DeviceSettings">\(attributes.joined())\(settings)\(constraint)</entity>\(more)</model>
            """
        let path = folder.path + "/contents"
        try FileBytes.write(Array(text.utf8), to: path)
        return try ModelFile.read(path)
    }

    struct Unfit: CustomTestStringConvertible {
        let rule: CloudKitRule
        let says: String
        /// Of `DeviceSettings`.
        var settings = ""
        var more = ""
        var constraint = ""
        var testDescription: String { rule.rawValue }
    }

    private static let site = #"<relationship name="site" optional="YES" destinationEntity="Site" "#
    private static func sites(_ relationship: String) -> String {
        #"<entity name="Site"><attribute name="title" optional="YES" attributeType="String"/>"#
            + #"<relationship name="meters" \#(relationship) toMany="YES" destinationEntity="DeviceSettings" "#
            + #"inverseName="site"/></entity>"#
    }

    @Test("names the default value that a required attribute lacks, and takes one that is there for a value")
    func defaultValues() throws {
        for (attribute, isDefaulted) in [
            (#"<attribute name="note" attributeType="String"/>"#, false),
            (#"<attribute name="note" attributeType="String" defaultValueString="none"/>"#, true),
            (#"<attribute name="watts" attributeType="Double" usesScalarValueType="YES"/>"#, false),
            (#"<attribute name="watts" attributeType="Double" defaultValueString="0.0"/>"#, true),
        ] {
            let store = try TestStore(StoreFixture(records: [Meters.healthy]))
            let model = try source(settings: attribute, in: store.folder)
            let error = try store.refusal { try store.migrate(MigrationPlanner(model: model)) }
            #expect(error.message.contains("1 record would have no value") == !isDefaulted, "\(error.message)")
            #expect(error.message.contains("Core Data gives 1 record its default value") == isDefaulted)
            #expect(error.hint?.contains("a default value in the app's model") == !isDefaulted, "\(error.hint ?? "")")
            // Without rows there is nothing to give a value to.
            let empty = try TestStore(StoreFixture())
            #expect(
                try empty.migrate(MigrationPlanner(model: source(settings: attribute, in: empty.folder))).outcome
                    == .applied)
        }
    }

    static let unfit = [
        Unfit(
            rule: .uniquenessConstraint, says: "DeviceSettings has a uniqueness constraint [macAddress, meterName]",
            constraint: "<uniquenessConstraints><uniquenessConstraint><constraint value=\"macAddress\"/>"
                + "<constraint value=\"meterName\"/></uniquenessConstraint></uniquenessConstraints>"),
        Unfit(
            rule: .attributeType, says: "Site.any is of a type that CloudKit does not have",
            more: #"<entity name="Site"><attribute name="any" optional="YES"/></entity>"#),
        Unfit(
            rule: .requiredAttribute, says: "DeviceSettings.note is required and has no default value",
            settings: #"<attribute name="note" attributeType="String"/>"#),
        Unfit(
            rule: .requiredAttribute, says: "Site.title is required and has no default value (and 1 more)",
            more: #"<entity name="Site"><attribute name="title" attributeType="String"/>"#
                + #"<attribute name="volts" attributeType="Double"/></entity>"#),
        Unfit(
            rule: .requiredRelationship, says: "the relationship Site.meters is required",
            settings: site + #"inverseName="meters"/>"#, more: sites("")),
        Unfit(
            rule: .relationshipWithoutInverse, says: "the relationship DeviceSettings.site has no inverse",
            settings: site + "/>", more: #"<entity name="Site"/>"#),
        Unfit(
            rule: .orderedRelationship, says: "the relationship Site.meters is ordered",
            settings: site + #"inverseName="meters"/>"#, more: sites(#"optional="YES" ordered="YES""#)),
        Unfit(
            rule: .denyRule, says: "the relationship Site.meters has the delete rule Deny",
            settings: site + #"inverseName="meters"/>"#, more: sites(#"optional="YES" deletionRule="Deny""#)),
    ]

    @Test("is refused for a mirrored store where CloudKit would refuse the model", arguments: unfit)
    func unfitForCloudKit(_ unfit: Unfit) throws {
        let mirrored = try TestStore(StoreFixture(records: [Meters.healthy]).with { $0.mirror = .current })
        let file = try source(
            settings: unfit.settings, more: unfit.more, constraint: unfit.constraint, in: mirrored.folder)
        #expect(try Self.cures(mirrored, file).allSatisfy { $0.hasPrefix("change the app's model") })
        for isDryRun in [true, false] {
            let error = try mirrored.refusal {
                try mirrored.migrate(MigrationPlanner(model: file)) {
                    $0.isDryRun = isDryRun
                    $0.makesBackup = true
                }
            }
            #expect(error.kind == .unsuitable)
            #expect(error.message.contains("refuses the model (\(unfit.rule.rawValue)): \(unfit.says)"))
            #expect(error.hint != nil)
        }
    }

    @Test("asks of a store that is not mirrored only what it asks of its rows")
    func notMirrored() throws {
        let store = try TestStore(StoreFixture(records: [Meters.healthy]))
        let file = try source(
            settings: Self.site + #"inverseName="meters"/>"#,
            more: #"<entity name="Site"><attribute name="title" attributeType="String"/><relationship name="meters" "#
                + #"toMany="YES" deletionRule="Deny" destinationEntity="DeviceSettings" inverseName="site"/></entity>"#,
            in: store.folder)
        #expect(
            file.model.breaches(file.details).map(\.rule) == [.requiredAttribute, .requiredRelationship, .denyRule])
        #expect(try store.migrate(MigrationPlanner(model: file)).outcome == .applied)
        #expect(try store.description().metadata.dictionary?[ZoneFetchMarker.key] == nil)
    }

    @Test("takes a mirrored store to a model that CloudKit takes")
    func fitForCloudKit() throws {
        let store = try TestStore(StoreFixture(records: [Meters.healthy]).with { $0.mirror = .current })
        let file = try source(
            settings: Self.site + #"inverseName="meters"/>"#,
            more: #"<entity name="Site"><attribute name="title" attributeType="String" defaultValueString=""/>"#
                + #"<attribute name="since" attributeType="Date" defaultDateTimeInterval="0"/>"#
                + #"<relationship name="meters" optional="YES" toMany="YES" deletionRule="Cascade" "#
                + #"destinationEntity="DeviceSettings" inverseName="site"/></entity>"#, in: store.folder)
        #expect(try store.migrate(MigrationPlanner(model: file)).outcome == .applied)
    }

    @Test("has the mirror fetch once more what it adds to a mirrored store", arguments: [nil, PropertyList.integer(1)])
    func zoneFetch(marked: PropertyList?) throws {
        let fixture = StoreFixture(records: [Meters.healthy]).with { fixture in
            fixture.mirror = .current
            fixture.damage = { database in
                var metadata = try StoreDescription(database).metadata
                metadata.dictionary?[ZoneFetchMarker.key] = marked
                try metadata.write(to: database)
            }
        }
        let store = try TestStore(fixture)
        func marker() throws -> PropertyList? { try store.description().metadata.dictionary?[ZoneFetchMarker.key] }
        let same = try source(in: store.folder)
        try store.migrate(MigrationPlanner(model: same))
        #expect(try marker() == marked)
        let more = try source(
            settings: #"<attribute name="note" optional="YES" attributeType="String"/>"#, in: store.folder)
        let changes = try store.migrate(MigrationPlanner(model: more)).plan.metadataChanges
        let marking = MetadataChange(key: ZoneFetchMarker.key, before: nil, after: .flag(true))
        // Only that it is there counts.
        #expect(changes.contains(marking) == (marked == nil))
        #expect(try marker() == marked ?? .bool(true))
        #expect(try store.migrate(MigrationPlanner(model: more)).outcome == .unchanged)
    }

    @Test("restores lost metadata of a store without a model of its own")
    func restoring() throws {
        let store = try TestStore(
            StoreFixture(records: [Meters.healthy]).with {
                $0.hasPropertyList = false
                $0.modelCache = .absent
            })
        let model = try file(Self.target(), in: store.folder)
        try store.migrate(MigrationPlanner(model: model, restoresMetadata: true))
        let metadata = try store.description().metadata
        #expect(metadata.versionHashes == USBMeterModel.v2.versionHashes())
        #expect(metadata.uuid == FixtureUUID(1).text)
        #expect(try Self.matches(store, model) == true)
    }

    @Test("verify names the first difference and what to run")
    func verify() throws {
        let store = try TestStore(v1)
        let model = try file(Self.target(), in: store.folder)
        var options = VerifyOptions(now: TestStore.now)
        options.model = model
        let report = try Verify.report(store.path, options)
        #expect(report.comparedModel?.matches == false)
        let first = try #require(report.findings.first)
        #expect(first.id == "model-differs" && first.severity == .note)
        #expect(first.message == "the app's model differs: DeviceSettings: uniqueness constraint [macAddress] removed")
        #expect(first.cure.description == "meterfix migrate --model \(model.path) \(store.path)")
    }

    @Test("verify holds an entity that the model lacks against the store")
    func missingEntity() throws {
        let fixture = StoreFixture(records: [Meters.healthy])
        let extra = fixture.with { $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])] }
        for (fixture, matches) in [(fixture, true), (extra, false)] {
            let store = try TestStore(fixture)
            #expect(try Self.matches(store, file(USBMeterModel.v2, in: store.folder)) == matches)
        }
    }

    @Test("verify goes by the hashes that come with a model before those it computes")
    func publishedHashes() throws {
        let store = try TestStore(StoreFixture(records: [Meters.healthy]))
        let bundle = store.folder.path + "/CKModel.momd"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: false)
        try FileBytes.write(ModelArchive.encode(USBMeterModel.v2), to: bundle + "/A.mom")
        let computed = USBMeterModel.v2.versionHashes()
        for (hashes, matches) in [(computed, true), (computed.mapValues { _ in [1] }, false)] {
            let information = PropertyList.dictionary([
                "NSManagedObjectModel_CurrentVersionName": .string("A"),
                "NSManagedObjectModel_VersionHashes": .dictionary([
                    "A": .dictionary(hashes.mapValues { .data($0) })
                ]),
            ])
            try FileBytes.write(information.binaryPropertyList(), to: bundle + "/VersionInfo.plist")
            #expect(try Self.matches(store, ModelFile.read(bundle)) == matches)
        }
    }

    /// What `verify --model` says to do where the model differs.
    private static func cures(_ store: TestStore, _ model: ModelFile) throws -> Set<String> {
        var options = VerifyOptions(now: TestStore.now)
        options.model = model
        let findings = try Verify.report(store.path, options).findings
        return Set(findings.filter { $0.message.contains("the app's model") }.map(\.cure.description))
    }

    private static func matches(_ store: TestStore, _ model: ModelFile) throws -> Bool? {
        var options = VerifyOptions(now: TestStore.now)
        options.model = model
        return try Verify.report(store.path, options).comparedModel?.matches
    }
}
