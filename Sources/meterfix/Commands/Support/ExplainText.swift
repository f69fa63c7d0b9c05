internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MirrorLogs

/// What a log says about the mirror: the cause first, then what happened, then what else there is.
struct ExplainText {
    private let explained: ExplainedLog
    private let times: ShownTimes

    init(_ explained: ExplainedLog, times: ShownTimes) {
        self.explained = explained
        self.times = times
    }

    private var log: MirrorLog { explained.log }
    private var store: StoreOfLog? { explained.store }
    private var showsAll: Bool { times.showsAll }
    /// Lines of what happened that are shown without `--verbose`.
    private static let most = 40

    var blocks: [Block] { alerts + [.heading(heading)] + details }

    /// For a page with a heading of its own.
    var body: [Block] { alerts + [.paragraph(heading)] + details }

    private var alerts: [Block] { store.map { $0.warnings.blocks(of: $0.path, times) } ?? [] }

    private var details: [Block] {
        let next = Block.list(explained.next.map { Inline(private: times.sentence($0), showsAll) }, marker: .number)
        return verdict + [.section("what to do", [next])] + story + beside + others + notes
    }

    private var heading: Inline {
        guard log.story.recognised > 0 else {
            return "\(log.name): \(Phrase.count(log.lines, "line")), and none of Core Data's CloudKit mirror"
        }
        var parts = ["\(Phrase.count(log.lines, "line")), \(log.story.recognised) about CloudKit's mirror"]
        if let first = log.story.first, let last = log.story.last { parts.append(span(first, last)) }
        if !log.story.processes.isEmpty { parts.append("of \(Phrase.list(log.story.processes))") }
        return "\(log.name): \(parts.joined(separator: ", "))"
    }

    private var verdict: [Block] {
        guard log.story.recognised + log.story.unread > 0 else { return [] }
        guard let cause = log.cause else {
            let about = about.isEmpty ? [] : [Block.pairs(about)]
            if log.events.isEmpty, !log.noise.isEmpty {
                return [.note(.good, "only messages that look like errors and are none: \(Phrase.list(log.noise))")]
            }
            guard log.hasSuccess else {
                let verdict: Inline =
                    "no error is in this log, and no request that succeeded: it does not tell whether all is well"
                return [.note(.note, verdict)] + about
            }
            let place = log.unread.mayBeLog ? "in what was read of this mail" : "in this log"
            return [.note(explained.isAmiss ? .note : .good, "nothing is wrong \(place) that was not overcome")]
                + about
        }
        let fault = cause.error.fault
        var pairs = [Block.Pair("cause", "\(.strong(fault.id)): \(fault.meaning)\(mark(fault))")]
        if let code = Self.code(cause.error) { pairs.append(.init("error", Inline(code))) }
        pairs.append(
            .init(
                "what next",
                fault.kind == .deletes ? .tone(.error, fault.whatTheMirrorDoes) : "\(fault.whatTheMirrorDoes)"))
        if let detail = log.story.details[fault.id] {
            if let message = detail.message { pairs.append(.init("server says", Inline(private: message, showsAll))) }
            if let retry = detail.retry { pairs.append(.init("retry after", "\(retry) seconds, as the server asked")) }
            if let reason = detail.reason { pairs.append(.init("reason", Inline(private: reason, showsAll))) }
            if let attribute = detail.attribute { pairs.append(.init("attribute", .code(attribute))) }
            if detail.records > 0 { pairs.append(.init("records", "\(detail.records) were refused at once")) }
        }
        return [.pairs(pairs + about)]
    }

    /// Whose log it is.
    private var about: [Block.Pair] {
        [
            ("account", log.story.accountStatus), ("container", log.story.container),
            ("store", log.story.stores.isEmpty ? nil : Phrase.list(log.story.stores)),
        ].compactMap { key, text in text.map { .init(key, Inline(private: $0, showsAll)) } }
    }

    private static func code(_ error: LoggedError) -> String? {
        guard !error.domain.isEmpty else { return nil }
        return "\(error.domain) \(error.code)\(error.fault.name.map { ", \($0)" } ?? "")"
    }

    private func mark(_ fault: MirrorFault) -> String { showsAll ? " (\(fault.mark.rawValue))" : "" }

    private var story: [Block] {
        let lines = log.timeline(with: store)
        guard !lines.isEmpty else { return [] }
        let isOfSeveral = Set(lines.compactMap(\.process)).count > 1
        let shown = ShownPart(of: lines, most: Self.most, showsAll: showsAll)
        let rows = shown.elements.map { line in
            let errors = line.errors.isEmpty ? nil : line.errors.joined(separator: ", ")
            let outcome = [line.outcome, errors].compactMap(\.self).joined(separator: ": ")
            var row: [Block.Cell] = [
                .moment(moment(line)), .text(line.kind ?? "message"),
                .remark(outcome + (line.count > 1 ? ", \(line.count) times" : "")),
                .number(line.seconds.map(Self.duration) ?? ""),
            ]
            if store != nil { row.append(.text(line.isFromStore ? "store" : "log")) }
            if isOfSeveral { row.append(.text(line.process ?? "–")) }
            return row
        }
        let table = Block.Table(
            ["when", "what", "outcome", "took"] + (store == nil ? [] : ["from"]) + (isOfSeveral ? ["process"] : []),
            widest: 60, rows: rows)
        let left =
            log.story.leftOut > 0 ? [Block.remark("and \(log.story.leftOut) more requests, which are not kept")] : []
        return [.section("what happened", [.table(table)] + shown.remark + left)]
    }

    private func moment(_ line: LogLine) -> String {
        guard let first = line.first else { return "–" }
        guard line.count > 1, let last = line.last else { return text(first) }
        return span(first, last)
    }

    /// The day is said once where it is the same.
    private func span(_ first: LogMoment, _ last: LogMoment) -> String {
        let (start, end) = (text(first), text(last))
        guard start != end else { return start }
        let day = start.prefix { $0 != "," }
        return !showsAll && day != start && end.hasPrefix("\(day),")
            ? "\(start) to \(end.dropFirst(day.count + 2))" : "\(start) to \(end)"
    }

    private static func duration(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// A time with its zone in UTC, one without as the log has it.
    private func text(_ moment: LogMoment) -> String {
        guard let time = moment.timestamp else { return moment.text }
        guard moment.hasZone else { return time.calendarText(to: .second) }
        return times.toSecond(time)
    }

    private var beside: [Block] {
        guard let store else { return [] }
        let found = store.contradictions(to: log)
        let token = MirrorText.token(store.token, last: store.lastTransaction)
        let same: Inline =
            switch store.isOf(log) {
            case true?: "the log is about it"
            case false?: .tone(.warning, "the log is about another one")
            case nil: "the log names none"
            }
        let agreement = store.events.last {
            $0.reason.map { $0.domain == log.cause?.error.domain && $0.code == log.cause?.error.code } ?? false
        }
        var pairs = [Block.Pair("store", same), Block.Pair("token", token)]
        if let agreement {
            let time = (agreement.endedAt ?? agreement.startedAt).map(Timestamp.init(secondsSince2001:))
            let moment = time.map { " at \(times.text($0))" } ?? ""
            pairs.append(.init("same error", "the \(agreement.kindName)\(moment) failed with it in the store, too"))
        }
        pairs += Block.Pair.some("but", found.map { .tone(.warning, times.sentence($0)) })
        return [.section("beside \(store.path)", [.pairs(pairs)])]
    }

    /// What is not the cause.
    private var others: [Block] {
        let others = log.entries.filter {
            $0.error.fault.id != log.cause?.error.fault.id && $0.error.fault.kind != .note
        }
        guard !others.isEmpty else { return [] }
        let table = Block.Table(["error", "times", "first", "last", "", "meaning"], widest: 60, rows: others.map(row))
        return [.section("other errors", [.table(table)])]
    }

    private func row(_ entry: LogEntry) -> [Block.Cell] {
        [
            .code(entry.error.fault.id), .number("\(entry.count)"), .moment(entry.first.map(text) ?? "–"),
            .moment(entry.last.map(text) ?? "–"), .text(entry.isOvercome ? "overcome" : ""),
            .remark(entry.error.fault.meaning + mark(entry.error.fault)),
        ]
    }

    private var notes: [Block] {
        var notes: [Inline] = log.entries.filter { $0.error.fault.kind == .note }.map { entry in
            let fault = entry.error.fault
            return
                "\(fault.id), \(entry.count == 1 ? "once" : "\(entry.count) times"): \(fault.meaning); \(fault.whatTheMirrorDoes)\(mark(fault))"
        }
        if !log.noise.isEmpty, !log.events.isEmpty {
            notes.append("messages that look like errors and are none: \(Phrase.list(log.noise))")
        }
        if !log.unread.names.isEmpty { notes.append("not read: \(Phrase.list(log.unread.names))") }
        if log.isSorted { notes.append("the log was not in the order of time, and is read in it") }
        if !log.otherProcesses.isEmpty {
            notes.append("left out, because they are of other apps: the lines of \(Phrase.list(log.otherProcesses))")
        }
        return notes.isEmpty ? [] : [.section("notes", [.list(notes, marker: .dash)])]
    }
}

extension Inline {
    /// A text of a log, in which the names of records and accounts are cut short.
    fileprivate init(private text: String, _ showsAll: Bool) {
        self.init(
            showsAll
                ? text
                : text.replacing(/[0-9A-Fa-f_-]{32,}/) { name in
                    name.output.count(where: \.isHexDigit) < 30 ? name.output : name.output.prefix(8) + "…"
                })
    }
}
