internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterStore

extension PlanContext {
    fileprivate func field(_ node: PlanNode) throws(PlanError) -> RecordLayout.Field {
        let name = try node.text
        guard let position = layout.position(named: name) else { throw node.flaw("the store has no field `\(name)`") }
        return layout.fields[position]
    }
}

extension PlanNode {
    /// What the line of a record's change begins with, and its members, of which these are the others.
    /// - Throws: `PlanError` for a record of another entity than the one whose records a plan changes.
    fileprivate func subject(
        _ others: String...
    ) throws(PlanError) -> (row: Int64, address: MACAddress?, members: PlanMembers) {
        let members = try members(["kind", "entity", "row", "mac"] + others)
        guard try members["entity"].text == SettingsTable.entityName else {
            throw members["entity"].flaw("records of \(SettingsTable.entityName) are all that a plan changes")
        }
        return (try members["row"].row, try members["mac"].ifPresent?.address, members)
    }
}

extension PlanLine {
    /// - Throws: `PlanError` for what `PlanChanges` did not write.
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        let kind = try node.kind
        switch kind {
        case "update": self = .object(try .update(node, context))
        case "insert": self = .object(try .insertion(node, context))
        case "delete" where node.value["gone"] == nil: self = .object(.delete(try ObjectChange.Deletion(node)))
        case "delete": self = .object(.cloudDelete(try CloudDeletion(node)))
        case "schema": self = .schema(try SchemaChange(node))
        case "metadata": self = .metadata(try MetadataChange(node))
        case "conflict": self = .conflict(try Conflict(node, context))
        case "reject": self = .reject(try Reject(node))
        default: throw PlanError(at: .member(node.place, "kind"), "`\(kind)` is no kind of line")
        }
    }
}

extension ObjectChange {
    fileprivate static func update(_ node: PlanNode, _ context: PlanContext) throws(PlanError) -> ObjectChange {
        let (row, address, members) = try node.subject("cloudRecord", "fields")
        let fields = try members["fields"].elements.map { node throws(PlanError) in try FieldChange(node, context) }
        let cloudRecord = try members["cloudRecord"].ifPresent?.text
        return .update(
            RecordUpdate(row: row, cloudRecord: cloudRecord, layout: context.layout, fields: fields), address)
    }

    fileprivate static func insertion(_ node: PlanNode, _ context: PlanContext) throws(PlanError) -> ObjectChange {
        let (row, address, members) = try node.subject("cloudRecord", "fields")
        if let known = members["cloudRecord"].ifPresent { throw known.flaw("CloudKit does not know a new record") }
        let fields = try members["fields"].elements.map { node throws(PlanError) in
            // What is written there otherwise would be lost without a word.
            let change = try FieldChange(node, context)
            guard change.before.isNull, !change.after.isNull else {
                throw node.flaw("a field of a new record was NULL before and has a value after")
            }
            guard change.donor == nil || change.rule == .restored else {
                throw node.flaw("a new record takes no row's value")
            }
            return change
        }
        return .insert(RecordInsertion(row: row, fields: fields), address)
    }
}

extension ObjectChange.Deletion {
    /// - Throws: `PlanError` for what is not such a line.
    init(_ node: PlanNode) throws(PlanError) {
        let members: PlanMembers
        (row, address, members) = try node.subject("mergedInto", "advantage")
        let survivor = try members["mergedInto"].ifPresent?.row
        let advantage = try members["advantage"].ifPresent?.word(WinnerStep.self, "step of the winners' order")
        switch (survivor, advantage) {
        case (let survivor?, let advantage?): merger = Merger(survivor: survivor, advantage: advantage)
        case (nil, nil): merger = nil
        case (nil, _?), (_?, nil): throw members["advantage"].flaw("`mergedInto` and `advantage` belong together")
        }
    }
}

extension CloudDeletion {
    /// - Throws: `PlanError` for what is not the line of a record that is deleted in CloudKit only.
    init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(["kind", "entity", "entityNumber", "row", "mac", "cloudRecord", "gone"])
        if let mac = members["mac"].ifPresent { throw mac.flaw("nobody knows the address of what is gone") }
        guard members["gone"].value == .bool(true) else { throw members["gone"].flaw("not true") }
        self.init(
            entity: try members["entity"].text, entityNumber: try members["entityNumber"].integer,
            row: try members["row"].row, cloudRecord: try members["cloudRecord"].ifPresent?.text)
    }
}

extension FieldChange {
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        let members = try node.members(["name", "before", "after", "fromRow", "rule"])
        let field = try context.field(members["name"])
        self.init(
            field: field, before: try FieldValue(members["before"], as: field.kind),
            after: try FieldValue(members["after"], as: field.kind), donor: try members["fromRow"].ifPresent?.row,
            rule: try members["rule"].word(SurvivorshipRule.self, "rule"))
    }
}

extension Conflict {
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        let members = try node.members(["kind", "mac", "field", "kept", "keptFromRow", "dropped"])
        let field = try context.field(members["field"])
        self.init(
            address: try members["mac"].address, field: field, kept: try FieldValue(members["kept"], as: field.kind),
            keptFrom: try members["keptFromRow"].ifPresent?.row,
            dropped: try members["dropped"].elements.map { node throws(PlanError) in
                let members = try node.members(["value", "row"])
                return Dropped(
                    value: try FieldValue(members["value"], as: field.kind), row: try members["row"].ifPresent?.row)
            })
    }
}

extension MetadataChange {
    fileprivate init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(["kind", "key", "before", "after"])
        self.init(
            key: try members["key"].text, before: try members["before"].ifPresent.map(Value.init),
            after: try Value(members["after"]))
    }
}

extension MetadataChange.Value {
    /// - Throws: `PlanError` for what is no value of the metadata.
    init(_ node: PlanNode) throws(PlanError) {
        switch node.value {
        case .integer(let number): self = .number(number)
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .array: self = .texts(try node.elements.map { node throws(PlanError) in try node.text })
        case .object where node.value["hashes"] != nil:
            var hashes: [String: [UInt8]] = [:]
            for member in try node.members(["hashes"])["hashes"].namedMembers {
                hashes[member.name] = try member.node.bytes
            }
            self = .hashes(hashes)
        case .object:
            let members = try node.members(["date", "sha256"])
            self = .legacyImport(date: try Timestamp(members["date"]), sha256: try members["sha256"].text)
        default: throw node.flaw("not a value of the metadata")
        }
    }
}

extension SchemaChange {
    /// The document of a change is the report's, `SchemaChange.json`. Its SQL is compared, never carried out.
    init(_ node: PlanNode) throws(PlanError) {
        guard let action = node.value["action"]?.string else { throw node.flaw("`action` is missing, or not text") }
        func read(_ keys: String...) throws(PlanError) -> PlanMembers {
            try node.members(["kind", "action"] + keys + ["statement"])
        }
        let members: PlanMembers
        switch action {
        case "dropIndex":
            members = try read("name", "table", "before")
            self = .dropIndex(
                name: try members["name"].text, table: try members["table"].identifier,
                sql: try members["before"].ifPresent?.text)
        case "dropForeignIndex", "dropTrigger":
            members = try read("name", "table", "before")
            self = .dropForeign(
                action == "dropTrigger" ? .trigger : .index, name: try members["name"].text,
                table: try members["table"].text, sql: try members["before"].text)
        case "addColumn":
            members = try read("table", "column", "type")
            self = .addColumn(
                table: try members["table"].identifier, column: try members["column"].identifier,
                declaredType: try members["type"].declaredType)
        case "createTable":
            members = try read("name", "columns")
            self = .createTable(
                name: try members["name"].identifier,
                columns: try members["columns"].elements.map { node throws(PlanError) in
                    let members = try node.members(["name", "type"])
                    return Column(name: try members["name"].identifier, declaredType: try members["type"].declaredType)
                })
        case "createIndex":
            members = try read("name", "table", "column")
            self = .createIndex(
                name: try members["name"].identifier, table: try members["table"].identifier,
                column: try members["column"].identifier)
        case "remakeIndex":
            members = try read("name", "table")
            self = .remakeIndex(name: try members["name"].text, table: try members["table"].text)
        case "addEntity":
            members = try read("number", "name", "parent")
            self = .addEntity(
                number: try members["number"].row, name: try members["name"].identifier,
                parent: try members["parent"].integer)
        case "modelCache":
            members = try read("content")
            self = .modelCache(content: try members["content"].bytes)
        case "lastRow":
            members = try read("entity", "number", "before", "after")
            self = .lastRow(
                entity: try members["entity"].text, number: try members["number"].row,
                before: try members["before"].integer, after: try members["after"].integer)
        case "entityNumber":
            members = try read("table", "row", "before", "after")
            self = .entityNumber(
                table: try members["table"].text, row: try members["row"].integer,
                before: try members["before"].ifPresent?.integer, after: try members["after"].integer)
        default: throw PlanError(at: .member(node.place, "action"), "`\(action)` is no change of a schema")
        }
        guard try members["statement"].text == statement else {
            throw members["statement"].flaw("not the statement of this change, which is `\(statement)`")
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
