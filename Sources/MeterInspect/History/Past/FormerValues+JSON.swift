internal import CoreDataStore
package import JSON
internal import MeterJournal
internal import MeterModel

extension FormerValues: JSONWritable {
    /// The document of `lost` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "lost", store: store))
            writer.key("values")
            writer.array { writer in
                for value in values { write(value, to: &writer) }
            }
            writer.member("past", reach.json)
            writer.member("warnings", JSONValue.array(warnings.map(JSONValue.string)))
        }
    }

    private func write(_ lost: FormerValue, to writer: inout JSONWriter) {
        let past = lost.past
        writer.object { writer in
            writer.member("mac", lost.address.text(in: letterCase))
            writer.member("field", lost.field.name)
            writer.key("value")
            lost.value.write(as: lost.field.kind, in: .report, to: &writer)
            writer.member("source", past.source.rawValue)
            writer.member("certainty", past.certainty.rawValue)
            writer.member(
                "seen",
                past.lastKnown == nil
                    ? .null
                    : [
                        "from": JSONValue(past.from?.description), "to": JSONValue(past.to?.description),
                        "transaction": past.transaction.map { JSONValue($0) } ?? .null,
                    ] as JSONValue)
            writer.member("row", past.record.row == 0 ? .null : JSONValue(past.record.row))
            writer.member("command", command(for: lost)?.description)
        }
    }
}

extension PastRecords.Reach {
    fileprivate var json: JSONValue {
        [
            "commits": JSONValue(commits),
            "transactions": transactions.map {
                ["first": JSONValue($0.lowerBound), "last": JSONValue($0.upperBound)]
            } ?? .null,
            "usable": .bool(problem == nil), "why": JSONValue(problem),
        ]
    }
}
