import CoreDataStore
import MeterStore
import MeterTestSupport
import Testing

/// A model whose version hashes, archive and store Core Data itself is to confirm.
struct ModelCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let model: ManagedObjectModel

    private init(_ description: String, _ entities: Entity..., identifiers: [String] = [""]) {
        testDescription = description
        model = ManagedObjectModel(entities: entities, versionIdentifiers: identifiers)
    }

    private init(_ description: String, _ model: ManagedObjectModel) {
        testDescription = description
        self.model = model
    }

    static let all = app + properties + relationships + inheritance

    /// Those that meterfix can make a store of.
    static let laidOut = all.filter { (try? SchemaStatements($0.model, history: .current)) != nil }

    private static let app = [
        ModelCase("the app's model v1", USBMeterModel.v1),
        ModelCase("the app's model v2", USBMeterModel.v2),
        ModelCase("the app's model v2 with JSON texts", USBMeterModel.model(.v2, lockEncoding: .blob)),
        ModelCase(
            "the app's model v2 with JSON bytes", USBMeterModel.model(.v2, lockEncoding: .blobWithBinaryDiscovery)),
        ModelCase("the app's model v2 with both", USBMeterModel.model(.v2, lockEncoding: .both)),
        ModelCase(
            "the app's model v2 with attributes and an entity of other versions",
            USBMeterModel.model(
                .v2, extraAttributes: [Attribute("note", .string), Attribute("rank", .integer16)],
                extraEntities: [Entity("ChargeSession", attributes: [Attribute("startedAt", .date)])])),
    ]

    private static let properties = [
        ModelCase(
            "an attribute of each type",
            Entity(
                "Everything",
                attributes: [
                    Attribute("aShort", .integer16), Attribute("anInt", .integer32), Attribute("aLong", .integer64),
                    Attribute("aDecimal", .decimal), Attribute("aDouble", .double), Attribute("aFloat", .float),
                    Attribute("aText", .string), Attribute("aSwitch", .boolean), Attribute("aDate", .date),
                    Attribute("someBytes", .binary), Attribute("anIdentity", .uuid), Attribute("aLink", .uri),
                ])),
        ModelCase(
            "a required attribute", Entity("Meter", attributes: [Attribute("title", .string, isOptional: false)])),
        ModelCase(
            "bytes in files of their own",
            Entity("Meter", attributes: [changed(Attribute("photo", .binary)) { $0.usesExternalStorage = true }])),
        ModelCase(
            "a value that a tombstone keeps",
            Entity(
                "Meter", attributes: [changed(Attribute("title", .string)) { $0.preservesValueAfterDeletion = true }])),
        ModelCase(
            "a transient attribute",
            Entity(
                "Meter",
                attributes: [
                    Attribute("title", .string),
                    changed(Attribute("isNear", .boolean)) { $0.traits.isTransient = true },
                ])),
        ModelCase(
            "hash modifiers",
            changed(
                Entity(
                    "Meter",
                    attributes: [changed(Attribute("title", .string)) { $0.traits.versionHashModifier = "2" }])
            ) { $0.versionHashModifier = "3" }),
        ModelCase(
            "two uniqueness constraints, one of them of two attributes",
            Entity(
                "Meter", attributes: [Attribute("address", .string), Attribute("room", .string)],
                uniquenessConstraints: [["room", "address"], ["address"]])),
        ModelCase("names that sort by their bytes", Entity("Zulu"), Entity("alpha"), Entity("Alpine")),
    ]

    private static let relationships = [
        ModelCase(
            "a to-many relationship and its inverse",
            Entity(
                "Recipe", attributes: [Attribute("title", .string)],
                relationships: [Relationship("ingredients", to: "Ingredient", inverse: "recipe", maxCount: 0)]),
            Entity("Ingredient", relationships: [Relationship("recipe", to: "Recipe", inverse: "ingredients")])),
        ModelCase(
            "an ordered relationship",
            Entity(
                "Recipe",
                relationships: [
                    changed(Relationship("steps", to: "Step", inverse: "recipe", maxCount: 0)) { $0.isOrdered = true }
                ]),
            Entity("Step", relationships: [Relationship("recipe", to: "Recipe", inverse: "steps")])),
        ModelCase(
            "a many-to-many relationship with bounds",
            Entity(
                "Meter",
                relationships: [
                    changed(Relationship("rooms", to: "Room", inverse: "meters", maxCount: 4)) { $0.minCount = 1 }
                ]),
            Entity("Room", relationships: [Relationship("meters", to: "Meter", inverse: "rooms", maxCount: 0)])),
        ModelCase(
            "a relationship that is its own inverse",
            Entity("Meter", relationships: [Relationship("twin", to: "Meter", inverse: "twin")])),
    ]

    private static let inheritance = [
        ModelCase(
            "an abstract parent, a child and a grandchild",
            changed(Entity("Device", attributes: [Attribute("title", .string)])) { $0.isAbstract = true },
            Entity("Meter", superentity: "Device", attributes: [Attribute("address", .string)]),
            Entity("LoadMeter", superentity: "Meter", attributes: [Attribute("amperes", .double)])),
        ModelCase(
            "a relationship to a parent",
            Entity(
                "Device", attributes: [Attribute("title", .string)],
                relationships: [Relationship("room", to: "Room", inverse: "devices")]),
            Entity("Meter", superentity: "Device"),
            Entity("Room", relationships: [Relationship("devices", to: "Device", inverse: "room", maxCount: 0)])),
    ]

    private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }
}
