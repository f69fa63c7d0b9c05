import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

/// The DDL computed from the models of real stores, compared with what Apple's Core Data wrote, text by text and in the
/// same order.
@Suite(.enabled(if: RealStores.isAvailable, "no real stores: set METERFIX_REAL_STORES to their folder"))
struct RealSchemaTests {
    /// SampleModel_V2 is left out: a migration gave its tables another order.
    static let stores: [(path: String, history: SchemaStatements.History)] = [
        ("CoreDataPlus/SampleModel/SampleModel_V1", .none),
        ("CoreDataPlus/SampleModel2/SampleModel2_V1", .current),
        ("CoreDataPlus/SampleModel2/SampleModel2_V2", .current),
        ("CoreDataPlus/SampleModel3/SampleModel3_V1", .none),
        ("Scout/Scout-v1", .none),
        ("Scout/Scout-v4", .none),
    ]

    @Test("equals theirs", arguments: stores)
    func schema(store: (path: String, history: SchemaStatements.History)) throws {
        let real = try RealSchema(store.path)
        let schema = try SchemaStatements(real.model, history: store.history)
        #expect(schema.all == real.statements)
        let numbers = schema.numbers.entries.map { "\($0.number) \($0.name) \($0.parent)" }
        #expect(numbers == real.numbers)
    }

    @Test("has the same tables as a store that was migrated, in another order")
    func migrated() throws {
        let real = try RealSchema("CoreDataPlus/SampleModel/SampleModel_V2")
        let schema = try SchemaStatements(real.model, history: .none)
        #expect(schema.all.sorted() == real.statements.sorted())
    }
}

/// The schema of a copy of a real store.
private struct RealSchema {
    let model: ManagedObjectModel
    /// Without triggers and without the indexes that models ask for: a `ManagedObjectModel` holds neither.
    let statements: [String]
    /// Entity number, name and parent's number of each entity of the app.
    let numbers: [String]

    init(_ path: String) throws {
        let path = try #require(RealStores.folder) + "/\(path).sqlite"
        (model, statements, numbers) = try StoreText.read(path) { database in
            let cache = try #require(try Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE"))
            let statements = try String.fetchAll(
                database, sql: "SELECT sql FROM sqlite_master WHERE type <> 'trigger' AND sql NOT NULL")
            let numbers = try String.fetchAll(
                database,
                sql: """
                    SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY
                    WHERE Z_ENT < 16000 ORDER BY Z_ENT
                    """)
            return (
                try ManagedObjectModel(modelCache: [UInt8](cache)), statements.filter { !Self.isFetchIndex($0) },
                numbers
            )
        }
    }

    private static func isFetchIndex(_ sql: String) -> Bool {
        sql.hasPrefix("CREATE INDEX Z_") && !sql.contains("ON ATRANSACTION ")
    }
}
