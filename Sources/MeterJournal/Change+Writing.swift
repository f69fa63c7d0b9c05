internal import CoreDataStore
package import JSON
package import MeterModel
internal import MeterStore
internal import Texts

extension Change {
    /// - Parameters:
    ///   - form: a backup has the records that are deleted in the saved files.
    ///   - letterCase: of the addresses.
    package func write(in form: DocumentForm, _ letterCase: LetterCase, to writer: inout JSONWriter) {
        switch self {
        case .schema(let change): change.json.write(to: &writer)
        case .cloudDelete(let deletion): deletion.write(in: form, to: &writer)
        case .record(let change, let meter):
            writer.object { writer in
                switch change {
                case .update(let update):
                    writer.writeSubject("update", update.row, meter, letterCase)
                    writer.member("cloudRecord", update.cloudRecord)
                    writer.writeFields(update.fields, in: form)
                case .insert(let insertion):
                    writer.writeSubject("insert", insertion.row, meter, letterCase)
                    writer.key("cloudRecord")
                    writer.null()
                    writer.writeFields(insertion.fields, in: form)
                case .delete(let deletion):
                    writer.writeSubject("delete", deletion.record.row, meter, letterCase)
                    deletion.writeRest(mergedInto: meter.survivor?.row, in: form, to: &writer)
                }
            }
        case .metadata(let change):
            writer.object { writer in
                writer.member("kind", "metadata")
                writer.member("key", change.key)
                writer.member("before", change.before?.json(in: form))
                writer.member("after", change.after.json(in: form))
            }
        }
    }
}

extension RecordDeletion {
    fileprivate func writeRest(mergedInto survivor: Int64?, in form: DocumentForm, to writer: inout JSONWriter) {
        switch form {
        case .report:
            writer.member("cloudRecord", record.cloudRecord?.name)
            // Somebody else's iCloud.
            if let owner = record.cloudRecord?.sharedBy { writer.member("sharedBy", owner) }
            writer.member("mergedInto", survivor)
            writer.key("record")
            record.write(in: .report, to: &writer)
        case .plan:
            writer.member("mergedInto", survivor)
            writer.member("advantage", advantage?.rawValue)
        }
    }
}

extension CloudDeletion {
    fileprivate func write(in form: DocumentForm, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", "delete")
            writer.member("entity", entity)
            if form == .plan { writer.member("entityNumber", entityNumber) }
            writer.member("row", row)
            writer.key("mac")
            writer.null()
            writer.member("cloudRecord", cloudRecord)
            writer.member("gone", JSONValue.bool(true))
        }
    }
}

extension JSONWriter {
    /// What the change of a record begins with.
    fileprivate mutating func writeSubject(
        _ kind: String, _ row: Int64, _ meter: MeterPlan, _ letterCase: LetterCase
    ) {
        member("kind", kind)
        member("entity", SettingsTable.entityName)
        member("row", row)
        member("mac", meter.address?.text(in: letterCase))
    }

    fileprivate mutating func writeFields(_ fields: [FieldChange], in form: DocumentForm) {
        key("fields")
        array { writer in
            for field in fields { field.write(in: form, to: &writer) }
        }
    }
}

extension FieldChange {
    fileprivate func write(in form: DocumentForm, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", field.name)
            delta.writeValues("before", "after", in: form, to: &writer)
            writer.member("fromRow", donor)
            writer.member("rule", rule.rawValue)
        }
    }
}

extension Conflict {
    /// - Parameter command: that keeps a dropped value; nil where there is none.
    package func write(
        in form: DocumentForm, _ letterCase: LetterCase, to writer: inout JSONWriter,
        keeping command: (FieldValue) -> StoreCommand? = { _ in nil }
    ) {
        writer.object { writer in
            if form == .plan { writer.member("kind", "conflict") }
            writer.member("mac", address.text(in: letterCase))
            writer.member("field", field.name)
            writer.key("kept")
            kept.write(as: field.kind, in: form, to: &writer)
            writer.member("keptFromRow", keptFrom)
            writer.key("dropped")
            writer.array { writer in
                for dropped in dropped {
                    writer.object { writer in
                        writer.key("value")
                        dropped.value.write(as: field.kind, in: form, to: &writer)
                        writer.member("row", dropped.row)
                        if let command = command(dropped.value) {
                            writer.member("command", command.description)
                        }
                    }
                }
            }
        }
    }
}

extension MetadataChange.Value {
    /// But in a report hashes stand in an object with the key `hashes`, which tells them from an import's mark.
    fileprivate func json(in form: DocumentForm) -> JSONValue {
        switch self {
        case .number(let number): return .integer(number)
        case .flag(let flag): return .bool(flag)
        case .legacyImport(let date, let sha256):
            return [
                "date": form == .report ? .string(date.description) : date.document, "sha256": .string(sha256),
            ]
        case .text(let text): return .string(text)
        case .texts(let texts): return .array(texts.map { .string($0) })
        case .hashes(let hashes):
            let digests = JSONValue.object(
                hashes.sorted(byBytesOf: \.key)
                    .map { .init($0.key, .string(Hexadecimal.text(of: $0.value))) })
            return form == .report ? digests : ["hashes": digests]
        }
    }
}

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
        .object([.init("kind", "schema")] + members + [.init("statement", .string(statement))])
    }

    private var members: [JSONValue.Member] {
        switch self {
        case .dropIndex(let name, let table, let sql):
            [
                .init("action", "dropIndex"), .init("name", .string(name)), .init("table", .string(table)),
                .init("before", JSONValue(sql)),
            ]
        case .addColumn(let table, let column, let type):
            [
                .init("action", "addColumn"), .init("table", .string(table)), .init("column", .string(column)),
                .init("type", .string(type)),
            ]
        case .createTable(let name, let columns):
            [
                .init("action", "createTable"), .init("name", .string(name)),
                .init("columns", .array(columns.map { ["name": .string($0.name), "type": .string($0.declaredType)] })),
            ]
        case .createIndex(let name, let table, let column):
            [
                .init("action", "createIndex"), .init("name", .string(name)), .init("table", .string(table)),
                .init("column", .string(column)),
            ]
        case .addEntity(let number, let name, let parent):
            [
                .init("action", "addEntity"), .init("number", .integer(number)), .init("name", .string(name)),
                .init("parent", .integer(parent)),
            ]
        case .modelCache(let content):
            [.init("action", "modelCache"), .init("content", .string(FieldValue.blob(content).display(as: .binary)))]
        case .lastRow(let entity, let number, let before, let after):
            [
                .init("entity", .string(entity)), .init("action", "lastRow"), .init("number", .integer(number)),
                .init("before", .integer(before)), .init("after", .integer(after)),
            ]
        case .entityNumber(let table, let row, let before, let after):
            [
                .init("row", .integer(row)), .init("action", "entityNumber"), .init("table", .string(table)),
                .init("before", before.map { .integer($0) } ?? .null), .init("after", .integer(after)),
            ]
        }
    }
}
