internal import CoreDataStore
internal import MeterModel

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
