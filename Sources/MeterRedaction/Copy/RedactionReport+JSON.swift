internal import CoreDataStore
package import JSON
internal import MeterInspect
internal import MeterModel

extension RedactionReport: JSONWritable {
    /// The document of `redact` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "redact", store: store))
            writer.members([
                .init("output", .string(output)), .init("bytes", JSONValue(size)), .init("key", JSONValue(keyFile)),
                .init("map", JSONValue(mapFile)), .init("keepsDates", .bool(keepsDates)),
                .init(
                    "replaced",
                    .object(
                        RedactionTally.Kind.allCases.map { .init($0.rawValue, JSONValue(tally.counts[$0] ?? 0)) })),
                .init(
                    "unknown",
                    .array(unknown.map { ["place": .string($0.place), "values": JSONValue($0.values)] })),
                .init("leftOut", .array(leftOut.map(JSONValue.string))),
                .init("differences", .array(differences.map(JSONValue.string))),
            ])
        }
    }

    /// Writes who is who to a new file (mode 0600).
    /// - Throws: `StoreError`.
    func write(_ map: RedactionMap, to path: String) throws(StoreError) {
        try FileOutput.create(path) { output throws(StoreError) in
            try MapDocument(report: self, map: map).writeLine(pretty: true) { bytes throws(StoreError) in
                try output.write(bytes)
            }
        }
    }
}

/// The document of `--map` in Documentation/json.md.
private struct MapDocument: JSONWritable {
    let report: RedactionReport
    let map: RedactionMap

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "redact", store: report.store))
            writer.members([.init("output", .string(report.output)), .init("dates", dates)])
            writer.key("values")
            writer.array { writer in
                for entry in map.sorted {
                    let value: JSONValue = [
                        "kind": .string(entry.kind.rawValue), "original": .string(entry.original),
                        "replacement": .string(entry.replacement), "place": .string(entry.place),
                    ]
                    value.write(to: &writer)
                }
            }
        }
    }

    /// By how much dates are earlier in the copy, and up to which moment; null if they are not.
    private var dates: JSONValue {
        guard report.dates.amount != 0 else { return .null }
        let start = Timestamp(secondsSince2001: report.dates.start)
        return ["secondsEarlier": .integer(Int64(report.dates.amount)), "before": .string(start.description)]
    }
}
