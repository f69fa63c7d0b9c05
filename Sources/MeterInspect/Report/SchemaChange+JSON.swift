internal import CoreDataStore
internal import JSON
package import MeterModel

extension SchemaChange {
    /// The SQL that carries it out, without values. Names are not quoted, because Core Data writes them so and compares
    /// the text of a table with its own; all except an index to drop have been checked to be plain identifiers.
    package var statement: String {
        switch self {
        case .dropIndex(let name, _, _): "DROP INDEX \(name.quotedIdentifier)"
        case .addColumn(let table, let column, let type):
            "ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(column) \(type)"
        case .createTable(let name, let columns):
            EntityTable.createStatement(name, columns: columns.map { ($0.name, $0.declaredType) })
        case .createIndex(let name, let table, let column):
            EntityTable.indexStatement(name, on: table, column: column)
        case .addEntity: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)"
        case .modelCache: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?"
        case .lastRow: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?"
        case .entityNumber(let table, _, _, _): "UPDATE \(table.quotedIdentifier) SET Z_ENT = ? WHERE Z_PK = ?"
        }
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("kind", "schema")]
        switch self {
        case .dropIndex(let name, let table, let sql):
            members += [
                .init("action", "dropIndex"), .init("name", .string(name)), .init("table", .string(table)),
                .init("before", JSONValue(sql)),
            ]
        case .addColumn(let table, let column, let type):
            members += [
                .init("action", "addColumn"), .init("table", .string(table)), .init("column", .string(column)),
                .init("type", .string(type)),
            ]
        case .createTable(let name, let columns):
            members += [
                .init("action", "createTable"), .init("name", .string(name)),
                .init(
                    "columns",
                    .array(columns.map { ["name": .string($0.name), "type": .string($0.declaredType)] })),
            ]
        case .createIndex(let name, let table, let column):
            members += [
                .init("action", "createIndex"), .init("name", .string(name)), .init("table", .string(table)),
                .init("column", .string(column)),
            ]
        case .addEntity(let number, let name, let parent):
            members += [
                .init("action", "addEntity"), .init("number", .integer(number)), .init("name", .string(name)),
                .init("parent", .integer(parent)),
            ]
        case .modelCache(let content):
            members += [
                .init("action", "modelCache"),
                .init("content", .string(FieldValue.blob(content).display(as: .binary))),
            ]
        case .lastRow(let entity, let number, let before, let after):
            members += [
                .init("entity", .string(entity)), .init("action", "lastRow"), .init("number", .integer(number)),
                .init("before", .integer(before)), .init("after", .integer(after)),
            ]
        case .entityNumber(let table, let row, let before, let after):
            members += [
                .init("row", .integer(row)), .init("action", "entityNumber"), .init("table", .string(table)),
                .init("before", before.map { .integer($0) } ?? .null), .init("after", .integer(after)),
            ]
        }
        members.append(.init("statement", .string(statement)))
        return .object(members)
    }
}
