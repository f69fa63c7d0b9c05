import CoreDataStore
import Testing

@Suite struct ColumnOrderTests {
    @Test("columns are ordered by kind, then by name")
    func orderByKindAndName() throws {
        let pages = {
            var pages = Relationship("pages", to: "Page", inverse: "book", maxCount: 0); pages.isOrdered = true;
            return pages
        }()
        let model = ManagedObjectModel(entities: [
            Entity("Book", relationships: [pages]),
            Entity("Novel", superentity: "Book"),
            Entity(
                "Page", attributes: [Attribute("text", .string), Attribute("Number", .integer16)],
                relationships: [
                    Relationship("tags", to: "Tag", inverse: "pages", maxCount: 0),
                    Relationship("notes", to: "Note", inverse: "page", maxCount: 0),
                    Relationship("book", to: "Book", inverse: "pages"), Relationship("author", to: "Author"),
                ]),
            Entity("Tag", relationships: [Relationship("pages", to: "Page", inverse: "tags", maxCount: 0)]),
            Entity("Note", relationships: [Relationship("page", to: "Page", inverse: "notes")]),
            Entity("Author"),
        ])
        let page = try #require(model[entity: "Page"])
        #expect(
            model.historyColumns(of: page)?.map { "\($0.kind) \($0.property)" } == [
                "toOneKey author", "toOneKey book", "entityKey book", "orderKey book", "attribute Number",
                "attribute text", "toMany notes", "manyToMany tags",
            ])
        #expect(model.changedColumns(["book", "text", "tags"], of: page) == [0b0100_0101])
    }

    /// The update of a real store: one to-one, one attribute, one to-many.
    @Test("a change of the to-many alone is X'20'")
    func changedToMany() throws {
        let model = ManagedObjectModel(entities: [
            Entity("Component", relationships: [Relationship("recipe", to: "Recipe", inverse: "components")]),
            Entity(
                "Recipe", attributes: [Attribute("name", .string)],
                relationships: [
                    Relationship("components", to: "Component", inverse: "recipe", maxCount: 0),
                    Relationship("item", to: "Item"),
                ]),
            Entity("Item"),
        ])
        let recipe = try #require(model[entity: "Recipe"])
        #expect(model.changedColumns(["components"], of: recipe) == [0x20])
    }

    @Test("nine attributes take two bytes, transient ones none")
    func twoBytes() {
        var hidden = Attribute("a0", .string)
        hidden.traits.isTransient = true
        let entity = Entity("E", attributes: [hidden] + (1...9).map { Attribute("a\($0)", .string) })
        let model = ManagedObjectModel(entities: [entity])
        #expect(model.changedColumns(["a1", "a9"], of: entity) == [0x80, 0x80])
        #expect(model.changedColumns([], of: entity) == [0, 0])
        #expect(model.changedColumns(["a0"], of: entity) == nil)
        #expect(model.changedColumns(["a1", "b"], of: entity) == nil)
    }

    @Test("a to-many without inverse makes the columns of both sides unknown")
    func missingInverse() throws {
        let from = Entity("From", relationships: [Relationship("many", to: "To", maxCount: 0)])
        let model = ManagedObjectModel(entities: [from, Entity("To"), Entity("Other")])
        #expect(model.historyColumns(of: from) == nil)
        #expect(model.historyColumns(of: try #require(model[entity: "To"])) == nil)
        #expect(model.historyColumns(of: try #require(model[entity: "Other"])) == [])
    }

    private static func entity(_ names: String...) -> Entity {
        Entity("E", attributes: names.map { Attribute($0, .string) })
    }

    private func read(_ bitmap: [UInt8], _ entity: Entity, added: [String] = []) -> [String]? {
        let model = ManagedObjectModel(entities: [entity])
        return HistoryColumn.properties(changedIn: bitmap, by: model.historyLayouts(of: entity, added: added))
    }

    @Test("an update is read by the columns it was written with, and by no others")
    func readBack() {
        let entity = Self.entity("a", "b", "c")
        #expect(read([0b1010_0000], entity) == ["a", "c"])
        #expect(read([0], entity) == [])
        // Bits without a column, too many bytes, and too few.
        for garbage in [[0b1001_0000], [0b0000_0001], [0xA0, 0], []] as [[UInt8]] {
            #expect(read(garbage, entity) == nil, "\(garbage)")
        }
    }

    @Test("an update from before an attribute was added is read only where both versions read it alike")
    func olderVersion() {
        let entity = Self.entity("a", "b", "c", "d")
        // With the bit of "b" or, before there was a "b", of "c".
        #expect(read([0b0100_0000], entity, added: ["b"]) == nil)
        #expect(read([0b1000_0000], entity, added: ["b"]) == ["a"])
        #expect(read([0b1000_0000], entity, added: ["b", "d"]) == ["a"])
        // Only with "b" there is a fourth column.
        #expect(read([0b0001_0000], entity, added: ["b"]) == ["d"])
        #expect(read([0b0100_0000], entity, added: ["d"]) == ["b"])
        // Eight attributes took one byte; nine take two.
        let nine = Entity("E", attributes: (1...9).map { Attribute("a\($0)", .string) })
        #expect(read([0b1000_0001], nine, added: ["a1"]) == ["a2", "a9"])
        #expect(read([0b1000_0000, 0b1000_0000], nine, added: ["a1"]) == ["a1", "a9"])
    }

    @Test("an update from before a relationship was added is unknown where its key moved the bits")
    func olderRelationship() throws {
        let model = ManagedObjectModel(entities: [
            Entity(
                "Meter", attributes: [Attribute("name", .string), Attribute("unit", .string)],
                relationships: [Relationship("site", to: "Site", inverse: "meters")]),
            Entity("Site", relationships: [Relationship("meters", to: "Meter", inverse: "site", maxCount: 0)]),
        ])
        let meter = try #require(model[entity: "Meter"])
        #expect(model.properties(in: ["ZSITE"], of: meter) == ["site"])
        let layouts = model.historyLayouts(of: meter, added: ["site"])
        #expect(layouts.map { $0.map(\.property) } == [["site", "name", "unit"], ["name", "unit"]])
        #expect(HistoryColumn.properties(changedIn: [0b0100_0000], by: layouts) == nil)
        #expect(HistoryColumn.properties(changedIn: [0b0010_0000], by: layouts) == ["unit"])
    }
}
