import CoreDataStore
import MeterStore
import MeterTestSupport
import Testing

@Suite("the difference of two models")
struct ModelDifferenceTests {
    private static let base = USBMeterModel.model(
        .v2, extraEntities: [Entity("Site", attributes: [Attribute("title", .string), Attribute("rank", .integer16)])])

    struct Edit: CustomTestStringConvertible {
        let testDescription: String
        /// What the difference says of it.
        let says: [String]
        let isObstacle: Bool
        let edited: ManagedObjectModel

        init(_ says: String..., isObstacle: Bool = false, edit: (inout [String: Entity]) -> Void) {
            testDescription = says.joined(separator: "; ")
            self.says = says
            self.isObstacle = isObstacle
            var entities = Dictionary(uniqueKeysWithValues: ModelDifferenceTests.base.entities.map { ($0.name, $0) })
            edit(&entities)
            edited = ManagedObjectModel(entities: Array(entities.values))
        }
    }

    static let edits: [Edit] = [
        Edit { _ in },
        Edit("Alarm: entity added") { $0["Alarm"] = Entity("Alarm") },
        Edit("Site: entity removed", isObstacle: true) { $0["Site"] = nil },
        Edit("Hall: entity added", isObstacle: true) { $0["Hall"] = Entity("Hall", superentity: "Site") },
        Edit("Site: parent none → DeviceSettings", isObstacle: true) {
            $0["Site"]?.superentity = "DeviceSettings"
        },
        Edit("Site: concrete → abstract", isObstacle: true) { $0["Site"]?.isAbstract = true },
        Edit("Site: version hash modifier changed") { $0["Site"]?.versionHashModifier = "2" },
        Edit("Site: uniqueness constraint [title] added") { $0["Site"]?.uniquenessConstraints = [["title"]] },
        Edit("Site.note: attribute added (String, optional)") {
            $0["Site"]?.attributes.append(Attribute("note", .string))
        },
        Edit("Site.note: attribute added (String, optional)", isObstacle: true) {
            var note = Attribute("note", .string)
            note.isDerived = true
            $0["Site"]?.attributes.append(note)
        },
        Edit("Site.rank: attribute removed (Integer 16)", isObstacle: true) { $0["Site"]?.attributes.removeLast() },
        Edit("Site.order: property renamed from rank", isObstacle: true) {
            $0["Site"]?.attributes[1].name = "order"
            $0["Site"]?.attributes[1].traits.renamingIdentifier = "rank"
        },
        Edit("Site.order: optional → required", "Site.order: property renamed from rank", isObstacle: true) {
            $0["Site"]?.attributes[1].name = "order"
            $0["Site"]?.attributes[1].traits.renamingIdentifier = "rank"
            $0["Site"]?.attributes[1].traits.isOptional = false
        },
        Edit("Place: entity renamed from Site", isObstacle: true) {
            $0["Site"]?.name = "Place"
            $0["Site"]?.renamingIdentifier = "Site"
        },
        Edit("Site.rank: Integer 16 → Integer 64", isObstacle: true) {
            $0["Site"]?.attributes[1].type = .integer64
        },
        Edit("Site.rank: optional → required") { $0["Site"]?.attributes[1].traits.isOptional = false },
        Edit("Site.rank: external storage on", isObstacle: true) {
            $0["Site"]?.attributes[1].usesExternalStorage = true
        },
        Edit("Site.rank: preserved after deletion on", isObstacle: true) {
            $0["Site"]?.attributes[1].preservesValueAfterDeletion = true
        },
        Edit("Site.rank: transient on", isObstacle: true) {
            $0["Site"]?.attributes[1].traits.isTransient = true
        },
        Edit("Site.rank: version hash modifier changed") { $0["Site"]?.attributes[1].traits.versionHashModifier = "2" },
        Edit("Site.meter: relationship to one DeviceSettings added") {
            $0["Site"]?.relationships = [Relationship("meter", to: "DeviceSettings")]
        },
        Edit(
            "DeviceSettings.site: relationship to one Site added",
            "Site.meters: relationship to many DeviceSettings added"
        ) {
            $0["Site"]?.relationships = [Relationship("meters", to: "DeviceSettings", inverse: "site", maxCount: 0)]
            $0["DeviceSettings"]?.relationships = [Relationship("site", to: "Site", inverse: "meters")]
        },
        Edit(
            "DeviceSettings.sites: relationship to many Site added",
            "Site.meters: relationship to many DeviceSettings added", isObstacle: true
        ) {
            $0["Site"]?.relationships = [Relationship("meters", to: "DeviceSettings", inverse: "sites", maxCount: 0)]
            $0["DeviceSettings"]?.relationships = [Relationship("sites", to: "Site", inverse: "meters", maxCount: 0)]
        },
        Edit("Site.rank: described in a way that meterfix does not understand", isObstacle: true) {
            $0["Site"]?.unreadProperties = ["rank"]
        },
    ]

    @Test("says of each edit what it is, and whether it only adds", arguments: edits)
    func everyEdit(_ edit: Edit) {
        let difference = ModelDifference(from: Self.base, to: edit.edited)
        #expect(difference.items.map(\.description) == edit.says)
        #expect(difference.items.contains { $0.obstacle != nil } == edit.isObstacle)
        // Whatever the hashes tell apart, the difference tells too.
        let isSame = Self.base.versionHashes() == edit.edited.versionHashes()
        #expect(isSame == difference.items.isEmpty || isSame)
        // What is not understood may always differ.
        let isRead = edit.edited.entities.allSatisfy(\.unreadProperties.isEmpty)
        #expect(ModelDifference(from: edit.edited, to: edit.edited).items.isEmpty == isRead)
    }

    @Test("says what the inverse of a relationship was, and nothing of one that is as it was")
    func inverse() {
        func model(_ inverse: String?) -> ManagedObjectModel {
            Edit {
                $0["Site"]?.relationships = [
                    Relationship("meters", to: "DeviceSettings", inverse: inverse, maxCount: 0)
                ]
            }.edited
        }
        func difference(_ inverse: String?) -> [String] {
            ModelDifference(from: model(nil), to: model(inverse)).items.map(\.description)
        }
        #expect(difference("site") == ["Site.meters: relationship changed: inverse none → site"])
        #expect(difference(nil) == [])
    }

    @Test("of what was renamed is no loss, even if the model before it was renamed, too")
    func renamed() {
        func model(_ name: String, _ identifier: String?) -> ManagedObjectModel {
            Edit {
                $0["Site"]?.attributes[1].name = name
                $0["Site"]?.attributes[1].traits.renamingIdentifier = identifier
            }.edited
        }
        #expect(!ModelDifference(from: model("order", "rank"), to: model("place", "rank")).removes)
        #expect(ModelDifference(from: model("order", "rank"), to: model("place", "order")).removes)
        #expect(ModelDifference(from: model("rank", nil), to: model("order", nil)).removes)
    }

    @Test("of v1 and v2 is the constraint and the optional address")
    func versions() {
        #expect(
            ModelDifference(from: USBMeterModel.v1, to: USBMeterModel.v2).items.map(\.description) == [
                "DeviceSettings: uniqueness constraint [macAddress] removed",
                "DeviceSettings.macAddress: required → optional",
            ])
    }
}
