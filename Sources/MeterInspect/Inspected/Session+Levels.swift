package import MeterModel
internal import MeterStore

extension Session {
    /// Whether the app shows what there is of every meter that has several records.
    package var showsEverything: Bool {
        store.addresses.metersWithSeveralRecords.allSatisfy {
            DisplayStatus(of: $0.records, in: store.letterCase).showsEverything
        }
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
