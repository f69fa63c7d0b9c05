internal import CoreDataStore
package import JSON
internal import MeterJournal
internal import MeterModel

extension FormerValues: JSONWritable {
    /// The document of `lost` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "lost", store: store))
            writer.member("values", each: values, write)
            writer.member("past", reach.json)
            writer.member("warnings", warnings)
        }
    }

    private func write(_ lost: FormerValue, to writer: inout JSONWriter) {
        let past = lost.past
        writer.object { writer in
            writer.member("mac", lost.address.text(in: letterCase))
            writer.member("field", lost.field.name)
            writer.member("value", lost.value, as: lost.field.kind)
            writer.member("source", past.source.rawValue)
            writer.member("certainty", past.certainty.rawValue)
            writer.member(
                "seen",
                past.lastKnown.map { _ -> JSONValue in
                    ["from": past.from, "to": past.to, "transaction": past.transaction]
                })
            writer.member("row", past.record.row == 0 ? nil : past.record.row)
            writer.member("command", command(for: lost)?.description)
        }
    }
}

extension PastRecords.Reach {
    fileprivate var json: JSONValue {
        [
            "commits": commits,
            "transactions": transactions.map { ["first": $0.lowerBound, "last": $0.upperBound] as JSONValue },
            "usable": problem == nil, "why": problem,
        ]
    }
}
