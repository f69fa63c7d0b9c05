package import JSON
internal import MeterJournal
package import MeterModel

/// The documents described in Documentation/json.md, keys in their fixed order; what does not apply is left out.
extension VerifyReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "verify", store: self.store))
            writer.member("schemaVersion", self.schemaVersion)
            writer.member("summary", ["records": records, "groups": groups] as JSONValue)
            writer.member("verdict", verdict.rawValue)
            writer.member("findings", self.findings)
            writer.member("steps", StepPlan(self).steps.map(\.json))
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
            writer.member("conflicts", each: plan.conflicts) { conflict, writer in
                conflict.write(in: .report, self.letterCase, to: &writer) {
                    keeping($0, as: conflict.field, of: conflict.address)
                }
            }
            writer.member("rejects", each: plan.rejects) { reject, writer in
                reject.json(hint: plan.hint(of: reject, in: self.letterCase)).write(to: &writer)
            }
            if let revived = plan.revived {
                writer.member("revived", revived.map { $0.json(in: self.letterCase) })
            }
            if let doubts = plan.doubts {
                writer.member("doubts", doubts.map { $0.json(in: self.letterCase) })
            }
            writer.member("findings", self.findings)
            writer.member("steps", steps.map(\.json))
            writer.members(ending)
        }
    }

    /// Without what may be as large as the store: what was changed, and what `verify` finds.
    package var account: JSONValue { .object(beginning + numbers + ending) }

    private var beginning: [JSONValue.Member] {
        var members = JSONDocument.head(command: command, store: self.store)
        members.append(.init("outcome", outcome.rawValue))
        if inUse { members.append(.init("inUse", true)) }
        members.append(.init("schemaVersion", self.schemaVersion))
        return members
    }

    private var numbers: [JSONValue.Member] { [.init("summary", summary.json), .init("cloud", plan.cloud.json)] }

    private var ending: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("backup", backup)]
        if !tables.isEmpty { members.append(.init("tables", tables.map(\.json))) }
        if !plan.notes.isEmpty { members.append(.init("notes", plan.notes.map(\.description))) }
        return members
    }
}

extension Finding: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("severity", severity.rawValue)
            if let entity { writer.member("entity", entity) }
            if !rows.isEmpty { writer.member("rows", rows) }
            if let mac { writer.member("mac", mac) }
            if let showsEverything { writer.member("levelled", showsEverything) }
            writer.member("message", message.description)
            writer.member("cure", cure.description)
            if let firstAid { writer.member("firstAid", firstAid.description) }
        }
    }
}

extension Step {
    package var json: JSONValue {
        [
            "kind": kind.rawValue, "devices": devices, "command": command?.description, "text": text.description,
        ]
    }
}

extension TableContents {
    fileprivate var json: JSONValue {
        [
            "table": name, "rows": rows, "digestBefore": Hexadecimal.text(of: before),
            "digestAfter": Hexadecimal.text(of: after),
        ]
    }
}

extension ComparedModel {
    fileprivate var json: JSONValue {
        ["path": path, "version": version, "matches": matches]
    }
}

extension ComparedPreferences {
    fileprivate var json: JSONValue {
        ["path": path, "cloudStoreRebuildVersion": marker, "storeMarker": storeMarker, "agrees": agrees]
    }
}

extension Summary {
    fileprivate var json: JSONValue {
        [
            "records": records, "groups": groups, "updated": updated, "deleted": deleted, "inserted": inserted,
            "unchanged": unchanged, "conflicts": conflicts, "rejects": rejects,
        ]
    }
}

extension CloudCost {
    package var json: JSONValue {
        [
            "updates": updates, "deletes": deletes, "batches": batches,
            "deleteAndRecreate": ["deletes": recreateDeletes, "inserts": recreateInserts] as JSONValue,
        ]
    }
}

extension RevivedMeter {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": address.text(in: letterCase),
            "deleted": ["transaction": transaction, "at": time, "author": author] as JSONValue,
        ]
    }
}

extension DoubtfulMeter {
    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        ["mac": address.text(in: letterCase), "looksLike": other.text(in: letterCase), "why": reason.words]
    }
}
