internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import Texts

/// Who changed what, transaction by transaction.
struct LogText {
    let log: ChangeLog
    let request: ChangeLog.Request
    let times: ShownTimes
    /// Minutes in which several of the transactions were saved that are shown: of these the seconds are shown too.
    let crowded: Set<String>

    /// - Parameter others: of other stores, shown among those of this log.
    init(log: ChangeLog, request: ChangeLog.Request, times: ShownTimes, beside others: [ChangeLog] = []) {
        self.log = log
        self.request = request
        self.times = times
        var (minutes, crowded): (Set<String>, Set<String>) = ([], [])
        for log in [log] + others {
            var last: ChangeLog.Transaction?
            for entry in log.entries where entry.transaction !== last {
                last = entry.transaction
                guard let minute = entry.transaction.time?.calendarText() else { continue }
                if !minutes.insert(minute).inserted { crowded.insert(minute) }
            }
        }
        self.crowded = crowded
    }

    var blocks: [Block] {
        guard log.hasHistory else {
            return [
                "\(log.store): the store keeps no history: it has no tables for it, so nothing says who changed what"
            ]
        }
        guard !log.entries.isEmpty else {
            return ["\(log.store): the history has no \(isLimited ? "such " : "")change"]
        }
        let rest = log.total - log.entries.count
        var blocks: [Block] = [.heading("\(log.store): \(headline)")] + sections
        if let problem = log.pastProblem { blocks.append(.note(.note, "no values from the -wal: \(problem)")) }
        if rest > 0 { blocks.append("… and \(rest) more; --limit N shows more of them, --json all") }
        return blocks
    }

    /// How many changes there are, and how many are shown.
    var headline: String {
        let count = Phrase.count(log.total, "change") + subject
        let shown = log.entries.count
        let heading = log.total > shown ? "the last \(shown == 1 ? "" : "\(shown) ")of \(count)" : count
        return "\(heading), newest first"
    }

    /// One for each transaction.
    var sections: [Block] {
        log.entries.runs { $0.transaction === $1.transaction }.map { entries in
            .section(headline(entries[entries.startIndex].transaction), [.list(entries.map(line))])
        }
    }

    private var isLimited: Bool {
        request.address != nil || request.since != nil || request.until != nil || request.author != nil
            || request.entity != nil
    }

    private var subject: String {
        request.address.map { " of \($0.text(in: log.letterCase))" } ?? request.entity.map { " of \($0)" } ?? ""
    }

    /// A change, in one line.
    func line(_ entry: ChangeLog.Entry) -> Inline {
        guard let entity = entry.entity else {
            return "the store was migrated to another version of the app's model; values may differ from here on"
        }
        let subject =
            entry.address.map { Inline.meter($0.text(in: log.letterCase), entry.name) }
            ?? "\([entity, FieldText.name(entry.name)].compactMap(\.self).joined(separator: " "))"
        let words = [entry.row.map { "row \($0)" } ?? "no row", entry.change, entry.fieldList]
        let line: Inline = "\(subject)  \(words.filter { !$0.isEmpty }.joined(separator: "  "))"
        return entry.waits ?? false ? "\(line)  \(.tone(.note, "pending for CloudKit"))" : line
    }

    /// Who made a transaction, and when.
    func headline(_ transaction: ChangeLog.Transaction) -> Inline {
        let time = transaction.time.map { times.short($0, isCrowded: crowded.contains($0.calendarText())) }
        guard transaction.save.isThere else {
            let number = transaction.save.transaction.map { "of transaction \($0), which" } ?? "whose transaction"
            return .tone(.warning, "changes \(number) is missing in the history")
        }
        return
            "\(transaction.save.transaction.map { "\($0)" } ?? "no number")  \(time ?? "at an unknown time")  \(transaction.who)"
    }
}

/// Columns of a name that is not the user's.
private let widest = 60

private func cut(_ name: String) -> String { Escaped.start(of: name, columns: widest) }

extension ChangeLog.Transaction {
    /// Who made it.
    var who: String {
        switch author {
        case .meterfix:
            guard let journal else { return "meterfix, its backup is not here" }
            return "meterfix \(journal.version) (\(journal.command))" + (journal.person.map { ", by \($0)" } ?? "")
        case .otherDevice: return CloudKitMirror.Work.import.who
        case .mirror(let work): return work.who
        case .program where save.isMigration: return "Core Data: a migration of the schema"
        case .program:
            let (process, bundle) = (save.process.map(cut), save.bundle.map(cut))
            let program = process.map { name in name + (bundle.map { " (\($0))" } ?? "") } ?? bundle
            let words = [program ?? "an unnamed process", save.author.map { "author \(cut($0))" }]
            return words.compactMap(\.self).joined(separator: ", ")
        }
    }
}

extension CloudKitMirror.Work {
    fileprivate var who: String {
        switch self {
        case .import: "from CloudKit"
        case .export: "CloudKit's mirror: notes about an upload"
        case .reset: "CloudKit's mirror: it started over"
        case .migration: "CloudKit's mirror: it migrated its own tables"
        case .setup: "CloudKit's mirror: it was set up"
        case .event: "CloudKit's mirror: its log of events"
        }
    }
}

extension ChangeLog.Entry {
    var change: String {
        if let kind { return "\(kind)" }
        return type.map { "change of unknown type \($0)" } ?? "change of no type"
    }

    /// The attributes that were changed, with their values where these are known and can be read.
    var fieldList: String {
        switch kind {
        case .update: fields?.updatePhrase ?? "attributes unknown"
        case .insert, .delete, nil: fields?.contentsPhrase ?? ""
        }
    }
}
