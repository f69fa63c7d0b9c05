internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Addresses of the dump that look like a mistyped address of the store.
extension ImportPlanner {
    /// A meter of the dump that gets a new record, and the meters of the store without a name that its address may
    /// mean.
    struct Slip {
        let meter: LegacyMeter
        let meant: [AddressIndex.Meter]
    }

    /// How many new records are looked at: nobody types more addresses by hand, and each has nearly 200 neighbours.
    private static let most = 1_000

    /// - Parameter rowCounts: how many rows the store has of each meter of the dump.
    /// - Throws: SQLite's errors.
    func slips(
        in store: InspectedStore, _ settings: SettingsTable, rowCounts: [Int], _ database: Database
    ) throws -> [Slip] {
        guard (1...Self.most).contains(rowCounts.count { $0 == 0 }) else { return [] }
        let new = zip(values.meters, rowCounts).filter { $0.1 == 0 }.map(\.0)
        // A meter that the dump has too gets its own name.
        let known = Set(values.meters.map(\.address))
        var slips: [Slip] = []
        for meter in new {
            let meant = meter.address.slips.filter { !known.contains($0) }.sorted()
                .map { AddressIndex.Meter(address: $0, rows: store.addresses.rows(of: $0)) }
                .filter { !$0.rows.isEmpty }
            if !meant.isEmpty { slips.append(Slip(meter: meter, meant: meant)) }
        }
        var named: Set<Int64> = []
        let candidates = Set(slips.flatMap { $0.meant.flatMap(\.rows) })
        try settings.forEachRow(of: candidates.sorted(), database) { row in
            if !row.isEmpty(.meterName) { named.insert(row.row) }
        }
        return slips.compactMap { slip in
            let nameless = slip.meant.filter { named.isDisjoint(with: $0.rows) }
            return nameless.isEmpty ? nil : Slip(meter: slip.meter, meant: nameless)
        }
    }
}

extension ImportPlanner.Slip {
    /// For a person, who alone can tell.
    func sentence(in letterCase: LetterCase) -> String {
        let value = meter.name.map { " (\"\($0.value)\")" } ?? ""
        let meters = meant.map { meter in
            let rows = meter.rows.count == 1 ? "row" : "rows"
            return "\(meter.address.text(in: letterCase)) "
                + "(\(rows) \(Phrase.list(meter.rows.map(String.init))))"
        }
        let others =
            meters.count == 1
            ? "\(meters[0]), which has no name, differs"
            : "\(Phrase.start(of: meters, limit: 3)), which have no name, differ"
        return
            "the dump's \(meter.address.text(in: letterCase))\(value) gets a new record; \(others) from it only by a "
            + "digit or by two that changed places: if the dump is mistyped, correct the address there first"
    }
}
