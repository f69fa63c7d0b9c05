package import MeterModel
internal import MeterStore

extension Session {
    /// What the app shows of each of some meters, one for each of `meters`.
    /// - Parameter withVersions: whether the names and units are kept, too, and not only whether there are some.
    package func levels(of meters: [AddressIndex.Meter], withVersions: Bool = false) throws -> [DisplayStatus] {
        var levels = [DisplayStatus](repeating: DisplayStatus(), count: meters.count)
        guard let settings, !meters.isEmpty else { return levels }
        let letterCase = store.letterCase
        try settings.forEachRow(ofGroups: meters.map(\.rows), database) { meter, row in
            // The canonical text is exactly what the app looks for.
            levels[meter].add(row: row.row, isSought: row.address.isCanonical(in: letterCase), isEmpty: row.isEmpty)
            guard withVersions else { return }
            levels[meter].add(
                row: row.row, name: row[.meterName], unit: row[.tc66TemperatureUnit],
                updatedAt: row.timestamp(.updatedAt))
        }
        return levels
    }

    /// The record of each of these meters that the app shows: of several the one that it finds first. One that is not
    /// written as the app looks for it counts where there is no other.
    package func shownRecords(of meters: Set<MACAddress>) throws -> [MACAddress: DeviceSettings] {
        guard let settings else { return [:] }
        var shown: [MACAddress: (isSought: Bool, record: DeviceSettings)] = [:]
        try settings.forEachRow(of: meters.flatMap(store.addresses.rows).sorted(), database) { row in
            guard case .usable(let address, _) = row.address else { return }
            let isSought = row.address.isCanonical(in: store.letterCase)
            if let known = shown[address], known.isSought || !isSought { return }
            shown[address] = (isSought, row.record)
        }
        return shown.mapValues(\.record)
    }

    /// Whether the app shows what there is of every meter that has several records.
    package func isLevelled() throws -> Bool {
        try levels(of: Array(store.addresses.metersWithSeveralRecords)).allSatisfy(\.isLevelled)
    }
}

extension DisplayStatus {
    /// What the app shows, and in which names and units the records differ, in a part of a sentence: `the app finds row 7,
    /// which lacks the name; row 3 has "Lab" and no unit, last changed …; row 7 has …`.
    package var phrase: Sentence {
        let start: Sentence
        if let foundRow {
            let words = lacking.map(Self.word)
            start = "the app finds row \(foundRow)" + (words.isEmpty ? "" : ", which lacks \(Phrase.list(words))")
        } else {
            start = "the app finds none of them, because no record has exactly this address"
        }
        guard versions.count > 1 else {
            guard let version = versions.first else { return start }
            let hasNothing = version.name.isNull && version.unit.isNull
            return "\(start); \(hasNothing ? "none has a name or a unit" : "all have the same name and unit")"
        }
        let rest = otherRecords > 0 ? [Sentence("\(Phrase.count(otherRecords, "record")) with other values")] : []
        return "\(start); \((versions.map(Self.words) + rest).joined(separator: "; "))"
    }

    private static func words(_ version: Version) -> Sentence {
        let (name, unit) = (version.name, version.unit)
        let isKnown = unit.text.flatMap(TemperatureUnit.init(rawValue:)) != nil
        let shownUnit = unit.isNull ? "no unit" : isKnown ? unit.text ?? "" : "the unit \(unit.shown)"
        let date: Sentence = version.updatedAt.map { "last changed \($0)" } ?? "without a date"
        return
            "\(version.rows.count == 1 ? "row" : "rows") \(Phrase.start(of: version.rows.map(String.init), limit: 3)) "
            + "\(version.rows.count == 1 ? "has" : "have") \(name.isNull ? "no name" : "\(value: name.shown)") and \(shownUnit), \(date)"
    }

    private static func word(_ field: SettingsField) -> String {
        switch field.settable {
        case .name: "the name"
        case .unit: "the unit"
        case nil: field.rawValue
        }
    }
}
