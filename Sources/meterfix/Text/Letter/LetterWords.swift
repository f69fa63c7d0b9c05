internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// An account of a store in sentences of one language.
struct LetterWords {
    let account: CustomerAccount
    let speaker: LetterSpeaker
    /// The most urgent first.
    let concerns: [LetterConcern]
    let letterCase: LetterCase
    let showsAll: Bool

    /// Names in a sentence, and notes, without `--verbose`.
    private static let mostNames = 12

    init(_ account: CustomerAccount, _ speaker: LetterSpeaker, in letterCase: LetterCase, showsAll: Bool) {
        self.account = account
        self.speaker = speaker
        self.letterCase = letterCase
        self.showsAll = showsAll
        concerns = LetterConcern.all(of: account)
    }

    /// How many of a list are shown.
    func most(_ number: Int = Self.mostNames) -> Int { showsAll ? .max : number }

    func say(
        _ sentence: LetterSentence, _ count: Int? = nil, _ values: [LetterPlaceholder: Inline] = [:]
    ) -> Inline {
        speaker.say(sentence, count, values)
    }

    /// `on 22 November`, or `at an unknown time`.
    func day(_ time: Timestamp?) -> Inline {
        guard let date = time.flatMap(date) else { return say(.onUnknownDay) }
        return say(.onDay, nil, [.date: date])
    }

    func date(_ time: Timestamp) -> Inline? { speaker.language.date(time, now: account.now).map { Inline($0) } }

    /// In quotes; nil for none.
    func name(_ name: String?) -> Inline? {
        guard let name, !FieldValue.text(name).isEmpty else { return nil }
        return speaker.quoted(name)
    }

    /// Its name, or else its address.
    func meter(_ address: MACAddress?, _ name: String?) -> Inline {
        if let name = self.name(name) { return name }
        guard let address else { return say(.unnamed, 1) }
        return say(.address, nil, [.address: Inline(address.text(in: letterCase))])
    }

    /// The beginning of a list of names, and how many meters have none; nil where all have none.
    func names(_ names: [String?], most: Int = Self.mostNames) -> Inline? {
        let known = names.compactMap(name)
        guard !known.isEmpty else { return nil }
        let shown = known.prefix(self.most(most))
        var parts = Array(shown)
        if known.count > shown.count { parts.append(say(.moreNames, known.count - shown.count)) }
        if known.count < names.count { parts.append(say(.unnamed, names.count - known.count)) }
        return speaker.language.list(parts)
    }

    /// A sentence about meters that names them, or one for where none has a name.
    func about(
        _ meters: [RepairAccount.Meter], _ named: LetterSentence, _ unnamed: LetterSentence,
        _ values: [LetterPlaceholder: Inline] = [:]
    ) -> Inline {
        guard let names = names(meters.map(\.name)) else { return say(unnamed, meters.count, values) }
        return say(named, meters.count, values.merging([.names: names]) { $1 })
    }

    /// `twice`, `3 times`, or `twice or more`.
    func often(_ repair: RepairAccount) -> Inline {
        guard let copies = repair.copies, copies.lowerBound == copies.upperBound else { return say(.twiceOrMore) }
        return copies.lowerBound == 2 ? say(.twice) : say(.times, copies.lowerBound)
    }

    /// A value of a field, as its owner knows it.
    func value(_ value: FieldValue, of field: RecordLayout.Field) -> Inline {
        if field.known == .tc66TemperatureUnit, let unit = value.text.flatMap(TemperatureUnit.init(rawValue:)) {
            switch unit {
            case .celsius: return "Celsius"
            case .fahrenheit: return "Fahrenheit"
            }
        }
        return value.isEmpty ? "–" : speaker.quoted(value.display(as: field.kind))
    }
}
