internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// What several commands say about CloudKit's mirror.
enum MirrorText {
    /// How far the mirror has read the history.
    /// - Parameter last: the number of the last transaction.
    static func token(_ token: HistoryToken, last: Int64?) -> Inline {
        let end = last.map { "the history goes up to \($0)" } ?? "the history is empty"
        switch token {
        case .none: return "none: the mirror reads the whole history; \(end)"
        case .transaction(let number, exists: true):
            return "the mirror has read the history up to transaction \(number); \(end)"
        case .transaction(let number, exists: false):
            return .tone(.error, "lost: transaction \(number) is not there; \(end)")
        case .otherStore: return .tone(.error, "from another store; \(end)")
        case .unreadable: return .tone(.error, "cannot be decoded; \(end)")
        }
    }

    /// Why pending changes are not simply sent, and what is never sent; nothing where all is.
    static func obstacles(_ forecast: MirrorForecast) -> [Inline] {
        switch forecast.outcome {
        case .nothingWaits, .sent:
            forecast.ofGoing.map { .tone(.error, "\($0.text)") }
                + (forecast.ofLeftBehind.map { [.tone(.warning, "\($0.text)")] } ?? [])
        case .everythingSent: forecast.statements.map { "\($0.text)" }
        case .stopped, .unknown: forecast.statements.map { .tone(.warning, "\($0.text)") }
        case .rowsDeleted: forecast.statements.map { $0.isLoss ? .tone(.error, "\($0.text)") : "\($0.text)" }
        }
    }

    /// The last setup, import or export, and for a failure what the mirror does next.
    static func lines(_ last: LastMirrorEvent, _ times: ShownTimes) -> [Inline] {
        let event = last.event
        let moment = (event.endedAt ?? event.startedAt).map { " \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
        let line: Inline = "last \(event.kindName)\(moment): "
        guard let error = event.error else {
            if let reason = event.postponement {
                return ["\(line)put off (\(reason.name ?? "")): \(reason.meaning)", "\(reason.whatTheMirrorDoes)"]
            }
            return [line + (event.endedAt == nil ? "did not end: it is running, or the app ended first" : "succeeded")]
        }
        let next = error.whatTheMirrorDoes + (times.showsAll ? " (\(error.fault.mark.rawValue))" : "")
        return [
            "\(line)failed\(error.name.map { " with \($0)" } ?? ""): \(error.meaning)",
            error.deletesRows ?? false ? .tone(.warning, next) : "\(next)",
        ]
    }

    /// Since when there has been no success, and each error once.
    /// - Parameter explained: errors whose meaning is said elsewhere in the answer.
    static func lines(
        since series: CloudKitMirror.EventSeries, explained: [MirrorError], _ times: ShownTimes
    ) -> [Inline] {
        func text(_ seconds: Double) -> String { times.text(Timestamp(secondsSince2001: seconds)) }
        let success =
            series.lastSuccess?.endedAt.map { "the last \(series.kindName) that succeeded was \(text($0))" }
            ?? "no \(series.kindName) has succeeded\(series.start.map { " since the mirror's log begins, \(text($0))" } ?? "")"
        return ["\(success); \(Phrase.count(series.failed, "has", "have")) failed since"]
            + series.failures.map { failures in
                let name = failures.error.name ?? "without a reason"
                let moments = [failures.first, failures.last].compactMap(\.self).map(Timestamp.init(secondsSince2001:))
                let span = times.short(failures.count == 1 ? Array(moments.prefix(1)) : moments)
                let meaning = explained.contains(failures.error) ? "" : ": \(failures.error.meaning)"
                return "\(failures.count) × \(name), \(span.joined(separator: " to "))\(meaning)"
            }
    }
}
