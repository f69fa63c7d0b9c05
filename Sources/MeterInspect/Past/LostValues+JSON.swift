package import JSON
package import MeterModel

extension LostValues: JSONWritable {
    /// The document of `lost` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "lost", store: store))
            writer.key("values")
            writer.array { writer in
                for value in values {
                    value.write(in: letterCase, command: command(for: value), to: &writer)
                }
            }
            writer.member("past", reach.json)
            writer.member("warnings", JSONValue.array(warnings.map(JSONValue.string)))
        }
    }

}

extension LostValue {
    /// As `lost` and `show` have it.
    package func write(in letterCase: LetterCase, command: StoreCommand? = nil, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mac", address?.text(in: letterCase))
            writer.member("field", field.name)
            writer.key("value")
            value.write(as: field.kind, in: .report, to: &writer)
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
            writer.member("command", command?.description)
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
