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
}
