internal import MeterInspect
internal import MeterModel

/// Records without an address that have the name of a meter of the dump: the dump may say which meter they are.
extension ImportPlanner {
    /// A meter of the dump that gets a new record, and a record of no meter with its name.
    private struct Namesake {
        let meter: LegacyMeter
        let row: Int64
    }

    /// How many are told of.
    private static let mostNamesakes = 20

    /// A sentence for each, for a person, who alone can tell.
    /// - Parameter rowCounts: how many rows the store has of each meter of the dump.
    /// - Throws: SQLite's error where the records cannot be read.
    func notesOnNamesakes(in store: InspectedStore, rowCounts: [Int]) throws -> [Sentence] {
        guard store.addresses.recordsWithoutUsableAddress > 0 else { return [] }
        let strays = try store.records.filter { $0.usableAddress == nil && !$0.isEmpty(.meterName) }
        guard !strays.isEmpty else { return [] }
        let namesakes = zip(values.meters, rowCounts).lazy.filter { $0.1 == 0 }.compactMap { meter, _ -> Namesake? in
            guard let name = meter.name else { return nil }
            let row = strays.first { $0[.meterName].readsLike(.text(name.value)) }?.row
            return row.map { Namesake(meter: meter, row: $0) }
        }
        return namesakes.prefix(Self.mostNamesakes).map { sentence(about: $0, in: store) }
    }

    private func sentence(about namesake: Namesake, in store: InspectedStore) -> Sentence {
        let address = namesake.meter.address.text(in: store.letterCase)
        return
            "the dump's \(address) gets a new record, and row \(namesake.row) has its name and no address: if that is this "
            + "meter, run \(store.command("set --row \(namesake.row) --address \(address)")) first"
    }
}
