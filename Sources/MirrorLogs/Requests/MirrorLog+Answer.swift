internal import CoreDataStore
internal import MeterInspect
package import MeterModel

/// What follows from a log.
extension MirrorLog {
    /// Errors that are neither overcome nor notes: something is to be done about them, the first thing first.
    package var open: [LogEntry] {
        entries.enumerated().filter { !$0.element.isOvercome && $0.element.error.fault.kind != .note }
            .sorted { ($0.element.error.fault.rank, $0.offset) < ($1.element.error.fault.rank, $1.offset) }
            .map(\.element)
    }

    /// What the others follow from; nil where nothing is wrong.
    package var cause: LogEntry? { open.first }

    /// The requests and what is told without one, but for what only repeats one of them.
    package var events: LazyFilterSequence<[MirrorRequest]> { story.occasions.lazy.filter { !$0.isTaken } }

    /// What to do, the first thing first, and what a reader may miss.
    package var next: [Sentence] {
        let nameUnread: Sentence =
            "save what is attached to the mail and was not read, and name it: \(Phrase.list(unread.names))"
        guard story.recognised > 0 || story.unread > 0 else {
            return unread.names.isEmpty ? ["to get a log with them: \(LogText.howTo)"] : [nameUnread]
        }
        var next: [Sentence] = []
        for advice in open.map(advice)
        where !next.contains(advice) && next.count < Self.most {
            next.append(advice)
        }
        if story.isOfServer {
            next.append(
                "this is the server's log: what the device did is not in it; ask for a log of the device, too")
        }
        if story.isOutOfOrder {
            next.append(
                "the times of this log run backwards, and it could not be sorted, so that nothing counts as overcome: sort it by "
                    + "time, or give its parts one by one")
        }
        let isAskedForAlready = open.contains { $0.error.fault == .hiddenReason }
        next += entries.filter { $0.error.fault.id == "redacted" && !isAskedForAlready }.map {
            Sentence($0.error.fault.advice)
        }
        if let running = events.last(where: { $0.outcome == .running }) {
            let since: Sentence = running.from.map { " since \($0.inSentence)" } ?? ""
            next.append(
                "the log ends while \(Self.article(running.kind ?? "request")) is running\(since): take a longer log; a process that "
                    + "was ended leaves the same picture")
        }
        if unread.mayBeLog { next.append(nameUnread) }
        if cause == nil, next.isEmpty {
            next.append(
                !hasSuccess
                    ? "nothing can be told: no request of the mirror succeeded in this log, and no error is in it; take a "
                        + "longer log"
                    : "nothing: what failed was overcome, if anything; a change of another device arrives with a push, or when "
                        + "the app is started")
        }
        return next
    }

    /// What to do about an error, with the attribute that it is about.
    private func advice(_ entry: LogEntry) -> Sentence {
        let attribute = story.details[entry.error.fault.id]?.attribute.map { " (here \($0))" }
        return Sentence(entry.error.fault.advice + (attribute ?? ""))
    }

    /// Whether a request succeeded: without one, a log is no evidence that anything works.
    package var hasSuccess: Bool { events.contains { $0.outcome == .succeeded } }

    /// Things to do; the others follow from them.
    private static let most = 4

    private static func article(_ kind: String) -> String {
        (["a", "e", "i", "o", "u"].contains(kind.prefix(1)) ? "an " : "a ") + kind
    }

    /// Messages that look like errors and are none: `background task`.
    package var noise: [String] {
        story.noise.map { $0.split(separator: "-").dropFirst().joined(separator: " ") }
    }
}
