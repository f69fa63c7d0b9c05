package import JSON
internal import MeterJournal
package import MeterModel

/// The document described in Documentation/json.md, keys in their fixed order; what does not apply is left out.
extension Report: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(beginning)
            if let plan {
                writer.member("fingerprint", plan.fingerprint(inStore: storeUUID).description)
                write(plan, to: &writer)
            } else {
                writer.member(
                    "summary",
                    ["records": JSONValue(summary.records), "groups": JSONValue(summary.groups)] as JSONValue)
                writeFindings(to: &writer)
                if let comparedModel { writer.member("model", comparedModel.json) }
                if let comparedPreferences { writer.member("preferences", comparedPreferences.json) }
            }
        }
    }

    /// The report of a change without what may be as large as the store: what was changed, and what `verify` finds.
    package var account: JSONValue {
        guard let plan else { return .object(beginning) }
        return .object(beginning + numbers(of: plan) + ending(of: plan))
    }

    private var beginning: [JSONValue.Member] {
        var members = JSONDocument.head(command: command, store: store)
        if let outcome { members.append(.init("outcome", .string(outcome.rawValue))) }
        if inUse { members.append(.init("inUse", .bool(true))) }
        members.append(.init("schemaVersion", schemaVersion.map { JSONValue($0) } ?? .null))
        return members
    }

    private func numbers(of plan: Plan) -> [JSONValue.Member] {
        [.init("summary", summary.json), .init("cloud", plan.cloud.json)]
    }

    private func ending(of plan: Plan) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("backup", JSONValue(backup))]
        if !tables.isEmpty { members.append(.init("tables", .array(tables.map(\.json)))) }
        if !plan.notes.isEmpty { members.append(.init("notes", .array(plan.notes.map { .string($0) }))) }
        return members
    }

    private func write(_ plan: Plan, to writer: inout JSONWriter) {
        writer.members(numbers(of: plan))
        writer.key("changes")
        writer.array { writer in
            for change in plan.changes { change.write(in: .report, letterCase, to: &writer) }
        }
        writer.key("conflicts")
        writer.array { writer in
            for conflict in plan.conflicts {
                conflict.write(in: .report, letterCase, to: &writer) {
                    keeping($0, as: conflict.field, of: conflict.address)
                }
            }
        }
        writer.key("rejects")
        writer.array { writer in
            for reject in plan.rejects { reject.json(hint: plan.hint(of: reject, in: letterCase)).write(to: &writer) }
        }
        if let revived = plan.revived {
            writer.member("revived", JSONValue.array(revived.map { $0.json(in: letterCase) }))
        }
        if let doubts = plan.doubts {
            writer.member("doubts", JSONValue.array(doubts.map { $0.json(in: letterCase) }))
        }
        writeFindings(to: &writer)
        writer.members(ending(of: plan))
    }

    private func writeFindings(to writer: inout JSONWriter) {
        writer.key("findings")
        writer.array { writer in
            findings.forEach { $0.write(to: &writer) }
        }
    }
}

extension Finding: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("severity", severity.rawValue)
            if let entity { writer.member("entity", entity) }
            if !rows.isEmpty {
                writer.key("rows")
                writer.array { writer in
                    for row in rows { writer.integer(row) }
                }
            }
            if let mac { writer.member("mac", mac) }
            if let levelled { writer.member("levelled", JSONValue.bool(levelled)) }
            writer.member("message", message)
            writer.member("cure", cure.description)
            if let firstAid { writer.member("firstAid", firstAid.description) }
        }
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

extension ComparedPreferences {
    fileprivate var json: JSONValue {
        [
            "path": .string(path), "cloudStoreRebuildVersion": marker.map { JSONValue($0) } ?? .null,
            "storeMarker": storeMarker.map { JSONValue($0) } ?? .null, "agrees": .bool(agrees),
        ]
    }
}

extension Summary {
    fileprivate var json: JSONValue {
        [
            "records": JSONValue(records), "groups": JSONValue(groups), "updated": JSONValue(updated),
            "deleted": JSONValue(deleted), "inserted": JSONValue(inserted), "unchanged": JSONValue(unchanged),
            "conflicts": JSONValue(conflicts), "rejects": JSONValue(rejects),
        ]
    }
}

extension CloudCost {
    package var json: JSONValue {
        [
            "updates": JSONValue(updates), "deletes": JSONValue(deletes), "batches": JSONValue(batches),
            "deleteAndRecreate": ["deletes": JSONValue(recreateDeletes), "inserts": JSONValue(recreateInserts)],
        ]
    }
}

extension RevivedMeter {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": .string(address.text(in: letterCase)),
            "deleted": [
                "transaction": deletion.transaction.map { JSONValue($0) } ?? .null,
                "at": JSONValue(deletion.time?.description), "author": JSONValue(deletion.author),
            ],
        ]
    }
}

extension DoubtfulMeter {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": .string(address.text(in: letterCase)), "looksLike": .string(other.text(in: letterCase)),
            "why": .string(reason.words),
        ]
    }
}
