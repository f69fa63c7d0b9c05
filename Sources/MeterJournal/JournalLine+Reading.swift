internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterStore

extension JournalLine {
    /// - Throws: `JournalError` for what `forEachJournalLine` did not write.
    init(_ value: JournalValue, _ context: JournalContext) throws(JournalError) {
        switch try value["kind"].text {
        case "update": self = .object(try .update(value, context))
        case "insert": self = .object(try .insertion(value, context))
        case "delete" where value.json["gone"] == nil: self = .object(.delete(try ObjectChange.Deletion(value)))
        case "delete": self = .object(.cloudDelete(try CloudDeletion(value)))
        case "schema": self = .schema(try SchemaChange(value))
        case "metadata": self = .metadata(try MetadataChange(value))
        case "conflict": self = .conflict(try Conflict(value, context))
        case "reject": self = .reject(try Reject(value))
        default: throw JournalError()
        }
    }
}

extension JournalContext {
    fileprivate func field(_ value: JournalValue) throws(JournalError) -> RecordLayout.Field {
        layout.fields[try layout.position(named: value.text).orDamage]
    }
}

extension JournalValue {
    /// Of the line of a record's change.
    /// - Throws: `JournalError` for a record of another entity than the one whose records a plan changes.
    fileprivate var subject: (row: Int64, address: MACAddress?) {
        get throws(JournalError) {
            guard try self["entity"].text == SettingsTable.entityName else { throw JournalError() }
            return (try self["row"].row, try self["mac"].ifPresent?.address)
        }
    }
}

extension ObjectChange {
    fileprivate static func update(
        _ value: JournalValue, _ context: JournalContext
    ) throws(JournalError) -> ObjectChange {
        let (row, address) = try value.subject
        let fields = try value["fields"].elements.map { value throws(JournalError) in try FieldChange(value, context) }
        let cloudRecord = try value["cloudRecord"].ifPresent?.text
        return .update(
            RecordUpdate(row: row, cloudRecord: cloudRecord, layout: context.layout, fields: fields), address)
    }

    fileprivate static func insertion(
        _ value: JournalValue, _ context: JournalContext
    ) throws(JournalError) -> ObjectChange {
        let (row, address) = try value.subject
        let fields = try value["fields"].elements.map { value throws(JournalError) in
            let change = try FieldChange(value, context)
            // What is written there otherwise would be lost without a word.
            guard change.before.isNull, !change.after.isNull, change.donor == nil || change.rule == .restored else {
                throw JournalError()
            }
            return change
        }
        return .insert(RecordInsertion(row: row, fields: fields), address)
    }
}

extension ObjectChange.Deletion {
    /// - Throws: `JournalError` for what is not such a line.
    init(_ value: JournalValue) throws(JournalError) {
        (row, address) = try value.subject
        let winner = try value["mergedInto"].ifPresent?.row
        let advantage = try value["advantage"].ifPresent?.word(WinnerStep.self)
        switch (winner, advantage) {
        case (let winner?, let advantage?): merger = Merger(winner: winner, advantage: advantage)
        case (nil, nil): merger = nil
        case (nil, _?), (_?, nil): throw JournalError()
        }
    }
}

extension CloudDeletion {
    /// - Throws: `JournalError` for what is not the line of a record that is deleted in CloudKit only.
    init(_ value: JournalValue) throws(JournalError) {
        self.init(
            entity: try value["entity"].text, entityNumber: try value["entityNumber"].integer,
            row: try value["row"].row, cloudRecord: try value["cloudRecord"].ifPresent?.text)
    }
}

extension FieldChange {
    init(_ value: JournalValue, _ context: JournalContext) throws(JournalError) {
        let field = try context.field(value["name"])
        self.init(
            field: field, before: try FieldValue(value["before"], as: field.kind),
            after: try FieldValue(value["after"], as: field.kind), donor: try value["fromRow"].ifPresent?.row,
            rule: try value["rule"].word())
    }
}

extension Conflict {
    init(_ value: JournalValue, _ context: JournalContext) throws(JournalError) {
        let field = try context.field(value["field"])
        self.init(
            address: try value["mac"].address, field: field, kept: try FieldValue(value["kept"], as: field.kind),
            keptFrom: try value["keptFromRow"].ifPresent?.row,
            dropped: try value["dropped"].elements.map { value throws(JournalError) in
                Dropped(value: try FieldValue(value["value"], as: field.kind), row: try value["row"].ifPresent?.row)
            })
    }
}

extension MetadataChange {
    fileprivate init(_ value: JournalValue) throws(JournalError) {
        self.init(
            key: try value["key"].text, before: try value["before"].ifPresent.map(Value.init),
            after: try Value(value["after"]))
    }
}

extension MetadataChange.Value {
    /// - Throws: `JournalError` for what is no value of the metadata.
    init(_ value: JournalValue) throws(JournalError) {
        switch value.json {
        case .integer(let number): self = .number(number)
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .array: self = .texts(try value.elements.map { value throws(JournalError) in try value.text })
        case .object where value.json["hashes"] != nil:
            var hashes: [String: [UInt8]] = [:]
            for (name, hash) in try value["hashes"].members { hashes[name] = try hash.bytes }
            self = .hashes(hashes)
        case .object: self = .legacyImport(date: try Timestamp(value["date"]), sha256: try value["sha256"].text)
        case .null, .unsigned, .double: throw JournalError()
        }
    }
}

extension SchemaChange {
    /// The document of a change is the report's, `SchemaChange.json`. Its SQL is compared, never carried out.
    init(_ value: JournalValue) throws(JournalError) {
        switch try value["action"].text {
        case "dropIndex":
            self = .dropIndex(
                name: try value["name"].text, table: try value["table"].identifier,
                sql: try value["before"].ifPresent?.text)
        case "dropForeignIndex":
            self = .dropForeign(
                .index, name: try value["name"].text, table: try value["table"].text, sql: try value["before"].text)
        case "dropTrigger":
            self = .dropForeign(
                .trigger, name: try value["name"].text, table: try value["table"].text, sql: try value["before"].text)
        case "addColumn":
            self = .addColumn(
                table: try value["table"].identifier, column: try value["column"].identifier,
                declaredType: try value["type"].declaredType)
        case "createTable":
            self = .createTable(
                name: try value["name"].identifier,
                columns: try value["columns"].elements.map { value throws(JournalError) in
                    Column(name: try value["name"].identifier, declaredType: try value["type"].declaredType)
                })
        case "createIndex":
            self = .createIndex(
                name: try value["name"].identifier, table: try value["table"].identifier,
                column: try value["column"].identifier)
        case "remakeIndex": self = .remakeIndex(name: try value["name"].text, table: try value["table"].text)
        case "addEntity":
            self = .addEntity(
                number: try value["number"].row, name: try value["name"].identifier,
                parent: try value["parent"].integer)
        case "modelCache": self = .modelCache(content: try value["content"].bytes)
        case "lastRow":
            self = .lastRow(
                entity: try value["entity"].text, number: try value["number"].row,
                before: try value["before"].integer, after: try value["after"].integer)
        case "entityNumber":
            self = .entityNumber(
                table: try value["table"].text, row: try value["row"].integer,
                before: try value["before"].ifPresent?.integer, after: try value["after"].integer)
        default: throw JournalError()
        }
        guard try value["statement"].text == statement else { throw JournalError() }
    }
}
