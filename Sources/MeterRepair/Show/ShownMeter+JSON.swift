internal import CoreDataStore
package import JSON
internal import MeterInspect
internal import MeterModel

extension ShownMeter: JSONWritable {
    /// The document of `show` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "show", store: store))
            writer.member("mac", details.address?.text(in: details.letterCase))
            writer.member("name", details.name)
            writer.key("records")
            writer.array { writer in
                for (index, record) in details.records.enumerated() {
                    record.write(isKept: index == 0, details.merge, to: &writer)
                }
            }
            writer.key("afterRebuild")
            details.valuesAfterRebuild.write(in: .report, to: &writer)
            writer.key("conflicts")
            writer.array { writer in
                for conflict in details.merge?.conflicts ?? [] {
                    conflict.write(in: .report, details.letterCase, to: &writer)
                }
            }
            writer.member("levelled", details.level.map { JSONValue.bool($0.isLevelled) } ?? .null)
            writer.member("firstAid", details.firstAid)
            writer.key("changes")
            writer.array { writer in
                for entry in log.entries { entry.write(in: details.letterCase, to: &writer) }
            }
            writer.key("backups")
            writer.array { writer in
                for backup in backups { backup.write(to: &writer) }
            }
            writer.member("next", details.next)
        }
    }
}

extension MeterDetails.Record {
    fileprivate func write(isKept: Bool, _ merge: Merge?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("row", row)
            writer.member("kept", JSONValue.bool(isKept))
            writer.member(
                "because", merge?.deletions.first { $0.record.row == row }.flatMap { $0.merger?.advantage.rawValue })
            writer.key("fields")
            record.write(in: .report, to: &writer)
            writer.member("cloudRecord", record.cloudRecord?.name)
            writer.member("cloudZone", known.first?.zone)
            writer.member("exportedTransaction", known.first?.exportedTransaction)
            writer.member("waiting", waitingFields.map { JSONValue.array($0.map(JSONValue.string)) } ?? .null)
            writer.member("waitingKind", waiting.map { "\($0.waiting.kind)" })
            writer.key("locks")
            writer.array { writer in
                for lock in locks { lock.json.write(to: &writer) }
            }
        }
    }

    /// The attributes that wait: of a new record those with a value. Nil where nothing waits.
    private var waitingFields: [String]? {
        guard let waiting else { return nil }
        switch waiting.waiting.kind {
        case .update: return waiting.fields ?? []
        case .delete: return []
        case .insert:
            return record.layout.fields.indices.filter { !record.values[$0].isNull }.map {
                record.layout.fields[$0].name
            }
        }
    }
}

extension RecordedLock {
    fileprivate var json: JSONValue {
        switch content {
        case .lock(let lock):
            [
                "by": JSONValue(lock.holder), "since": JSONValue(lock.connectedAt?.description),
                "until": JSONValue(lock.expiresAt?.description), "state": .string(state.rawValue),
            ]
        case .malformed:
            ["by": .null, "since": .null, "until": .null, "state": .string(state.rawValue)]
        }
    }
}

extension MeterBackup {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("entry", entry)
            writer.member("madeAt", madeAt.description)
            writer.member("command", command)
            writer.member("inStore", JSONValue.bool(isInStore))
            writer.member("path", path)
            writer.key("rows")
            JSONValue.array(effects.map { JSONValue($0.row) }).write(to: &writer)
        }
    }
}
