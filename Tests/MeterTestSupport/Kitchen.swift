package import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterModel

/// Stores of an app that has nothing to do with meters: dishes, of which soups and cakes are kinds, and who cooks them.
package enum Kitchen {
    /// A soup and a cake have a property of one name: two columns.
    package static let model = ManagedObjectModel(
        entities: [
            Entity(
                "Dish",
                attributes: [
                    Attribute("cooked", .date), Attribute("id", .uuid), Attribute("isHot", .boolean),
                    Attribute("photo", .binary), Attribute("price", .decimal), Attribute("servings", .integer16),
                    Attribute("site", .uri), Attribute("title", .string), Attribute("weight", .double),
                ], relationships: [Relationship("cook", to: "Person", inverse: "dishes")]),
            Entity("Soup", superentity: "Dish", attributes: [Attribute("value", .string)]),
            Entity("Cake", superentity: "Dish", attributes: [Attribute("value", .double)]),
            Entity(
                "Person", attributes: [Attribute("name", .string)],
                relationships: [
                    Relationship("dishes", to: "Dish", inverse: "cook", maxCount: 0),
                    Relationship("favourite", to: "Dish"),
                ]),
        ], versionIdentifiers: ["Kitchen 3"])

    /// What a composite attribute adds to `model`, as SwiftData makes one of a structure: a place that has a name, which
    /// a person has, too, and a point.
    package static let modelWithComposite: ManagedObjectModel = {
        let point = CompositeAttribute(
            "point", elements: [.attribute(Attribute("lat", .double)), .attribute(Attribute("lon", .double))])
        let home = CompositeAttribute(
            "home", elements: [.attribute(Attribute("name", .string)), .composite(point)])
        return ManagedObjectModel(
            entities: model.entities.map { entity in
                var entity = entity
                if entity.name == "Person" {
                    entity.composites = [home]
                    entity.unreadProperties = ["home"]
                }
                return entity
            }, versionIdentifiers: model.versionIdentifiers)
    }()

    /// Makes a store with a soup, a cake and their cook, and no history.
    /// - Parameter history: whether the store has the tables of a history.
    package static func write(
        to path: String, history: SchemaStatements.History = .none, journalMode: StoreOptions.JournalMode = .wal
    ) throws {
        try StoreCreator.create(
            at: path, model: model,
            options: StoreOptions(storeUUID: FixtureUUID(7).text, history: history, journalMode: journalMode))
        try DatabaseQueue.script(
            at: path,
            """
            INSERT INTO ZDISH (Z_PK, Z_ENT, Z_OPT, ZCOOKED, ZID, ZISHOT, ZPHOTO, ZPRICE, ZSERVINGS, ZSITE, ZTITLE, ZWEIGHT,
                ZCOOK, ZVALUE1) VALUES (1, 3, 1, 700000000, X'000102030405060708090A0B0C0D0E0F', 1, X'FFD8', 10.11, 4,
                'https://example.org', 'Borscht', 2, 1, 'red');
            INSERT INTO ZDISH (Z_PK, Z_ENT, Z_OPT, ZCOOKED, ZISHOT, ZTITLE, ZVALUE)
                VALUES (2, 2, 1, 700000000.5, 0, 'Sacher', 1.5);
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFAVOURITE, Z1_FAVOURITE) VALUES (1, 4, 1, 'Ana', 2, 2);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Dish';
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person';
            """)
    }

    /// Adds the composite attribute to a store that `write` made: the columns, the values and the cached model.
    package static func addComposite(to path: String) throws {
        let cache = try ModelArchive.modelCache(for: modelWithComposite)
        // By name, the composite comes before the attribute.
        try DatabaseQueue.script(
            at: path,
            """
            ALTER TABLE ZPERSON RENAME COLUMN ZNAME TO ZNAME1;
            ALTER TABLE ZPERSON ADD COLUMN ZNAME VARCHAR;
            ALTER TABLE ZPERSON ADD COLUMN ZLAT FLOAT;
            ALTER TABLE ZPERSON ADD COLUMN ZLON FLOAT;
            UPDATE ZPERSON SET ZNAME = 'Sinaia', ZLAT = 45.35, ZLON = 25.55;
            UPDATE Z_MODELCACHE SET Z_CONTENT = X'\(Hexadecimal.text(of: cache))';
            """)
    }
}
