internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The beginning of a report, for the owner of the meters: what was wrong and what was or will be done, in words that
/// need no explanation, and what only they can check.
struct CustomerText {
    /// Sentences, up to and without what is to be checked.
    let paragraph: String
    /// What to check, a sentence each, without a full stop.
    let checks: [String]
    private let showsAll: Bool

    /// Names in a sentence, and points to check, that are shown without `--verbose`.
    private static let most = 12

    init(_ account: CustomerAccount, in letterCase: LetterCase, showsAll: Bool) {
        self.showsAll = showsAll
        let most = showsAll ? Int.max : Self.most
        paragraph = Sentences(account, most: most).text
        checks = CheckSentences(account, in: letterCase, most: most).all
    }

    var blocks: [Block] {
        guard !checks.isEmpty else { return [.prose("\(paragraph)")] }
        let shown = ShownPart(of: checks, most: Self.most, showsAll: showsAll)
        let rest: [Inline] = shown.rest > 0 ? ["and \(shown.rest) more, which are listed further below"] : []
        return [
            .prose("\(paragraph) Please check:"), .list(shown.elements.map { "\($0)" } + rest, marker: .dash),
        ]
    }
}

/// What was wrong, and what is done.
private struct Sentences {
    private let account: CustomerAccount
    private let most: Int

    init(_ account: CustomerAccount, most: Int) {
        self.account = account
        self.most = most
    }

    var text: String {
        let vanished = account.open.contains { $0.check == "mass-delete" }
        // Whatever follows is true of these files only.
        let isWhole = !account.open.contains { $0.check == "wal-missing" }
        let start = (vanished ? Self.vanished : "") + (isWhole ? "" : Self.incomplete)
        return start + found
    }

    private static let incomplete =
        "These files are not complete: the newest changes are missing, or probably are. Please close the app and send all "
        + "three files again: the main file, and those beside it whose names end in -wal and -shm. In what has come so "
        + "far: "

    /// What must not be done comes before everything else.
    private static let vanished =
        "Many of your meters were deleted at once. Please do NOT open the app on another device that may still have them: "
        + "it would delete them there, too. Take that device offline, and send us a copy of its files first. "

    private var found: String {
        // Whatever was done before: the question is where the meters are.
        if let former = account.former { return empty(former) }
        return switch account.repair {
        case .none: whole
        case .ahead(let repair): ahead(repair).joined(separator: " ")
        case .impossible(let meters):
            "You have \(Phrase.count(meters, "meter")) that \(meters == 1 ? "is" : "are") stored twice or more. This copy "
                + "cannot be repaired as it is; what is in the way is written further below."
        case .done(let repair, let time): (done(repair) + [made(at: time)]).joined(separator: " ")
        case .forgotten(let time):
            "\(whole) Your meters were repaired before\(Self.date(time)); what was changed is no longer known."
        }
    }

    /// Of a store that nothing is repaired in.
    private var whole: String {
        guard let meters = account.meters else {
            return "This file has no meters in it: it belongs to another app, or to another part of this one."
        }
        let start = account.open.isEmpty ? "Nothing is wrong. " : ""
        switch meters {
        case 0:
            return account.otherRecords == 1
                ? "This file has one entry, and it does not say which meter it is about."
                : "This file has \(account.otherRecords) entries, and none says which meter it is about."
        case 1: return start + "Your meter is stored once."
        default: return start + "Each of your \(meters) meters is stored once."
        }
    }

    /// Of a store without a record. Nobody sends one because all is well.
    private func empty(_ former: CustomerAccount.FormerRecords) -> String {
        let past =
            switch (former.deleted, former.last) {
            case (nil, _): "It has no history that could say whether there ever was one."
            case (0?, _): "Its history mentions none either."
            case (1?, let last): "Its history says that 1 record was deleted\(last.map(Self.date) ?? "")."
            case (let count?, let last):
                "Its history says that \(count) records were deleted\(last.map { ", the last one\(Self.date($0))" } ?? "")."
            }
        return
            "There is no record of a meter in this copy. \(past) Is it the right file, from a device with your meters, "
            + "and was the file sent with it that has the same name and \"-wal\" at the end?"
    }

    private func ahead(_ repair: RepairAccount) -> [String] {
        var sentences: [String] = []
        let merged = repair.merged.count
        if merged > 0 {
            sentences.append(
                merged == 1
                    ? "You have 1 meter that is stored \(Self.often(repair)). A repair will store it once."
                    : "You have \(merged) meters that are stored \(Self.often(repair)). A repair will store each once.")
            if account.isLevelledByFirstAid {
                sentences.append("Until then, no name and no unit is missing in the app.")
            }
            sentences.append(
                names(
                    repair.merged, one: "The name that will be kept", several: "Names that will be kept", none: "It has"
                ))
        }
        if repair.others > 0 {
            let entries = Self.entries(repair.others, besides: merged > 0)
            sentences.append(
                "\(merged > 0 ? "\(entries) will be put in order." : "A repair will put \(entries) in order; no meter is lost.")"
            )
        }
        return sentences
    }

    private func done(_ repair: RepairAccount) -> [String] {
        var sentences: [String] = []
        let merged = repair.merged.count
        if merged > 0 {
            sentences.append(
                "You had \(Phrase.count(merged, "meter")) stored \(Self.often(repair)). "
                    + "\(merged == 1 ? "It" : "Each") is now stored once.")
            sentences.append(names(repair.merged, one: "Name now", several: "Names now", none: "It has"))
        }
        if !repair.named.isEmpty {
            let count = repair.named.count
            sentences.append(
                "\(Phrase.count(count, "meter")) \(count == 1 ? "has its old name" : "have their old names") back: "
                    + "\(list(repair.named.compactMap { MeterLabel.quoted($0.name) })).")
        }
        if !repair.filled.isEmpty {
            let count = repair.filled.count
            sentences.append(
                "The app shows the name and unit of \(Phrase.count(count, "meter")) again.")
            sentences.append(names(repair.filled, one: "Name now", several: "Names now", none: "It has"))
        }
        if repair.gone > 0 {
            let (verb, place) = repair.gone == 1 ? ("was", "is") : ("were", "are")
            sentences.append(
                "\(Phrase.count(repair.gone, "meter")) that \(verb) repaired \(place) no longer in this file.")
        }
        if repair.changesSchema { sentences.append("The file was brought to the newer format of the app.") }
        if repair.others > 0 {
            let verb = repair.others == 1 ? "was" : "were"
            sentences.append("\(Self.entries(repair.others, besides: !sentences.isEmpty)) \(verb) put in order.")
        }
        return sentences.isEmpty ? ["The last repair found nothing to change in your meters."] : sentences
    }

    /// `twice`, `3 times`, or `twice or more`.
    private static func often(_ repair: RepairAccount) -> String {
        guard let copies = repair.copies, copies.lowerBound == copies.upperBound else { return "twice or more" }
        return copies.lowerBound == 2 ? "twice" : "\(copies.lowerBound) times"
    }

    private static func entries(_ count: Int, besides: Bool) -> String {
        "\(count) \(besides ? "other " : "")\(count == 1 ? "entry" : "entries")"
    }

    /// - Parameter none: how the sentence on a single meter without a name begins.
    private func names(_ meters: [RepairAccount.Meter], one: String, several: String, none: String) -> String {
        let names = meters.compactMap { MeterLabel.quoted($0.name) }
        let unnamed = meters.count - names.count
        guard !names.isEmpty else { return meters.count == 1 ? "\(none) no name." : "None of them has a name." }
        let rest = unnamed == 0 ? "" : "; \(unnamed) \(unnamed == 1 ? "has" : "have") no name"
        return "\(names.count == 1 ? one : several): \(list(names))\(rest)."
    }

    private func list(_ names: [String]) -> String { Phrase.start(of: names, limit: most) }

    private func made(at time: Timestamp) -> String { "This was done\(Self.date(time))." }

    private static func date(_ time: Timestamp) -> String {
        time.dateText(to: .day).map { " on \($0)" } ?? " at an unknown time"
    }
}

/// What only the owner knows.
private struct CheckSentences {
    private(set) var all: [String] = []
    private let letterCase: LetterCase
    private let most: Int
    private let cloud: CustomerAccount.CloudProblem?

    init(_ account: CustomerAccount, in letterCase: LetterCase, most: Int) {
        self.letterCase = letterCase
        cloud = account.cloud
        self.most = most
        switch account.repair {
        case .ahead(let repair): add(repair, isAhead: true)
        case .done(let repair, _): add(repair, isAhead: false)
        case .none, .impossible, .forgotten: break
        }
        var topics: [(topic: Topic, count: Int, names: [String])] = []
        for point in account.open where !isSaid(point.check, of: account.repair) {
            let topic = Topic(check: point.check)
            if let place = topics.firstIndex(where: { $0.topic == topic }) {
                topics[place].count += point.count
                topics[place].names += point.names.filter { !topics[place].names.contains($0) }
            } else {
                topics.append((topic, point.count, point.names))
            }
        }
        // What only support understands comes last.
        for (topic, count, names) in topics.filter({ $0.topic != .other }) + topics.filter({ $0.topic == .other }) {
            all.append(sentence(topic, count, names))
        }
    }

    /// Whether the first sentence says what a check found.
    private func isSaid(_ check: String, of repair: CustomerAccount.Repair) -> Bool {
        switch repair {
        case .impossible: ["duplicate-mac", "rebuild-marker-lies", "wal-missing", "mass-delete"].contains(check)
        case .none, .ahead, .done, .forgotten: ["wal-missing", "mass-delete"].contains(check)
        }
    }

    private mutating func add(_ repair: RepairAccount, isAhead: Bool) {
        all += repair.choices.map { sentence($0, isAhead: isAhead) }
        if repair.rejects > 0 {
            all.append(
                repair.rejects == 1
                    ? "1 of the old names or units could not be used"
                    : "\(repair.rejects) of the old names or units could not be used")
        }
    }

    /// Two values of one thing: which the meter has, and which are discarded.
    private func sentence(_ choice: RepairAccount.Choice, isAhead: Bool) -> String {
        let discarded = Phrase.start(of: choice.discarded.map { value($0, of: choice) }, limit: most)
        let verb = isAhead ? "will be" : choice.discarded.count == 1 ? "was" : "were"
        let (several, now, none) = words(of: choice, has: isAhead ? "has" : "had")
        let start: String
        if choice.value.isEmpty {
            start = none
        } else if choice.isKept {
            start = "\(several): \(value(choice.value, of: choice)) \(isAhead ? "will be" : "was") kept,"
        } else {
            start = "\(now);"
        }
        return "\(start) \(discarded) \(verb) discarded"
    }

    /// How the sentence on a choice begins: where a value was kept, where it was changed since, and where there is none.
    private func words(
        of choice: RepairAccount.Choice, has: String
    ) -> (several: String, now: String, none: String) {
        let (meter, value) = (meter(choice.meter), value(choice.value, of: choice))
        switch choice.field.known?.settable {
        case .name: return ("one meter \(has) several names", "one meter is called \(value) now", "\(meter):")
        case .unit:
            return ("\(meter) \(has) several units", "\(meter) is set to \(value) now", "\(meter):")
        case nil:
            let name = Escaped.start(of: choice.field.name, columns: 40)
            return (
                "\(meter) \(has) more than one \"\(name)\"", "the \"\(name)\" of \(meter) is \(value) now",
                "\(meter), \"\(name)\":"
            )
        }
    }

    private func value(_ value: FieldValue, of choice: RepairAccount.Choice) -> String {
        if choice.field.known == .tc66TemperatureUnit,
            let unit = value.text.flatMap({ TemperatureUnit(rawValue: $0) })
        {
            switch unit {
            case .celsius: return "Celsius"
            case .fahrenheit: return "Fahrenheit"
            }
        }
        return Escaped.start(of: value.quoted(as: choice.field.kind), columns: 42)
    }

    private func meter(_ meter: RepairAccount.Meter) -> String {
        MeterLabel.quoted(meter.name) ?? "the meter \(meter.address.text(in: letterCase))"
    }

    private var cloudSentence: String {
        let since = cloud?.since?.dateText(to: .day).map { " since \($0)" } ?? ""
        let cause = cloud?.error.forTheOwner ?? "is each device signed in to iCloud, and is there room?"
        return "the exchange with iCloud has failed\(since): \(cause)"
    }

    /// What is left open, as its owner sees it.
    private enum Topic {
        case meterUnknown, nameNotTyped, nameShared, unitUnknown, dateWrong, deviceName, cloud
        case fileDamaged, tokenLost
        case other

        /// - Parameter check: an id, a word that scripts rely on.
        init(check: String) {
            self =
                switch check {
                case "mac-missing", "mac-invalid", "mac-placeholder": .meterUnknown
                case "name-machine-made": .nameNotTyped
                case "name-shared": .nameShared
                case "unit-unknown": .unitUnknown
                case "clock-in-future", "created-after-updated", "updated-behind": .dateWrong
                case "device-name-generic": .deviceName
                case "mirror-failing": .cloud
                case "not-intact": .fileDamaged
                case "mirror-token-lost": .tokenLost
                default: .other
                }
        }
    }

    private func sentence(_ topic: Topic, _ count: Int, _ names: [String]) -> String {
        let meters = Phrase.count(count, "meter")
        let quoted = names.compactMap(MeterLabel.quoted)
        let names = quoted.isEmpty ? "" : ": \(Phrase.start(of: quoted, limit: most))"
        switch topic {
        case .meterUnknown:
            return count == 1
                ? "1 entry does not say which meter it is about\(names)"
                : "\(count) entries do not say which meter they are about\(names)"
        case .nameNotTyped:
            return
                count == 1
                ? "\(meters) has a name that does not say which meter it is\(names)"
                : "\(meters) have names that do not say which meters they are\(names)"
        case .nameShared: return "more than one meter has the same name\(names)"
        case .unitUnknown: return "the temperature unit of \(meters) cannot be understood\(names)"
        case .dateWrong:
            return
                "\(meters) \(count == 1 ? "has" : "have") a date that cannot be right\(names); is the clock of each device right?"
        case .deviceName:
            return
                "a device is called only by its model, such as \"iPad\"; a name of its own would tell it from the others"
        case .cloud: return cloudSentence
        case .fileDamaged: return "the file is damaged; please send it again, with all its files"
        case .tokenLost:
            return
                "do not open the app before support has answered: what iCloud does not have yet would be lost on this device"
        case .other:
            return
                "\(all.isEmpty ? "" : "besides, ")\(Phrase.count(count, "point")) further below, which support can explain"
        }
    }
}
