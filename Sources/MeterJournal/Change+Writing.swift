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
                    writer.member("cloudRecord", JSONValue.null)
                    writer.writeFields(insertion.fields, in: form)
                case .delete(let deletion):
                    writer.writeSubject("delete", deletion.record.row, meter, letterCase)
                    deletion.writeRest(mergedInto: meter.winner?.row, in: form, to: &writer)
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
    fileprivate func writeRest(mergedInto winner: Int64?, in form: DocumentForm, to writer: inout JSONWriter) {
        switch form {
        case .report:
            writer.member("cloudRecord", record.cloudRecord?.name)
            // Somebody else's iCloud.
            if let owner = record.cloudRecord?.sharedBy { writer.member("sharedBy", owner) }
            writer.member("mergedInto", winner)
            writer.member("record", record)
        case .plan:
            writer.member("mergedInto", winner)
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
            writer.member("mac", JSONValue.null)
            writer.member("cloudRecord", cloudRecord)
            writer.member("gone", true)
        }
    }
}

extension JSONWriter {
    /// What the change of a record begins with.
    fileprivate mutating func writeSubject(_ kind: String, _ row: Int64, _ meter: MeterPlan, _ letterCase: LetterCase) {
        member("kind", kind)
        member("entity", SettingsTable.entityName)
        member("row", row)
        member("mac", meter.address?.text(in: letterCase))
    }

    fileprivate mutating func writeFields(_ fields: [FieldChange], in form: DocumentForm) {
        member("fields", each: fields) { $0.write(in: form, to: &$1) }
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
            writer.member("kept", kept, as: field.kind, in: form)
            writer.member("keptFromRow", keptFrom)
            writer.member("dropped", each: dropped) { dropped, writer in
                writer.object { writer in
                    writer.member("value", dropped.value, as: field.kind, in: form)
                    writer.member("row", dropped.row)
                    if let command = command(dropped.value) { writer.member("command", command.description) }
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
            return ["date": form == .report ? date.json : date.document, "sha256": sha256]
        case .text(let text): return .string(text)
        case .texts(let texts): return texts.json
        case .hashes(let hashes):
            let digests = JSONValue.object(
                hashes.sorted(byBytesOf: \.key).map { .init($0.key, Hexadecimal.text(of: $0.value)) })
            return form == .report ? digests : ["hashes": digests]
        }
    }
}

extension SchemaChange {
    /// The SQL that carries it out, without values. Names are not quoted, because Core Data writes them so and compares
    /// the text of a table with its own; all except those of indexes that are there have been checked to be plain
    /// identifiers.
    package var statement: String {
        switch self {
        case .dropIndex(let name, _, _), .dropForeign(.index, let name, _, _): "DROP INDEX \(name.quotedIdentifier)"
        case .dropForeign(.trigger, let name, _, _): "DROP TRIGGER \(name.quotedIdentifier)"
        case .addColumn(let table, let column, let type):
            "ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(column) \(type)"
        case .createTable(let name, let columns):
            EntityTable.createStatement(name, columns: columns.map { ($0.name, $0.declaredType) })
        case .createIndex(let name, let table, let column): EntityTable.indexStatement(name, on: table, column: column)
        case .remakeIndex(let name, _): "REINDEX \(name.quotedIdentifier)"
        case .addEntity: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)"
        case .modelCache: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?"
        case .lastRow: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?"
        case .entityNumber(let table, _, _, _): "UPDATE \(table.quotedIdentifier) SET Z_ENT = ? WHERE Z_PK = ?"
        }
    }

    var json: JSONValue {
        .object([.init("kind", "schema")] + members + [.init("statement", statement)])
    }

    private var members: [JSONValue.Member] {
        switch self {
        case .dropIndex(let name, let table, let sql):
            [.init("action", "dropIndex"), .init("name", name), .init("table", table), .init("before", sql)]
        case .dropForeign(let kind, let name, let table, let sql):
            [
                .init("action", kind == .index ? "dropForeignIndex" : "dropTrigger"), .init("name", name),
                .init("table", table), .init("before", sql),
            ]
        case .addColumn(let table, let column, let type):
            [.init("action", "addColumn"), .init("table", table), .init("column", column), .init("type", type)]
        case .createTable(let name, let columns):
            [
                .init("action", "createTable"), .init("name", name),
                .init("columns", columns.map { ["name": $0.name, "type": $0.declaredType] as JSONValue }),
            ]
        case .createIndex(let name, let table, let column):
            [.init("action", "createIndex"), .init("name", name), .init("table", table), .init("column", column)]
        case .remakeIndex(let name, let table):
            [.init("action", "remakeIndex"), .init("name", name), .init("table", table)]
        case .addEntity(let number, let name, let parent):
            [.init("action", "addEntity"), .init("number", number), .init("name", name), .init("parent", parent)]
        case .modelCache(let content):
            [.init("action", "modelCache"), .init("content", FieldValue.blob(content).display(as: .binary))]
        case .lastRow(let entity, let number, let before, let after):
            [
                .init("entity", entity), .init("action", "lastRow"), .init("number", number), .init("before", before),
                .init("after", after),
            ]
        case .entityNumber(let table, let row, let before, let after):
            [
                .init("row", row), .init("action", "entityNumber"), .init("table", table), .init("before", before),
                .init("after", after),
            ]
        }
    }
}
