internal import CoreDataStore

/// What a log tells, request by request. One failure is told in up to eight messages, and twice over in Xcode: here it
/// is one.
package struct LogStory {
    /// Requests and other occasions that are kept; of a longer log, the rest is only counted.
    private static let most = 50_000
    /// Errors, processes, and kinds of requests of one that are told apart: more than any log has that was not made to
    /// have them.
    private static let mostDifferent = (errors: 5_000, processes: 1_000, kinds: 100)

    package private(set) var occasions: [LogOccasion] = []
    /// How many there were beyond these.
    package private(set) var leftOut = 0
    /// The different errors.
    private(set) var errors: [LoggedError] = []
    package internal(set) var facts = LogFacts()

    private var places: [LoggedError: Int] = [:]
    private var number = 0
    private var byID: [String: Int] = [:]
    private var processes: [String?: Process] = [:]
    /// An error that the daemon or the app told, which the next failing request may be about.
    private var told: Int?
    /// When the system last allowed a sync.
    private var lastAllowed = -1

    /// What a process did last.
    private struct Process {
        /// The last request, that of each kind, and the last occasion without a request that a recovery opened.
        var newest: Int?
        var lastOfKind: [String: Int] = [:]
        var loose: Int?
        /// The numbers of the last messages that told of a success, by kind.
        var successes: [String: Int] = [:]

        mutating func begin(_ kind: String, at place: Int, most: Int) {
            newest = place
            if lastOfKind.count < most || lastOfKind[kind] != nil { lastOfKind[kind] = place }
        }
    }

    mutating func add(_ found: borrowing LogFinding) {
        number += 1
        facts.add(found)
        let owner = owner(found)
        switch found.say {
        case .idle: break
        case .began(let request):
            let known = request.id.flatMap { byID[$0] }
            if known.map({ occasions[$0].outcome != .running }) ?? true { _ = begin(request.kind, request.id, found) }
        case .ended(let kind, let succeeded):
            let running = last(kind, owner).flatMap { occasions[$0].outcome == .running ? $0 : nil }
            end(running ?? begin(kind, nil, found), succeeded: succeeded, found)
        case .finished(let request, let succeeded):
            let place = place(of: request, owner) ?? begin(request.kind, request.id, found)
            end(place, succeeded: succeeded, found)
        case .finishedAutomatic(let kind, let succeeded):
            let known = last(kind, owner).flatMap { place in
                let isOther = occasions[place].isClosed || occasions[place].outcome == .succeeded && !succeeded
                return isOther ? nil : place
            }
            let place = known ?? begin(kind, nil, found)
            occasions[place].isClosed = true
            end(place, succeeded: succeeded, found)
        case .printed(let event): add(event, found)
        case .recovers(let isAttempt):
            var place = openRequest(owner) ?? (isAttempt ? nil : processes[owner]?.loose)
            if place == nil, !found.isEmpty {
                place = append(nil, nil, found)
                processes[owner, default: Process()].loose = place
            }
            if let place { attach(found, to: place) }
        case .decided(let isAllowed):
            if isAllowed { lastAllowed = number } else if !found.isEmpty { attach(found, to: append(nil, nil, found)) }
        case .other:
            guard !found.isEmpty else { break }
            // What the daemon and the app say is told on their own.
            let isOfMirror = found.message.text.contains("CoreData")
            if found.isRedactedOnly {
                let known = processes[owner]
                let place = known?.newest ?? known?.loose ?? append(nil, nil, found)
                if known?.newest == nil { processes[owner, default: Process()].loose = place }
                attach(found, to: place)
            } else if isOfMirror, !found.isNote, let place = openRequest(owner) {
                attach(found, to: place)
            } else {
                let place = append(nil, nil, found)
                attach(found, to: place)
                if !isOfMirror, !found.errors.isEmpty { told = place }
            }
        }
    }

    /// The process of a message; nil for one too many.
    private func owner(_ found: borrowing LogFinding) -> String? {
        let process = found.message.process
        return processes.count < Self.mostDifferent.processes || processes[process] != nil ? process : nil
    }

    /// The last request, if recoveries and errors can still be about it.
    private func openRequest(_ owner: String?) -> Int? {
        processes[owner]?.newest.flatMap { [.running, .failed].contains(occasions[$0].outcome) ? $0 : nil }
    }

    private func last(_ kind: String, _ owner: String?) -> Int? { processes[owner]?.lastOfKind[kind] }

    /// The request with an identifier, else the last one of its kind that has none.
    private mutating func place(of request: LogSay.Request, _ owner: String?) -> Int? {
        guard let id = request.id else { return last(request.kind, owner) }
        if let place = byID[id] { return place }
        guard let place = last(request.kind, owner), occasions[place].id == nil else { return nil }
        occasions[place].id = id
        byID[id] = place
        return place
    }

    private mutating func begin(_ kind: String, _ id: String?, _ found: borrowing LogFinding) -> Int {
        let place = append(kind, id, found)
        occasions[place].outcome = .running
        processes[owner(found), default: Process()].begin(kind, at: place, most: Self.mostDifferent.kinds)
        if let id { byID[id] = place }
        return place
    }

    private mutating func append(_ kind: String?, _ id: String?, _ found: borrowing LogFinding) -> Int {
        let occasion = LogOccasion(
            kind: kind, id: id, process: found.message.process, from: found.message.time, number: number)
        guard occasions.count < Self.most else {
            // Later ones stand in one place: what they were is counted, and the last one is kept.
            leftOut += 1
            let last = occasions.count - 1
            if let id = occasions[last].id, byID[id] == last { byID[id] = nil }
            occasions[last] = occasion
            return last
        }
        occasions.append(occasion)
        return occasions.count - 1
    }

    private mutating func end(_ place: Int, succeeded: Bool, _ found: borrowing LogFinding) {
        if !succeeded { takeOver(by: place, found) }
        attach(found, to: place)
        if let time = found.message.time { occasions[place].to = time }
        guard occasions[place].outcome == .running else { return }
        let isPutOff =
            !succeeded && !occasions[place].errors.isEmpty
            && occasions[place].errors.allSatisfy {
                // A setup that a notice of the account has ended does not go on: another one follows.
                errors[$0].fault.isNoFailure && errors[$0].fault.id != "account-notice"
            }
        occasions[place].outcome = succeeded ? .succeeded : isPutOff ? .putOff : .failed
        guard succeeded, let kind = occasions[place].kind else { return }
        let process = occasions[place].process
        if processes[process]?.lastOfKind[kind] != nil { processes[process]?.successes[kind] = number }
    }

    /// The daemon has told of the failure before.
    private mutating func takeOver(by place: Int, _ found: borrowing LogFinding) {
        guard let before = told else { return }
        told = nil
        let isSame = occasions[before].errors.contains { known in
            found.errors.contains { $0.error.domain == errors[known].domain && $0.error.code == errors[known].code }
        }
        let isNext = !occasions.indices.dropFirst(before + 1).contains { $0 != place && occasions[$0].kind != nil }
        if isSame, isNext { occasions[before].isTaken = true }
    }

    private mutating func attach(_ found: borrowing LogFinding, to place: Int) {
        for (error, _) in found.errors { add(error, to: place) }
        let isAlone = occasions[place].errors.isEmpty
        for (fault, isOtherwise) in found.told where !isOtherwise || isAlone {
            add(LoggedError(domain: "", code: 0, fault: fault, detail: -1), to: place)
        }
    }

    /// What says less than what is there already about the same code adds nothing.
    private mutating func add(_ error: LoggedError, to place: Int) {
        let same = occasions[place].errors.firstIndex {
            let known = errors[$0]
            return known.fault.id == error.fault.id
                || known.domain == error.domain && known.code == error.code && !error.domain.isEmpty
                    && (known.detail != error.detail)
        }
        if let same, errors[occasions[place].errors[same]].detail >= error.detail { return }
        var error = error
        if errors.count >= Self.mostDifferent.errors, places[error] == nil {
            // One too many: from now on, those of one row are one.
            error = LoggedError(domain: error.fault.domain ?? "", code: 0, fault: error.fault, detail: error.detail)
        }
        let entry = places[error] ?? errors.count
        if entry == errors.count {
            errors.append(error)
            places[error] = entry
        }
        if let same { occasions[place].errors[same] = entry } else { occasions[place].errors.append(entry) }
    }

    /// What the app printed of an event: the event itself, or its twin.
    private mutating func add(_ event: LogSay.PrintedEvent, _ found: borrowing LogFinding) {
        let owner = owner(found)
        let outcome: LogOccasion.Outcome = event.isEnded ? event.succeeded ? .succeeded : .failed : .running
        let last = last(event.kind, owner)
        if let last, occasions[last].printedStart == nil, occasions[last].outcome == outcome {
            return attach(found, to: last)
        }
        let known = last.flatMap { occasions[$0].printedStart == event.started ? $0 : nil }
        let target = known ?? begin(event.kind, nil, found)
        occasions[target].printedStart = event.started
        occasions[target].from = event.start ?? occasions[target].from
        facts.add(event.start)
        facts.add(event.end)
        guard event.isEnded else { return }
        end(target, succeeded: event.succeeded, found)
        occasions[target].to = event.end
    }
}

/// The answer.
extension LogStory {

    /// Errors of an occasion without those that only carry another one.
    package func listed(_ occasion: LogOccasion) -> [LoggedError] {
        let all = occasion.errors.map { errors[$0] }.filter { $0.fault.kind != .noise }
        let coded = all.filter { !$0.domain.isEmpty }
        let carriers = coded.filter(\.fault.isCarrier)
        let kept =
            coded.count > carriers.count ? nil : carriers.first { $0.domain == MirrorFault.cloudKit } ?? carriers.first
        return all.filter { !$0.fault.isCarrier || $0 == kept }
    }

    /// Each error with how often, since when and until when, in the order of its first occasion.
    var entries: [LogEntry] {
        var entries: [LogEntry] = []
        var places: [String: Int] = [:]
        let lastSuccess = processes.values.flatMap(\.successes.values).max()
        for occasion in occasions where !occasion.isTaken {
            for error in listed(occasion) {
                let place = places[error.fault.id] ?? entries.count
                if place == entries.count {
                    places[error.fault.id] = place
                    entries.append(LogEntry(error: error, first: occasion.from))
                }
                entries[place].count += 1
                entries[place].last = occasion.to ?? occasion.from ?? entries[place].last
                entries[place].isOvercome = isOvercome(error.fault, occasion, lastSuccess)
            }
        }
        return entries
    }

    private func isOvercome(_ fault: MirrorFault, _ occasion: LogOccasion, _ lastSuccess: Int?) -> Bool {
        switch fault.kind {
        case .deletes, .build, .note, .noise: return false
        case .stops, .waits, .startsOver, .retries: break
        }
        if fault.id.hasPrefix("deferred") { return lastAllowed > occasion.number }
        let success =
            if let kind = occasion.kind { processes[occasion.process]?.successes[kind] } else { lastSuccess }
        return success ?? -1 > occasion.number
    }
}

/// One error of a log.
package struct LogEntry {
    package let error: LoggedError
    package fileprivate(set) var count = 0
    package let first: LogMoment?
    package fileprivate(set) var last: LogMoment?
    /// Whether the mirror has got over it: a request of the same kind succeeded afterwards.
    package fileprivate(set) var isOvercome = false
}

/// A request of the mirror, or something that a log tells without one.
package struct LogOccasion {
    package enum Outcome: String {
        case succeeded, failed, putOff, running
    }

    /// `setup`, `import`, `export` or another word; nil for what belongs to no request.
    package let kind: String?
    package fileprivate(set) var id: String?
    package let process: String?
    package fileprivate(set) var from: LogMoment?
    /// Nil while it is running.
    package fileprivate(set) var to: LogMoment?
    package fileprivate(set) var outcome: Outcome?
    /// Places of its errors in ``LogStory/errors``, each once, in their order.
    fileprivate var errors: [Int] = []
    /// Whether the message was there that comes last of all about a request.
    fileprivate var isClosed = false
    /// When it began, as the app printed it.
    fileprivate var printedStart: String?
    /// Whether a request has taken it over.
    package fileprivate(set) var isTaken = false
    /// Which message began it.
    fileprivate let number: Int
}
