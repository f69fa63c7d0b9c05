internal import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterModel

extension SchemaChange {
    /// Carries it out. Belongs into a transaction.
    func apply(_ database: Database) throws {
        switch self {
        case .dropIndex, .addColumn, .createTable, .createIndex: try database.execute(sql: statement)
        case .addEntity(let number, let name, let parent):
            try PreparedStatement(database, statement)
                .run([.integer(number), .text(Array(name.utf8)), .integer(parent)])
        case .modelCache(let content):
            guard try PreparedStatement(database, statement).run([.blob(content)]) == 0 else { return }
            try PreparedStatement(database, "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)").run([.blob(content)])
        case .lastRow(_, let number, _, let after):
            try PreparedStatement(database, statement).run([.integer(after), .integer(number)])
        case .entityNumber(_, let row, _, let after):
            try PreparedStatement(database, statement).run([.integer(after), .integer(row)])
        }
    }
}
