internal import Answer
internal import MeterModel
internal import MeterRepair

/// An account of a store in sentences.
struct LetterWords {
    let account: CustomerSummary
    /// The most urgent first.
    let concerns: [OwnerIssue]
    let letterCase: LetterCase
    let showsAll: Bool

    /// Names in a sentence, and notes, without `--verbose`.
    private static let mostNames = 12

    init(_ account: CustomerSummary, in letterCase: LetterCase, showsAll: Bool) {
        self.account = account
        self.letterCase = letterCase
        self.showsAll = showsAll
        concerns = OwnerIssue.all(of: account)
    }

    /// How many of a list are shown.
    func most(_ number: Int = Self.mostNames) -> Int { showsAll ? .max : number }

    /// `on 22 November`, or `at an unknown time`.
    func day(_ time: Timestamp?) -> Inline { time.flatMap(date).map { "on \($0)" } ?? "at an unknown time" }

    func date(_ time: Timestamp) -> String? { LetterStyle.date(time, now: account.now) }

    /// In quotes; nil for none.
    func name(_ name: String?) -> Inline? {
        guard let name, !FieldValue.text(name).isEmpty else { return nil }
        return LetterStyle.quoted(name)
    }

    /// Its name, or else its address.
    func meter(_ address: MACAddress?, _ name: String?) -> Inline {
        if let name = self.name(name) { return name }
        return address.map { "the meter \($0.text(in: letterCase))" } ?? "a meter without a name"
    }

    /// The beginning of a list of names, and how many meters have none; nil where all have none.
    func names(_ names: [String?]) -> Inline? {
        let known = names.compactMap(name)
        guard !known.isEmpty else { return nil }
        var parts = Array(known.prefix(most()))
        if known.count > parts.count { parts.append("\(known.count - parts.count) more") }
        if known.count < names.count {
            parts.append("\(LetterStyle.number(names.count - known.count)) without a name")
        }
        return LetterStyle.list(parts)
    }

    /// The end of a sentence about meters: their names, or that they have none.
    func named(_ meters: [RepairSummary.Meter]) -> Inline {
        if let names = names(meters.map(\.name)) { return ": \(names)." }
        return meters.count == 1 ? ". It has no name." : ". None of them has a name."
    }

    /// `twice`, `3 times`, or `twice or more`.
    func often(_ repair: RepairSummary) -> String {
        guard let copies = repair.copies, copies.lowerBound == copies.upperBound else { return "twice or more" }
        return copies.lowerBound == 2 ? "twice" : "\(copies.lowerBound) times"
    }

    /// A value of a field, as its owner knows it.
    func value(_ value: FieldValue, of field: RecordLayout.Field) -> Inline {
        if field.known == .tc66TemperatureUnit, let unit = value.text.flatMap(TemperatureUnit.init(rawValue:)) {
            switch unit {
            case .celsius: return "Celsius"
            case .fahrenheit: return "Fahrenheit"
            }
        }
        return value.isEmpty ? "–" : LetterStyle.quoted(value.display(as: field.kind))
    }
}
