internal import CoreDataStore

/// What a log tells, request by request. One failure is told in up to eight messages, and twice over in Xcode: here it
/// is one.
package struct RequestTimeline {
    /// Requests and other occasions that are kept; of a longer log, the rest is only counted.
    private static let most = 50_000
    /// Errors, processes, and kinds of requests of one that are told apart: more than any log has that was not made to
    /// have them.
    private static let mostDifferent = (errors: 5_000, processes: 1_000, kinds: 100)
    /// Names that one log can have of a kind; a longer list is none that a person reads.
    private static let mostNames = 16

    static let daemons = ["cloudd", "dasd", "apsd"]

    package private(set) var occasions: [MirrorRequest] = []
    /// How many there were beyond these.
    package private(set) var leftOut = 0
    /// The different errors.
    private(set) var errors: [LoggedError] = []

    /// Lines of messages about the mirror.
    package private(set) var recognised = 0
    package private(set) var first: LogMoment?
    package private(set) var last: LogMoment?
    /// The container in CloudKit that is named first.
    package private(set) var container: String?
    /// Processes, without those of the system, in their order.
    package private(set) var processes: [String] = []
    /// Stores that are named, by identifier.
    package private(set) var stores: [String] = []
    /// What the mirror last read of the account, such as `Available`.
    package private(set) var accountStatus: String?
    /// Whether it is a log of what CloudKit's server answered, which knows nothing of the device.
    package private(set) var isOfServer = false
    /// Whether later messages may be older than earlier ones: then nothing counts as overcome.
    package internal(set) var isOutOfOrder = false
    /// Records of the log that break off or are damaged, and were not read.
    package internal(set) var unread = 0
    /// Messages that look like errors and are none, by their rows in the table.
    package private(set) var noise: [String] = []
    /// What the log says of each error where it tells it for the first time, by the rows' ids.
    package private(set) var details: [String: LogDetail] = [:]

    private var places: [LoggedError: Int] = [:]
    private var number = 0
    private var byID: [String: Int] = [:]
    private var work: [LogProcess: Work] = [:]
    /// An error that the daemon or the app told, which the next failing request may be about.
    private var told: Int?
    /// When the system last allowed a sync, by the store that it named.
    private(set) var lastAllowed: [String?: Int] = [:]
    /// Of the requests that are not kept.
    private(set) var olderSuccesses = LogSuccesses()

    /// What a process did last.
    private struct Work {
        /// The last request, that of each kind, and the last occasion without a request that a recovery opened.
        var newest: Int?
        var lastOfKind: [String: Int] = [:]
        var loose: Int?
        /// The stores that did not open, as long as Core Data may still open them; the last one is told of now.
        var openings: [(file: String?, place: Int)] = []
        /// The stores that it names.
        var stores: [String] = []
    }

    mutating func add(_ message: LogMessage) {
        number += 1
        addFacts(of: message)
        let owner = owner(message)
        switch message.statement {
        case .idle: break
        case .began(let kind, let id):
            let known = id.flatMap { byID[$0] }
            if known.map({ occasions[$0].outcome != .running }) ?? true { _ = begin(kind, id, message) }
        case .ended(let kind, let succeeded):
            let running = last(kind, owner).flatMap { occasions[$0].outcome == .running ? $0 : nil }
            end(running ?? begin(kind, nil, message), succeeded: succeeded, message)
        case .finished(let kind, let id, let succeeded):
            end(place(of: kind, id, owner) ?? begin(kind, id, message), succeeded: succeeded, message)
        case .finishedAutomatic(let kind, let succeeded):
            let known = last(kind, owner).flatMap { place in
                let isOther = occasions[place].isClosed || occasions[place].outcome == .succeeded && !succeeded
                return isOther ? nil : place
            }
            let place = known ?? begin(kind, nil, message)
            occasions[place].isClosed = true
            end(place, succeeded: succeeded, message)
        case .printed(let kind, let started, let start, let end, let outcome):
            addEvent(kind, started, start, end, outcome, message)
        case .recovers(let isAttempt):
            var place = openRequest(owner) ?? (isAttempt ? nil : work[owner]?.loose)
            if place == nil, !message.isEmpty {
                place = append(nil, nil, message)
                work[owner, default: Work()].loose = place
            }
            if let place { attach(message, to: place) }
        case .opening:
            let known = openingPlace(of: message, owner)
            let place = attach(message, to: known)
            if known == nil { work[owner, default: Work()].openings.append((message.storeFile, place)) }
            if let more = work[owner]?.openings.count, more > Self.mostNames { work[owner]?.openings.removeFirst() }
        case .opened:
            guard let place = openingPlace(of: message, owner) else { break }
            occasions[place].isTaken = true
            work[owner]?.openings.removeAll { $0.place == place }
        case .decided(let isAllowed):
            if isAllowed { allow(message) } else if !message.isEmpty { attach(message) }
        case .other:
            // What the daemon and the app say is told on their own.
            let isOfMirror = message.has(.coreData)
            if isOfMirror, !message.has(.mirror), message.errors.isEmpty, let opening = openingPlace(of: message, owner)
            {
                attachFact(message, to: opening)
            } else if message.isEmpty {
                break
            } else if message.isRedactedOnly {
                let known = work[owner]
                let place = known?.newest ?? known?.loose ?? append(nil, nil, message)
                if known?.newest == nil { work[owner, default: Work()].loose = place }
                attach(message, to: place)
            } else if isOfMirror, !message.isNote, let place = openRequest(owner) {
                attach(message, to: place)
            } else if message.isUnknownOnly, let place = openRequest(owner), occasions[place].outcome == .failed {
                // The app tells of the failure, too.
                attach(message, to: place)
            } else {
                let place = attach(message)
                if !isOfMirror, !message.errors.isEmpty { told = place }
            }
        }
    }

    /// The store among those that did not open of which a message tells: the one that it names, or the last one. A name
    /// that is said is that of the last one, where that has none yet.
    private mutating func openingPlace(of message: LogMessage, _ owner: LogProcess) -> Int? {
        guard let openings = work[owner]?.openings, let last = openings.last else { return nil }
        guard let file = message.storeFile else { return last.place }
        if let same = openings.last(where: { $0.file == file }) { return same.place }
        guard last.file == nil else { return nil }
        work[owner]?.openings[openings.count - 1].file = file
        return last.place
    }

    private mutating func allow(_ message: LogMessage) {
        if lastAllowed.count < Self.mostNames || lastAllowed[message.store] != nil {
            lastAllowed[message.store] = number
        }
    }

    private mutating func addFacts(of message: LogMessage) {
        recognised += message.lines
        add(message.time)
        container = container ?? message.container
        isOfServer = isOfServer || message.isOfServer
        if let process = message.process { add(process: process) }
        for (fault, _) in message.told where fault.kind == .noise { Self.add(fault.id, to: &noise) }
        if message.told.contains(where: { $0.fault == .unknownError }), details[MirrorFault.unknownError.id] == nil {
            details[MirrorFault.unknownError.id] = LogDetail(words: message.text)
        }
        for found in message.errors where details[found.error.fault.id] == nil {
            details[found.error.fault.id] = LogDetail(in: found.text)
        }
        // A list has the error of each record.
        if message.errors.count > 1 {
            for (id, same) in Dictionary(grouping: message.errors, by: { $0.error.fault.id })
            where same.count > details[id]?.records ?? 0 {
                details[id]?.records = same.count
            }
        }
        if let store = message.store {
            // The scheduler decides for the stores of all apps.
            if case .decided = message.statement {} else { Self.add(store, to: &stores) }
            Self.add(store, to: &work[owner(message), default: Work()].stores)
        }
        accountStatus = message.accountStatus ?? accountStatus
    }

    mutating func add(process: String) {
        if !Self.daemons.contains(process) { Self.add(process, to: &processes) }
    }

    private mutating func add(_ time: LogMoment?) {
        first = first ?? time
        last = time ?? last
    }

    private static func add(_ name: String, to list: inout [String]) {
        if list.count < mostNames, !list.contains(name) { list.append(name) }
    }

    /// The process of a message; none that is known for one too many.
    private func owner(_ message: LogMessage) -> LogProcess {
        let isKept = work.count < Self.mostDifferent.processes || work[message.owner] != nil
        return isKept ? message.owner : LogProcess(name: nil, number: nil, host: nil)
    }

    /// Whose a request is: a process that names one store works for that one.
    func party(of occasion: MirrorRequest) -> LogParty {
        let stores = work[occasion.owner]?.stores ?? []
        return LogParty(store: occasion.store ?? (stores.count == 1 ? stores[0] : nil), owner: occasion.owner)
    }

    /// The last request, if recoveries and errors can still be about it.
    private func openRequest(_ owner: LogProcess) -> Int? {
        work[owner]?.newest.flatMap { [.running, .failed].contains(occasions[$0].outcome) ? $0 : nil }
    }

    private func last(_ kind: String, _ owner: LogProcess) -> Int? { work[owner]?.lastOfKind[kind] }

    /// The request with an identifier, else the last one of its kind that has none.
    private mutating func place(of kind: String, _ id: String?, _ owner: LogProcess) -> Int? {
        guard let id else { return last(kind, owner) }
        if let place = byID[id] { return place }
        guard let place = last(kind, owner), occasions[place].id == nil else { return nil }
        occasions[place].id = id
        byID[id] = place
        return place
    }

    private mutating func begin(_ kind: String, _ id: String?, _ message: LogMessage) -> Int {
        let place = append(kind, id, message)
        occasions[place].outcome = .running
        let owner = owner(message)
        work[owner, default: Work()].newest = place
        if work[owner]?.lastOfKind.count ?? 0 < Self.mostDifferent.kinds || last(kind, owner) != nil {
            work[owner]?.lastOfKind[kind] = place
        }
        if let id { byID[id] = place }
        return place
    }

    private mutating func append(_ kind: String?, _ id: String?, _ message: LogMessage) -> Int {
        let occasion = MirrorRequest(
            kind: kind, id: id, owner: message.owner, store: message.store, from: message.time, number: number)
        guard occasions.count == Self.most else {
            occasions.append(occasion)
            return occasions.count - 1
        }
        // Later ones stand in one place: what they were is counted, and the last one is kept.
        leftOut += 1
        let last = occasions.count - 1
        olderSuccesses.add(occasions[last], party(of: occasions[last]))
        if let id = occasions[last].id, byID[id] == last { byID[id] = nil }
        occasions[last] = occasion
        return last
    }

    private mutating func end(_ place: Int, succeeded: Bool, _ message: LogMessage) {
        if !succeeded { takeOver(by: place, message) }
        attach(message, to: place)
        if let time = message.time { occasions[place].to = time }
        guard occasions[place].outcome == .running else { return }
        let all = occasions[place].errors.map { errors[$0].fault }
        // What only carries another error says nothing of it.
        let faults = all.contains { !$0.isCarrier } ? all.filter { !$0.isCarrier } : all
        // A setup that a notice of the account has ended does not go on: another one follows.
        let isPutOff = !faults.isEmpty && faults.allSatisfy { $0.isNoFailure && $0.id != "account-notice" }
        occasions[place].outcome = succeeded ? .succeeded : isPutOff ? .putOff : .failed
        if succeeded { occasions[place].success = number }
    }

    /// The daemon has told of the failure before.
    private mutating func takeOver(by place: Int, _ message: LogMessage) {
        guard let before = told.take() else { return }
        let isSame = occasions[before].errors.contains { known in
            message.errors.contains { $0.error.domain == errors[known].domain && $0.error.code == errors[known].code }
        }
        let isNext = !occasions.indices.dropFirst(before + 1).contains { $0 != place && occasions[$0].kind != nil }
        if isSame, isNext { occasions[before].isTaken = true }
    }

    /// - Parameter place: nil for an occasion of its own.
    /// - Returns: that of the occasion.
    @discardableResult private mutating func attach(_ message: LogMessage, to place: Int? = nil) -> Int {
        let place = place ?? append(nil, nil, message)
        occasions[place].store = occasions[place].store ?? message.store
        if message.told.contains(where: { $0.fault == .unknownError }), message.isOfClient {
            occasions[place].isOfClient = true
        }
        for found in message.errors { add(found.error, to: place) }
        let isAlone = occasions[place].errors.isEmpty
        for (fault, isOtherwise) in message.told where !isOtherwise || isAlone {
            add(LoggedError(domain: "", code: 0, fault: fault, detail: -1), to: place)
        }
        return place
    }

    /// One of the lines below the error with which a store does not open: it may tell why.
    private mutating func attachFact(_ message: LogMessage, to place: Int) {
        let text = UnsafeBufferPointer(rebasing: message.text)
        for known in occasions[place].errors.map({ errors[$0] }) where !known.domain.isEmpty {
            let fault = MirrorFault.of(domain: known.domain, code: known.code, text: text)
            if fault.condition != nil {
                add(LoggedError(domain: known.domain, code: known.code, fault: fault, detail: 2), to: place)
            }
        }
        for id in Set(occasions[place].errors.map { errors[$0].fault.id }) {
            details[id, default: LogDetail(in: message.text)].add(reasonIn: message.text)
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
    private mutating func addEvent(
        _ kind: String, _ started: String, _ start: LogMoment?, _ end: LogMoment?, _ outcome: MirrorRequest.Outcome,
        _ message: LogMessage
    ) {
        let last = lastPrinted(kind, message)
        if let last, occasions[last].printedStart == nil, occasions[last].outcome == outcome,
            occasions[last].isNear(start, end)
        {
            attach(message, to: last)
            return
        }
        let known = last.flatMap { occasions[$0].printedStart == started && !started.isEmpty ? $0 : nil }
        let target = known ?? begin(kind, nil, message)
        occasions[target].printedStart = started
        occasions[target].from = start ?? occasions[target].from
        add(start)
        add(end)
        guard outcome != .running else { return }
        self.end(target, succeeded: outcome == .succeeded, message)
        occasions[target].to = end ?? occasions[target].to
    }

    /// The last request of a kind: of any process where an app has printed without saying which one it is.
    private func lastPrinted(_ kind: String, _ message: LogMessage) -> Int? {
        guard message.process == nil else { return last(kind, owner(message)) }
        return work.lazy.filter { $0.key.canBe(message.owner) }.compactMap { $0.value.lastOfKind[kind] }.max()
    }
}
