internal import Answer
internal import MeterInspect
internal import MeterModel

/// What a merge discards, value by value, each with the command that keeps or restores it.
struct DiscardedText {
    private let store: StoreSummary
    /// Of the change that discards them; nil where it was made once.
    private let change: ChangeReport?
    private let times: ShownTimes
    /// The options of the backup, as a user types them; nil where there is none.
    private let backupWords: [String]?
    /// Those that are shown, and how many are not.
    private var values: [DiscardedValue] = []
    private var rest = 0
    /// How many names and units are discarded.
    private var typed = 0

    init(_ report: ChangeReport, _ times: ShownTimes, backupWords: [String]?) {
        self.init([], in: report.storeSummary, report, times, backupWords: backupWords)
        // A store may have a million of them.
        report.plan.forEachDiscarded { add($0, most: times.showsAll ? .max : 20) }
    }

    /// Some of what a report is about, all of them.
    init(
        _ values: [DiscardedValue], in store: StoreSummary, _ change: ChangeReport?, _ times: ShownTimes,
        backupWords: [String]?
    ) {
        (self.store, self.change) = (store, change)
        self.times = times
        self.backupWords = backupWords
        for value in values { add(value, most: .max) }
    }

    private mutating func add(_ value: DiscardedValue, most: Int) {
        if value.field.known?.settable != nil { typed += 1 }
        if values.count < most { values.append(value) } else { rest += 1 }
    }

    /// Nothing where nothing is discarded.
    var blocks: [Block] {
        guard !values.isEmpty else { return [] }
        return [.list(values.map(line))] + Block.remark(onRest: rest)
    }

    /// What was proven, in one sentence; nothing where no record changed.
    var proof: [Block] {
        guard let untouched = change?.untouched else { return [] }
        var parts: [String] = []
        if untouched.meters > 0 { parts.append(Phrase.count(untouched.meters, "other meter")) }
        if untouched.withoutAddress > 0 {
            parts.append("\(Phrase.count(untouched.withoutAddress, "record")) without a usable address")
        }
        parts += untouched.others.filter { $0.rows > 0 }.map { "\(Phrase.count($0.rows, "row")) of \($0.name)" }
        let unchanged = parts.isEmpty ? "" : "\(Phrase.list(parts)) unchanged, byte for byte; "
        let exception = typed == 0 ? "" : ", but for the \(typed == 1 ? "one" : "\(typed)") above"
        let place = change?.outcome == .planned ? "checked on a copy" : "checked"
        return ["\(place): \(unchanged)every typed name and unit is there\(exception)"]
    }

    private func line(_ given: DiscardedValue) -> Inline {
        let values = FieldText.quoted([given.value, given.kept], given.field.kind, times)
        let mac = given.address.text(in: store.letterCase)
        let (verb, kept) = change?.outcome == .planned ? ("would be discarded", "is kept") : ("discarded", "kept")
        return
            "\(.code(mac)), \(given.field.name): \(values[1]) \(kept), \(values[0]) \(verb); \(wayBack(given, mac, values[0]))"
    }

    private func wayBack(_ given: DiscardedValue, _ mac: String, _ value: String) -> Inline {
        if let known = given.field.known, !given.value.isUsable(as: known) { return "the app cannot use \(value)" }
        if let command = change?.keeping(given.value, as: given.field, of: given.address) {
            return "to keep \(value) instead: \(.code(command.asDryRun.description))"
        }
        let start = change?.outcome == .planned ? "to restore it afterwards" : "to restore it"
        if let option = Self.option(given) { return "\(start): \(command(["set", mac, option]))" }
        guard let backupWords else { return "no command restores it" }
        guard given.isDeleted else { return "only the backup has it, in row \(given.row)" }
        return
            "row \(given.row) had it; \(start): \(command(["restore-record", "--row \(given.row)", mac] + backupWords))"
    }

    private func command(_ words: [String]) -> Inline {
        .command(words.joined(separator: " "), on: store.store)
    }

    /// Of `set`, which makes this the meter's value; nil where it cannot.
    private static func option(_ given: DiscardedValue) -> String? {
        // It takes white space around a name off.
        if given.field.known == .meterName,
            given.kept.text.map(WhiteSpace.trimmed) == given.value.text.map(WhiteSpace.trimmed)
        {
            return nil
        }
        return given.field.setOption(given.value)
    }
}
