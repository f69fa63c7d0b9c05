internal import CoreDataStore
internal import MeterModel

/// One line of what happened: a request of the log, several of the same kind that ended alike, what belongs to none, or an
/// event of the store.
package struct LogLine {
    /// Nil for what belongs to no request.
    package let kind: String?
    /// What became of it, in a word; nil for what belongs to no request.
    package let outcome: String?
    /// The ids of the errors.
    package let errors: [String]
    package let process: String?
    package let isFromStore: Bool
    package let first: LogMoment?
    package fileprivate(set) var last: LogMoment?
    package fileprivate(set) var count = 1
    /// Seconds; nil for several, and where it is not known.
    package fileprivate(set) var seconds: Double?

    fileprivate func canFold(with other: LogLine) -> Bool {
        kind == other.kind && outcome == other.outcome && errors == other.errors && process == other.process
            && isFromStore == other.isFromStore
    }
}

extension MirrorLog {
    /// What happened, in its order, with what a store knows of the same time in between. What repeats is one line.
    package func timeline(with store: StoreOfLog? = nil) -> [LogLine] {
        if let store, store.isOf(self) ?? true, let lines = lines(beside: store) { return Self.folded(lines) }
        return Self.folded(events.lazy.map(line))
    }

    private static func folded(_ lines: some Sequence<LogLine>) -> [LogLine] {
        lines.reduce(into: []) { folded, line in
            guard let last = folded.last, last.canFold(with: line) else { return folded.append(line) }
            folded[folded.count - 1].count += 1
            folded[folded.count - 1].last = line.last ?? line.first
            folded[folded.count - 1].seconds = nil
        }
    }

    /// Only what has a date and a zone can stand beside what the store has; nil where nothing has.
    private func lines(beside store: StoreOfLog) -> [LogLine]? {
        let dated = events.map(line).filter { $0.first?.hasZone == true }
        guard let first = dated.first?.first, let last = dated.last?.last ?? dated.last?.first else { return nil }
        let own = store.events.compactMap(Self.line).filter {
            ($0.first?.micros ?? 0) >= first.micros - Self.margin
                && ($0.first?.micros ?? 0) <= last.micros + Self.margin
        }
        return (dated + own).enumerated().sorted {
            ($0.element.first?.micros ?? 0, $0.offset) < ($1.element.first?.micros ?? 0, $1.offset)
        }.map(\.element)
    }

    /// Microseconds before and after a log from which the store's events are shown: what came before it, and what after.
    private static let margin: Int64 = 3_600_000_000

    private func line(_ event: MirrorRequest) -> LogLine {
        let seconds = event.from.flatMap { from in event.to.map { Double($0.micros - from.micros) / 1e6 } }
        return LogLine(
            kind: event.kind, outcome: event.outcome.map { $0 == .putOff ? "put off" : $0.rawValue },
            errors: story.listed(event).map(\.fault.id), process: event.process, isFromStore: false, first: event.from,
            last: event.to, seconds: event.kind == nil ? nil : seconds.flatMap { $0 >= 0 ? $0 : nil })
    }

    private static func line(_ event: CloudKitMirror.Event) -> LogLine? {
        guard let start = event.startedAt else { return nil }
        let outcome =
            event.endedAt == nil
            ? "running" : event.succeeded ? "succeeded" : event.postponement == nil ? "failed" : "put off"
        return LogLine(
            kind: event.kindName, outcome: outcome, errors: event.reason.map { [$0.fault.id] } ?? [], process: nil,
            isFromStore: true, first: LogMoment(secondsSince2001: start),
            last: event.endedAt.map(LogMoment.init(secondsSince2001:)), seconds: event.endedAt.map { $0 - start })
    }
}
