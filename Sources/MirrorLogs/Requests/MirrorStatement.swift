/// What a message of the mirror says happened, by the fixed words of the system. The kind of a request is `setup`, `import`,
/// `export` or another word.
enum MirrorStatement {
    case began(kind: String, id: String?)
    /// A request is over, and the message does not say which one.
    case ended(kind: String, succeeded: Bool)
    /// A request is over, or was refused.
    case finished(kind: String, id: String?, succeeded: Bool)
    /// What the system had allowed is done: the request before, told once more.
    case finishedAutomatic(kind: String, succeeded: Bool)
    /// What the app printed of an event, with its beginning as it was printed.
    case printed(kind: String, started: String, start: LogMoment?, end: LogMoment?, outcome: MirrorRequest.Outcome)
    /// What the mirror does after an error.
    case recovers(isAttempt: Bool)
    /// Core Data's own report that the store did not open, in as many messages as it has facts; and that it did after all.
    case opening, opened
    /// A decision of the system's scheduler.
    case decided(isAllowed: Bool)
    /// Nothing that needs to be looked at.
    case idle
    case other

    init(_ message: LogMessage) {
        if let rest = message.after(.mirror) {
            self.init(Self.words(in: rest))
        } else if message.has(.opening) {
            self = message.text.after("Recovery attempt")?.contains("was successful") ?? false ? .opened : .opening
        } else if let decision = message.after(.decision) {
            self = .decided(isAllowed: !decision.begins("Must Not Proceed"))
        } else {
            let printed = message.isPrinted ? PrintedFailure.event(in: message.text) : nil
            self = message.after(.event).flatMap(Self.event) ?? printed ?? .other
        }
    }

    /// The same of a request that failed.
    var failed: MirrorStatement {
        switch self {
        case .ended(let kind, _): .ended(kind: kind, succeeded: false)
        case .finished(let kind, let id, _): .finished(kind: kind, id: id, succeeded: false)
        case .finishedAutomatic(let kind, _): .finishedAutomatic(kind: kind, succeeded: false)
        case .printed(let kind, let started, let start, let end, .succeeded):
            .printed(kind: kind, started: started, start: start, end: end, outcome: .failed)
        case .began, .printed, .recovers, .opening, .opened, .decided, .idle, .other: self
        }
    }

    /// Behind `CoreData+CloudKit:` come the method with its line, mostly an object, and then the words.
    private static func words(in text: LogPart) -> LogPart {
        let rest = (text.after("): ") ?? text).withoutSpace
        guard rest.begins("<"), let after = rest.after(">") else { return rest }
        return after.begins(": ") ? after.dropFirst(2) : after.begins(" - ") ? after.dropFirst(3) : rest
    }

    /// Beginnings of messages, by their first bytes.
    private static let beginnings = Dictionary(
        grouping: known.flatMap { known in known.texts.map { (say: known.say, text: $0) } },
        by: { $0.text.utf8Start.pointee })

    private static let known: [(say: MirrorStatement, texts: [StaticString])] = [
        (.ended(kind: "export", succeeded: false), ["Export failed with error"]),
        (.ended(kind: "import", succeeded: false), ["Import failed with error"]),
        (.ended(kind: "setup", succeeded: false), ["Failed to set up CloudKit integration"]),
        (.ended(kind: "setup", succeeded: true), ["Successfully set up CloudKit integration"]),
        (.ended(kind: "export", succeeded: true), ["Finished export: "]),
        (.recovers(isAttempt: true), ["Attempting recovery from error"]),
        (
            .recovers(isAttempt: false),
            [
                "Error recovery failed", "Sending '", "Failed to recover", "Found unknown error",
                "Fetch finished with error", "First identity fetch failed", "Recovered from", "Removing ", "Request '",
                "CKIdentity record has changed", "Never successfully initialized", "resetting internal state",
                "Told to tear down with reason: Error", "Database fetch for request", "Modify records finished",
            ]
        ),
        (
            .idle,
            [
                "Exporting changes since", "Enqueued request", "Importing updated", "Successfully enqueued",
                "Scheduling", "Fetched ", "Finished importing", "Asked to execute", "Checking for pending",
                "Checking to see", "No more requests", "CKIdentity record matches", "Deferring additional work",
                "Processing work items", "Observing store", "Observed ", "Beginning automated", "Bypassing dasd",
                "enqueuing request", "Got notification",
            ]
        ),
    ]

    private init(_ words: LogPart) {
        let isRefused = words.begins("Failed to enqueue request: ")
        func succeeded() -> Bool { !isRefused && words.after("success: ")?.begins("1") ?? false }
        if words.begins("Executing: "), let (kind, id) = Self.request(in: words) {
            self = .began(kind: kind, id: id)
        } else if isRefused || words.begins("Finished request"), let (kind, id) = Self.request(in: words) {
            self = .finished(kind: kind, id: id, succeeded: succeeded())
        } else if words.begins("Finished automatic ") {
            self = .finishedAutomatic(kind: words.dropFirst(19).prefix { $0 != 0x20 }.text, succeeded: succeeded())
        } else if let known = words.first.flatMap({ Self.beginnings[$0] })?.first(where: { words.begins($0.text) }) {
            self = known.say
        } else {
            self = words.begins("Found ") && words.contains("objects needing export") ? .idle : .other
        }
    }

    /// `<NSCloudKitMirroringExportRequest: 0x…> UUID`.
    private static func request(in words: LogPart) -> (kind: String, id: String?)? {
        guard let start = words.after("<NSCloudKitMirroring"), let end = start.prefix(80).range(of: "Request") else {
            return nil
        }
        var name = start[..<end.lowerBound]
        if name.begins("Delegate") { name = name.dropFirst(8) }
        let id = words[end.upperBound...].prefix(120).after(">").flatMap { words[$0.startIndex...].withoutSpace.uuid }
        return (name.prefix(1).text.lowercased() + name.dropFirst().text, id)
    }

    /// `{ type: Export store: UUID started: DATE ended: DATE|(null) succeeded: YES|NO error: DOMAIN:CODE }`.
    private static func event(_ text: LogPart) -> MirrorStatement? {
        func value(_ key: StaticString, before next: StaticString) -> LogPart? {
            text.after(key).flatMap { rest in rest.range(of: next).map { rest[..<$0.lowerBound] } }
        }
        guard let kind = value("type: ", before: " "), var started = value("started: ", before: " ended:"),
            var ended = value("ended: ", before: " succeeded:")
        else { return nil }
        let (written, end) = (started.text, LogMoment(takenFrom: &ended))
        let isEnded = end != nil || !ended.contains("(null)")
        return .printed(
            kind: kind.text.lowercased(), started: written, start: LogMoment(takenFrom: &started), end: end,
            outcome: !isEnded ? .running : text.contains("succeeded: YES") ? .succeeded : .failed)
    }
}
