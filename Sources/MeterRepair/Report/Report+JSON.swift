package import JSON
internal import LegacyKeyValue
package import MeterModel
internal import MeterStore

extension Report {
    /// The document of cli.md's section JSON, keys in their fixed order; what does not apply is left out.
    package var json: JSONValue {
        var members = JSONDocument.head(command: command, store: store)
        if let outcome { members.append(.init("outcome", .string(outcome.rawValue))) }
        members.append(.init("schemaVersion", schemaVersion.map(JSONValue.init) ?? .null))
        if let drift {
            members.append(.init("moved", drift.json))
            return .object(members)
        }
        guard let plan else {
            members += [
                .init("summary", ["records": JSONValue(summary.records), "groups": JSONValue(summary.groups)]),
                .init("findings", .array(findings.map(\.json))),
            ]
            if let comparedModel { members.append(.init("model", comparedModel.json)) }
            return .object(members)
        }
        members += [
            .init("summary", summary.json),
            .init("cloud", plan.cloud.json),
            .init("changes", .array(plan.changes.map { $0.json(in: letterCase) })),
            .init("conflicts", .array(plan.conflicts.map { $0.json(in: letterCase) })),
            .init("rejects", .array(plan.rejects.map(\.json))),
            .init("findings", .array(findings.map(\.json))),
            .init("backup", JSONValue(backup)),
        ]
        if !tables.isEmpty { members.append(.init("tables", .array(tables.map(\.json)))) }
        if !plan.notes.isEmpty { members.append(.init("notes", .array(plan.notes.map { .string($0) }))) }
        return .object(members)
    }
}

extension Finding {
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(id)), .init("severity", .string(severity.rawValue)),
        ]
        if let entity { members.append(.init("entity", .string(entity))) }
        if !rows.isEmpty { members.append(.init("rows", .array(rows.map { JSONValue($0) }))) }
        if let mac { members.append(.init("mac", .string(mac))) }
        members += [.init("message", .string(message)), .init("cure", JSONValue(cure))]
        return .object(members)
    }
}

extension TableContents {
    fileprivate var json: JSONValue {
        [
            "table": .string(name), "rows": JSONValue(rows), "digestBefore": .string(Hexadecimal.text(of: before)),
            "digestAfter": .string(Hexadecimal.text(of: after)),
        ]
    }
}

extension ComparedModel {
    fileprivate var json: JSONValue {
        ["path": .string(path), "version": JSONValue(version), "matches": .bool(matches)]
    }
}

extension Summary {
    var json: JSONValue {
        [
            "records": JSONValue(records), "groups": JSONValue(groups), "updated": JSONValue(updated),
            "deleted": JSONValue(deleted), "inserted": JSONValue(inserted), "unchanged": JSONValue(unchanged),
            "conflicts": JSONValue(conflicts), "rejects": JSONValue(rejects),
        ]
    }
}

extension CloudCost {
    var json: JSONValue {
        [
            "updates": JSONValue(updates), "deletes": JSONValue(deletes), "batches": JSONValue(batches),
            "deleteAndRecreate": ["deletes": JSONValue(recreateDeletes), "inserts": JSONValue(recreateInserts)],
        ]
    }
}

extension Change {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        switch self {
        case .update(let update):
            [
                "kind": "update", "entity": .string(SettingsTable.entityName), "row": JSONValue(update.row),
                "mac": .string(update.address.text(in: letterCase)), "cloudRecord": JSONValue(update.cloudRecord),
                "fields": .array(update.fields.map(\.json)),
            ]
        case .delete(let deletion):
            [
                "kind": "delete", "entity": .string(SettingsTable.entityName), "row": JSONValue(deletion.record.row),
                "mac": .string(deletion.address.text(in: letterCase)),
                "cloudRecord": JSONValue(deletion.record.cloudRecord?.name),
                "mergedInto": JSONValue(deletion.survivor.row), "record": deletion.record.json,
            ]
        case .insert(let insertion):
            [
                "kind": "insert", "entity": .string(SettingsTable.entityName), "row": JSONValue(insertion.row),
                "mac": .string(insertion.address.text(in: letterCase)), "cloudRecord": .null,
                "fields": .array(insertion.fields.map(\.json)),
            ]
        case .schema(let change): change.json
        case .metadata(let change):
            [
                "kind": "metadata", "key": .string(change.key), "before": change.before?.json ?? .null,
                "after": change.after.json,
            ]
        }
    }
}

extension MetadataChange.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .number(let number): JSONValue(number)
        case .legacyImport(let date, let sha256): ["date": .string(date.description), "sha256": .string(sha256)]
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map { .string($0) })
        case .hashes(let hashes):
            .object(
                hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                    .map { .init($0.key, .string(FieldValue.blob($0.value).display(as: .binary))) })
        }
    }
}

extension FieldChange {
    fileprivate var json: JSONValue {
        [
            "name": .string(field.name), "before": before.json(as: field.kind), "after": after.json(as: field.kind),
            "fromRow": donor.map { JSONValue($0) } ?? .null, "rule": .string(rule.rawValue),
        ]
    }
}

extension DeviceSettings {
    /// Every field by name.
    var json: JSONValue {
        .object(zip(layout.fields, values).map { .init($0.name, $1.json(as: $0.kind)) })
    }
}

extension Conflict {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": .string(address.text(in: letterCase)), "field": .string(field.name),
            "kept": kept.json(as: field.kind), "keptFromRow": keptFrom.map { JSONValue($0) } ?? .null,
            "dropped": .array(
                dropped.map {
                    ["value": $0.value.json(as: field.kind), "row": $0.row.map { JSONValue($0) } ?? .null]
                }),
        ]
    }
}

extension FieldValue {
    /// Dates as ISO 8601, binary as hex, UUIDs in their usual form.
    package func json(as kind: FieldKind) -> JSONValue {
        switch self {
        case .null: return .null
        case .integer(let value):
            return kind == .date ? .string(display(as: kind)) : .integer(value)
        case .real(let value):
            return kind == .date ? .string(display(as: kind)) : .double(value)
        case .text, .malformedText, .blob: return .string(display(as: kind))
        }
    }
}
