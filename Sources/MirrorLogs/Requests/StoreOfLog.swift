package import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
package import MeterModel

/// What a store says about the mirror's work, to be held against a log.
package struct StoreOfLog {
    /// As the user gave it.
    package let path: String
    /// `Z_UUID`, by which logs name it.
    package let identifier: String?
    package let isMirrored: Bool
    package let token: HistoryToken
    /// The number of the last transaction.
    package let lastTransaction: Int64?
    /// What is said of the store before anything else.
    package let alerts: [StoreAlert]
    /// The mirror's own log of its work, the first event first; of a longer one the last events.
    package let events: [CloudKitMirror.Event]

    private static let most = 1_000

    /// Reads a store and leaves no trace.
    /// - Throws: `StoreError`.
    package static func of(_ path: String, now: Timestamp) throws(StoreError) -> StoreOfLog {
        try Session.look(at: path, now: now) { session in
            let (store, database) = (session.store, session.database)
            try store.requireCoreData()
            var events: [CloudKitMirror.Event] = []
            try store.description.mirror?.forEachEvent(database) { event in
                if events.count == 2 * most { events.removeFirst(most) }
                events.append(event)
            }
            return StoreOfLog(
                path: path, identifier: store.description.metadata.uuid,
                isMirrored: store.description.mirror != nil,
                token: try store.description.mirror?.historyToken(of: store.description, database) ?? .none,
                lastTransaction: try store.description.history?.lastTransaction(database),
                alerts: try session.alerts(), events: events.suffix(most))
        }
    }

    /// What nobody may overlook of it, whatever the log says.
    package var warnings: [StoreAlert] { alerts.closing + alerts.incomplete }

    /// Why nobody may open the app: nothing that a log advises comes before it.
    package var stops: [Sentence] { alerts.stops().map(\.text) }

    /// Whether a log is about this store; nil where the log names none.
    package func isOf(_ log: MirrorLog) -> Bool? {
        guard let identifier, !log.story.stores.isEmpty else { return nil }
        return log.story.stores.contains { $0.lowercased() == identifier.lowercased() }
    }

    /// Sentences about what store and log do not say alike, or what each of them lacks.
    package func contradictions(to log: MirrorLog) -> [Sentence] {
        guard alerts.incomplete.isEmpty else {
            return ["the store is not whole, so what it lacks is not held against the log"]
        }
        guard isMirrored else { return ["the store is not mirrored, and has nothing to hold against the log"] }
        guard isOf(log) ?? true else {
            return [
                "the log is about another store, \(log.story.stores[0]); this one is \(identifier ?? "unknown")"
            ]
        }
        var found: [Sentence] = []
        var (unknownHere, unknownThere) = (0, 0)
        let requests = Array(log.events.filter { $0.kind != nil && $0.from?.hasZone == true })
        guard let first = requests.compactMap({ $0.from?.timestamp }).min(),
            let last = requests.compactMap({ ($0.to ?? $0.from)?.timestamp }).max()
        else { return lateness(of: log) }
        for request in requests where request.outcome != .running {
            let twin = events.first { Self.isSame($0, request) }
            if let twin, twin.endedAt != nil, twin.postponement == nil, request.outcome != .putOff,
                twin.succeeded != (request.outcome == .succeeded)
            {
                found.append(
                    "the log says that the \(request.kind ?? "") of \(request.from?.inSentence ?? "") \(Self.verb(request.outcome == .succeeded)), "
                        + "and the store that it \(Self.verb(twin.succeeded))")
            }
            // The store's log does not go back to what came before its first event.
            if twin == nil, let moment = request.from?.timestamp?.secondsSince2001, let first = events.first?.startedAt,
                moment >= first
            {
                unknownHere += 1
            }
        }
        for event in events where event.endedAt != nil {
            guard let start = event.startedAt.map(Timestamp.init(secondsSince2001:)), start >= first, start <= last
            else { continue }
            if !requests.contains(where: { Self.isSame(event, $0) }) { unknownThere += 1 }
        }
        if unknownHere > 0 {
            found.append(
                "the store does not know \(Phrase.count(unknownHere, "request")) of the log: it is a copy from another time, or of "
                    + "another device")
        }
        if unknownThere > 0 {
            found.append("the log lacks \(Phrase.count(unknownThere, "event")) that the store has from the same time")
        }
        return found + lateness(of: log)
    }

    /// Whether what the log shows is over, as far as the store knows.
    private func lateness(of log: MirrorLog) -> [Sentence] {
        guard let cause = log.cause, let end = cause.last?.timestamp, cause.last?.hasZone == true,
            let success = events.last(where: { $0.succeeded && ($0.startedAt ?? 0) > end.secondsSince2001 })
        else { return [] }
        return [
            "the store is newer than the trouble in the log: an \(success.kindName) succeeded at "
                + "\(Timestamp(secondsSince2001: success.endedAt ?? success.startedAt ?? 0))"
        ]
    }

    /// The event of a request begins or ends when the log says, but for seconds that a log loses.
    private static func isSame(_ event: CloudKitMirror.Event, _ request: MirrorRequest) -> Bool {
        guard event.kindName == request.kind else { return false }
        func isNear(_ seconds: Double?, _ moment: LogMoment?) -> Bool {
            guard let seconds, let moment = moment?.timestamp else { return false }
            return abs(seconds - moment.secondsSince2001) <= 5
        }
        return isNear(event.startedAt, request.from) || isNear(event.endedAt, request.to)
    }

    private static func verb(_ succeeded: Bool) -> String { succeeded ? "succeeded" : "failed" }
}
