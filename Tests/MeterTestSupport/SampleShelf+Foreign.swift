internal import CoreDataStore
internal import GRDB

/// Files that are something else.
extension SampleShelf {
    static let foreign = [
        Sample(file: "not-a-database.sqlite", "A text somebody renamed.", refusal: 65) {
            Array("Hello support,\n\nplease find attached the database of my USB meter.\n\nKind regards, Ana\n".utf8)
        },
        Sample(file: "empty.sqlite", "No byte: a download that never began.", refusal: 65) { [] },
        Sample(file: "photo.jpg", "A photo of the meter instead of its store.", refusal: 65) { jpeg },
        Sample(file: "truncated.sqlite", "A store cut in half by a mail gateway.", refusal: 65) {
            let whole = try made("whole.sqlite") {
                try StoreFixture(records: SampleRecords.household).write(to: $0)
            }
            return Array(whole.prefix(whole.count / 2))
        },
        Sample(
            names: ["other-app.sqlite", "other-app.sqlite-wal"], "A Core Data store of a cook book.",
            expects: ["no-device-settings"],
            refusal: 4
        ) { folder in
            try StoreCreator.create(
                at: folder + "/other-app.sqlite", model: cookBook,
                options: StoreOptions(storeUUID: FixtureUUID(2).text))
        },
        Sample(file: "not-core-data.sqlite", "A SQLite database of another program.", refusal: 4) {
            try made("plain.sqlite") { path in
                let queue = try DatabaseQueue(path: path)
                // SQLite's builds begin with different ones.
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA auto_vacuum = 0") }
                try queue.write { database in
                    try database.execute(
                        sql: """
                            CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, url TEXT NOT NULL);
                            INSERT INTO bookmarks (title, url) VALUES ('Swift', 'https://swift.org/');
                            INSERT INTO bookmarks (title, url) VALUES ('SQLite', 'https://sqlite.org/');
                            """)
                }
                try queue.close()
            }
        },
    ]

    private static var cookBook: ManagedObjectModel {
        let ingredients = Relationship("ingredients", to: "Ingredient", inverse: "recipe", maxCount: 0)
        let recipe = Relationship("recipe", to: "Recipe", inverse: "ingredients")
        return ManagedObjectModel(
            entities: [
                Entity(
                    "Recipe", attributes: [Attribute("title", .string), Attribute("servings", .integer16)],
                    relationships: [ingredients]),
                Entity(
                    "Ingredient", attributes: [Attribute("name", .string), Attribute("grams", .double)],
                    relationships: [recipe]),
            ], versionIdentifiers: [""])
    }

    /// The head of a JPEG file and bytes as random as a compressed picture's.
    private static var jpeg: [UInt8] {
        var generator = SeededGenerator(seed: 2026)
        let head: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 72, 0, 72, 0, 0]
        return head + (0..<4000).map { _ in UInt8.random(in: 0...0xFE, using: &generator) } + [0xFF, 0xD9]
    }

    /// The bytes of a file made in a folder of its own.
    private static func made(_ name: String, _ make: (String) throws -> Void) throws -> [UInt8] {
        try TemporaryFolder.use { folder in
            try make(folder + "/" + name)
            return try FileBytes.read(folder + "/" + name)
        }
    }
}
