package import JSON
package import MeterModel
internal import MeterStore

extension Change {
    /// - Parameters:
    ///   - form: a deletion is always as in a report, for in a plan its records have lines of their own.
    ///   - letterCase: of the addresses.
    package func write(in form: DocumentForm, _ letterCase: LetterCase, to writer: inout JSONWriter) {
        switch self {
        case .update(let update):
            writer.object { writer in
                writer.writeSubject("update", update.row, update.address, letterCase)
                writer.member("cloudRecord", update.cloudRecord)
                writer.writeFields(update.fields, in: form)
            }
        case .delete(let deletion): deletion.write(letterCase, to: &writer)
        case .cloudDelete(let deletion): deletion.write(in: form, to: &writer)
        case .insert(let insertion):
            writer.object { writer in
                writer.writeSubject("insert", insertion.row, insertion.address, letterCase)
                writer.key("cloudRecord")
                writer.null()
                writer.writeFields(insertion.fields, in: form)
            }
        case .schema(let change): change.json.write(to: &writer)
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
    fileprivate func write(_ letterCase: LetterCase, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.writeSubject("delete", record.row, address, letterCase)
            writer.member("cloudRecord", record.cloudRecord?.name)
            writer.member("mergedInto", merger?.survivor.row)
            writer.key("record")
            record.write(in: .report, to: &writer)
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
        _ kind: String, _ row: Int64, _ address: MACAddress?, _ letterCase: LetterCase
    ) {
        member("kind", kind)
        member("entity", SettingsTable.entityName)
        member("row", row)
        member("mac", address?.text(in: letterCase))
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
            writer.key("before")
            before.write(as: field.kind, in: form, to: &writer)
            writer.key("after")
            after.write(as: field.kind, in: form, to: &writer)
            writer.member("fromRow", donor)
            writer.member("rule", rule.rawValue)
        }
    }
}

extension Conflict {
    package func write(in form: DocumentForm, _ letterCase: LetterCase, to writer: inout JSONWriter) {
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
                hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                    .map { .init($0.key, .string(Hexadecimal.text(of: $0.value))) })
            return form == .report ? digests : ["hashes": digests]
        }
    }
}
