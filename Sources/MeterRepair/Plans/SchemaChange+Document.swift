internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel

extension SchemaChange {
    /// The document of a change is the report's, `SchemaChange.json`. Its SQL is compared, never carried out.
    init(_ node: PlanNode) throws(PlanError) {
        guard let action = node.value["action"]?.string else { throw node.flaw("`action` is missing, or not text") }
        let keys: [String] =
            switch action {
            case "dropIndex": ["name", "table", "before"]
            case "addColumn": ["table", "column", "type"]
            case "createTable": ["name", "columns"]
            case "createIndex": ["name", "table", "column"]
            case "addEntity": ["number", "name", "parent"]
            case "modelCache": ["content"]
            case "lastRow": ["entity", "number", "before", "after"]
            case "entityNumber": ["table", "row", "before", "after"]
            default: throw PlanError(at: .member(node.place, "action"), "`\(action)` is no change of a schema")
            }
        let members = try node.members(["kind", "action"] + keys + ["statement"])
        switch action {
        case "dropIndex":
            self = .dropIndex(
                name: try members["name"]!.text, table: try members["table"]!.identifier,
                sql: try members["before"]!.ifPresent { node throws(PlanError) in try node.text })
        case "addColumn":
            self = .addColumn(
                table: try members["table"]!.identifier, column: try members["column"]!.identifier,
                declaredType: try members["type"]!.declaredType)
        case "createTable":
            self = .createTable(
                name: try members["name"]!.identifier,
                columns: try members["columns"]!.map { node throws(PlanError) in
                    let members = try node.members(["name", "type"])
                    return Column(
                        name: try members["name"]!.identifier, declaredType: try members["type"]!.declaredType)
                })
        case "createIndex":
            self = .createIndex(
                name: try members["name"]!.identifier, table: try members["table"]!.identifier,
                column: try members["column"]!.identifier)
        case "addEntity":
            self = .addEntity(
                number: try members["number"]!.row, name: try members["name"]!.identifier,
                parent: try members["parent"]!.integer)
        case "lastRow":
            self = .lastRow(
                entity: try members["entity"]!.text, number: try members["number"]!.row,
                before: try members["before"]!.integer, after: try members["after"]!.integer)
        case "entityNumber":
            self = .entityNumber(
                table: try members["table"]!.text, row: try members["row"]!.integer,
                before: try members["before"]!.ifPresent { node throws(PlanError) in try node.integer },
                after: try members["after"]!.integer)
        default: self = .modelCache(content: try members["content"]!.bytes)
        }
        guard try members["statement"]!.text == statement else {
            throw members["statement"]!.flaw("not the statement of this change, which is `\(statement)`")
        }
    }
}

extension PlanNode {
    /// A name that needs no quotes in SQL: nothing but letters, digits and underscores of ASCII.
    fileprivate var identifier: String {
        get throws(PlanError) {
            let text = try text
            guard text.isPlainIdentifier, let first = text.utf8.first,
                !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
            else {
                throw flaw("not a plain identifier")
            }
            return text
        }
    }

    /// One of the types that Core Data declares columns with.
    fileprivate var declaredType: String {
        get throws(PlanError) {
            let text = try text
            guard ["INTEGER", "TIMESTAMP", "FLOAT", "DECIMAL", "VARCHAR", "BLOB"].contains(text) else {
                throw flaw("`\(text)` is no type of a column")
            }
            return text
        }
    }
}
