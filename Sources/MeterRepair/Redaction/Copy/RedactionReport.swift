internal import CoreDataStore
package import JSON
internal import MeterInspect
package import MeterModel

/// The answer of `redact`.
package struct RedactionReport: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    /// The copy's.
    package let output: String
    /// Of the copy, in bytes.
    package internal(set) var size = 0
    package let keyFile: String?
    package let mapFile: String?
    package let keepsDates: Bool
    /// What was replaced.
    package let tally: RedactionTally
    /// Whether it is a store of meters, so that a rebuild was compared.
    package internal(set) var hasMeters = true
    /// What the store says and the copy does not, or the other way round, as fragments for a person.
    package internal(set) var differences: [String] = []
    /// What else the copy does not have, such as the rows of a search index, likewise.
    package internal(set) var leftOut: [String] = []
    /// What the user must know besides, likewise.
    package internal(set) var warnings: [String] = []
    /// How the dates were moved: for the map, and not for the answer, which may go on with the copy.
    var dates = DateShift.none

    init(path: String, output: String, _ options: RedactionOptions, _ tally: RedactionTally) {
        store = path
        self.output = output
        keyFile = options.keyFile
        mapFile = options.mapFile
        keepsDates = options.keepsDates
        self.tally = tally
    }

    /// Whether the copy stands for the store in everything that was compared.
    package var isFaithful: Bool { differences.isEmpty && leftOut.isEmpty }

    /// What nobody could know to be harmless, by where it is: sorted.
    package var unknown: [(place: String, values: Int)] {
        tally.unknown.sorted { $0.key < $1.key }.map { (place: $0.key, values: $0.value) }
    }
}

/// How to redact a store.
package struct RedactionOptions: Sendable {
    package var now: Timestamp
    /// The key: made if there is no such file; nil for one that nobody keeps.
    package var keyFile: String?
    /// Where to write who is who; nil for nowhere.
    package var mapFile: String?
    package var keepsDates = false

    package init(now: Timestamp) { self.now = now }
}

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
