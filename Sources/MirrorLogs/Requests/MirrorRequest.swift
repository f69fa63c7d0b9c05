/// A request of the mirror, or something that a log tells without one.
package struct MirrorRequest {
    package enum Outcome: String {
        case succeeded, failed, putOff, running
    }

    /// `setup`, `import`, `export` or another word; nil for what belongs to no request.
    package let kind: String?
    package internal(set) var id: String?
    let owner: LogProcess
    package var process: String? { owner.name }
    /// The identifier of the store that it is about, where the log names it.
    var store: String?
    package internal(set) var from: LogMoment?
    /// Nil while it is running.
    package internal(set) var to: LogMoment?
    package internal(set) var outcome: Outcome?
    /// Places of its errors in ``RequestTimeline/errors``, each once, in their order.
    var errors: [Int] = []
    /// Whether the message was there that comes last of all about a request.
    var isClosed = false
    /// When it began, as the app printed it.
    var printedStart: String?
    /// Whether a request has taken it over.
    package internal(set) var isTaken = false
    /// Which message began it, and with which one it succeeded.
    let number: Int
    var success: Int?
    /// Whether CloudKit said that the app uses it in a wrong way, in words that nobody knows: no success changes that.
    var isOfClient = false

    init(kind: String?, id: String?, owner: LogProcess, store: String?, from: LogMoment?, number: Int) {
        (self.kind, self.id, self.owner, self.store) = (kind, id, owner, store)
        (self.from, self.number) = (from, number)
    }

    /// Whether an event with these times can be this request: one of them is the same, but for seconds that a log loses.
    /// What is not known is no difference.
    func isNear(_ start: LogMoment?, _ end: LogMoment?) -> Bool {
        let distances = [(from, start), (to, end)].compactMap { mine, other in
            mine.flatMap { mine in other.map { mine.hasZone == $0.hasZone ? abs(mine.micros - $0.micros) : 0 } }
        }
        return distances.isEmpty || distances.contains { $0 <= 5_000_000 }
    }
}

/// One error of a log.
package struct LogEntry {
    package let error: LoggedError
    package internal(set) var count = 0
    package let first: LogMoment?
    package internal(set) var last: LogMoment?
    /// Whether the mirror has got over it: a request of the same kind succeeded afterwards.
    package internal(set) var isOvercome = false
    /// Whether no success can be evidence that it is over.
    var isStuck = false
}
