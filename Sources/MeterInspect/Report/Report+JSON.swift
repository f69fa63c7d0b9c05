package import JSON
internal import LegacyKeyValue
package import MeterModel

/// The document described in Documentation/json.md, keys in their fixed order; what does not apply is left out.
extension Report: JSONWritable {
    package func write(to writer: inout JSONWriter) { write(isInJournal: false, to: &writer) }

    /// The report without what is already in the plan, for a journal, which has both.
    package var besidePlan: some JSONWritable { ReportBesidePlan(report: self) }

    fileprivate func write(isInJournal: Bool, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: command, store: store))
            if let outcome { writer.member("outcome", outcome.rawValue) }
            writer.member("schemaVersion", schemaVersion)
            if let drift {
                writer.member("moved", drift)
            } else if let plan {
                write(plan, isInJournal: isInJournal, to: &writer)
            } else {
                writer.member(
                    "summary",
                    ["records": JSONValue(summary.records), "groups": JSONValue(summary.groups)] as JSONValue)
                writeFindings(to: &writer)
                if let comparedModel { writer.member("model", comparedModel.json) }
            }
        }
    }

    private func write(_ plan: Plan, isInJournal: Bool, to writer: inout JSONWriter) {
        writer.member("summary", summary.json)
        writer.member("cloud", plan.cloud.json)
        if !isInJournal {
            writer.key("changes")
            writer.array { writer in
                for change in plan.changes { change.write(in: .report, letterCase, to: &writer) }
            }
            writer.key("conflicts")
            writer.array { writer in
                for conflict in plan.conflicts { conflict.write(in: .report, letterCase, to: &writer) }
            }
            writer.key("rejects")
            writer.array { writer in
                for reject in plan.rejects { reject.json.write(to: &writer) }
            }
        }
        writeFindings(to: &writer)
        writer.member("backup", backup)
        if !tables.isEmpty { writer.member("tables", JSONValue.array(tables.map(\.json))) }
        if !isInJournal, !plan.notes.isEmpty {
            writer.member("notes", JSONValue.array(plan.notes.map { .string($0) }))
        }
    }

    private func writeFindings(to writer: inout JSONWriter) {
        writer.key("findings")
        writer.array { writer in
            for finding in findings { finding.write(to: &writer) }
        }
    }
}

private struct ReportBesidePlan: JSONWritable {
    let report: Report

    func write(to writer: inout JSONWriter) { report.write(isInJournal: true, to: &writer) }
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
            writer.member("message", message)
            writer.member("cure", cure)
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

extension Summary {
    package var json: JSONValue {
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
