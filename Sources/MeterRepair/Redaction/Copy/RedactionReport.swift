internal import CoreDataStore
package import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// The answer of `redact`.
package struct RedactionReport: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    /// The copy's.
    package let output: String
    /// Of the copy, in bytes.
    package internal(set) var size = 0
    package internal(set) var mapFile: String?
    /// What was replaced.
    package let tally: RedactionTally
    /// Whether it is a store of meters, so that a rebuild was compared.
    package internal(set) var hasMeters = true
    /// What the store says and the copy does not, or the other way round, as fragments for a person.
    package internal(set) var differences: [String] = []
    /// What else the copy does not have, such as the rows of a search index, likewise.
    package internal(set) var leftOut: [String] = []
    /// Names and types of the schema that the copy has as they were, though somebody gave them by hand, likewise.
    package internal(set) var kept: [String] = []
    /// What the user must know besides, likewise.
    package internal(set) var warnings: [String] = []

    /// Whether the copy stands for the store in everything that was compared.
    package var isFaithful: Bool { differences.isEmpty && leftOut.isEmpty }

    /// Whether a person has nothing to look at before the copy is sent.
    package var isDone: Bool { isFaithful && kept.isEmpty }

    /// What nobody could know to be harmless, by where it is: sorted.
    package var unknown: [(place: String, values: Int)] {
        tally.unknown.sorted { $0.key < $1.key }.map { (place: $0.key, values: $0.value) }
    }
}

extension RedactionReport: JSONWritable {
    /// The document of `redact` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "redact", store: store))
            writer.members([
                .init("output", output), .init("bytes", size), .init("map", mapFile),
                .init(
                    "replaced",
                    JSONValue.object(RedactedKind.allCases.map { .init($0.rawValue, tally.counts[$0] ?? 0) })),
                .init("unknown", unknown.map { ["place": $0.place, "values": $0.values] as JSONValue }),
                .init("kept", kept), .init("leftOut", leftOut), .init("differences", differences),
            ])
        }
    }
}
