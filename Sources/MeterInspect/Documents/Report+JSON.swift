package import JSON
internal import MeterJournal
package import MeterModel

/// The documents described in Documentation/json.md, keys in their fixed order; what does not apply is left out.
extension VerifyReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "verify", store: self.store))
            writer.member("schemaVersion", self.schemaVersion.map { JSONValue($0) } ?? .null)
            writer.member(
                "summary", ["records": JSONValue(records), "groups": JSONValue(groups)] as JSONValue)
            writer.member("findings", self.findings)
            if let comparedModel { writer.member("model", comparedModel.json) }
            if let comparedPreferences { writer.member("preferences", comparedPreferences.json) }
        }
    }
}

extension ChangeReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(beginning)
            writer.member("fingerprint", fingerprint.description)
            writer.members(numbers)
            writer.key("changes")
            writer.array { writer in
                plan.forEachChange { $0.write(in: .report, self.letterCase, to: &writer) }
            }
            writer.key("conflicts")
            writer.array { writer in
                for conflict in plan.conflicts {
                    conflict.write(in: .report, self.letterCase, to: &writer) {
                        keeping($0, as: conflict.field, of: conflict.address)
                    }
                }
            }
            writer.key("rejects")
            writer.array { writer in
                for reject in plan.rejects {
                    reject.json(hint: plan.hint(of: reject, in: self.letterCase)).write(to: &writer)
                }
            }
            if let revived = plan.revived {
                writer.member("revived", JSONValue.array(revived.map { $0.json(in: self.letterCase) }))
            }
            if let doubts = plan.doubts {
                writer.member("doubts", JSONValue.array(doubts.map { $0.json(in: self.letterCase) }))
            }
            writer.member("findings", self.findings)
            writer.members(ending)
        }
    }

    /// Without what may be as large as the store: what was changed, and what `verify` finds.
    package var account: JSONValue { .object(beginning + numbers + ending) }

    private var beginning: [JSONValue.Member] {
        var members = JSONDocument.head(command: command, store: self.store)
        members.append(.init("outcome", .string(outcome.rawValue)))
        if inUse { members.append(.init("inUse", .bool(true))) }
        members.append(.init("schemaVersion", self.schemaVersion.map { JSONValue($0) } ?? .null))
        return members
    }

    private var numbers: [JSONValue.Member] { [.init("summary", summary.json), .init("cloud", plan.cloud.json)] }

    private var ending: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("backup", JSONValue(backup))]
        if !tables.isEmpty { members.append(.init("tables", .array(tables.map(\.json)))) }
        if !plan.notes.isEmpty { members.append(.init("notes", .array(plan.notes.map { .string($0.description) }))) }
        return members
    }
}

extension Findings: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in forEach { $0.write(to: &writer) } }
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
            writer.member("message", message.description)
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
                "transaction": transaction.map { JSONValue($0) } ?? .null,
                "at": JSONValue(time?.description), "author": JSONValue(author),
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
