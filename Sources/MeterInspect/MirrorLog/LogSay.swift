/// What a message of the mirror says happened, by the fixed words of the system.
enum LogSay {
    case began(Request)
    /// A request is over, and the message does not say which one.
    case ended(kind: String, succeeded: Bool)
    /// A request is over, or was refused.
    case finished(Request, succeeded: Bool)
    /// What the system had allowed is done: the request before, told once more.
    case finishedAutomatic(kind: String, succeeded: Bool)
    /// What the app printed of an event.
    case printed(PrintedEvent)
    /// What the mirror does after an error.
    case recovers(isAttempt: Bool)
    /// A decision of the system's scheduler.
    case decided(isAllowed: Bool)
    /// Nothing that needs to be looked at.
    case idle
    case other

    struct Request: Hashable {
        /// `setup`, `import`, `export` or another word.
        let kind: String
        let id: String?
    }

    struct PrintedEvent {
        let kind: String
        let started: String
        let start, end: LogMoment?
        let isEnded, succeeded: Bool
    }

    init(_ message: LogMessage) {
        let text = message.text
        if message.has(.mirror), let start = text.range(of: "CoreData+CloudKit:")?.upperBound {
            self = Self.of(Self.words(in: text[start...]))
        } else if message.has(.decision) {
            self = .decided(isAllowed: !text.contains("FinalDecision: Must Not Proceed"))
        } else if message.has(.event), let start = text.range(of: "<NSPersistentCloudKitContainerEvent")?.upperBound {
            self = Self.event(text[start...]).map { .printed($0) } ?? .other
        } else {
            self = .other
        }
    }

    /// Behind `CoreData+CloudKit:` come the method with its line, mostly an object, and then the words.
    private static func words(in text: LogPart) -> LogPart {
        var rest = text
        if let method = rest.range(of: "): ") { rest = rest[method.upperBound...] }
        rest = rest.drop { $0 == 0x20 }
        if rest.first == UInt8(ascii: "<"), let close = rest.firstIndex(of: UInt8(ascii: ">")) {
            let after = rest[(close + 1)...]
            for separator in [": ", " - "] as [StaticString] where after.begins(separator) {
                rest = after.dropFirst(separator.utf8CodeUnitCount)
            }
        }
        return rest
    }

    /// Beginnings of messages, by their first bytes.
    private static let beginnings: [[(text: StaticString, say: LogSay)]] = {
        let rows: [(LogSay, [StaticString])] = [
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
                    "Fetch finished with error", "First identity fetch failed", "Recovered from", "Removing ",
                    "Request '", "CKIdentity record has changed", "Never successfully initialized",
                    "resetting internal state", "Told to tear down with reason: Error", "Database fetch for request",
                    "Modify records finished",
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
        var beginnings = [[(text: StaticString, say: LogSay)]](repeating: [], count: 256)
        for (say, texts) in rows {
            for text in texts { beginnings[Int(text.utf8Start[0])].append((text, say)) }
        }
        return beginnings
    }()

    private static func of(_ words: LogPart) -> LogSay {
        if words.begins("Executing: "), let request = request(in: words) { return .began(request) }
        let isRefused = words.begins("Failed to enqueue request: ")
        if isRefused || words.begins("Finished request"), let request = request(in: words) {
            return .finished(request, succeeded: !isRefused && hasSucceeded(words))
        }
        if words.begins("Finished automatic ") {
            let kind = String(decoding: words.dropFirst(19).prefix { $0 != 0x20 }, as: UTF8.self)
            return .finishedAutomatic(kind: kind, succeeded: hasSucceeded(words))
        }
        guard let first = words.first else { return .other }
        if let known = beginnings[Int(first)].first(where: { words.begins($0.text) }) { return known.say }
        return words.begins("Found ") && words.contains("objects needing export") ? .idle : .other
    }

    private static func hasSucceeded(_ words: LogPart) -> Bool {
        words.range(of: "success: ").map { words[$0.upperBound...].first == UInt8(ascii: "1") } ?? false
    }

    /// `<NSCloudKitMirroringExportRequest: 0x…> UUID`.
    private static func request(in words: LogPart) -> Request? {
        guard let start = words.range(of: "<NSCloudKitMirroring")?.upperBound,
            let end = words[start...].prefix(80).range(of: "Request")
        else { return nil }
        var name = words[start..<end.lowerBound]
        if name.begins("Delegate") { name = name.dropFirst(8) }
        let rest = words[end.upperBound...]
        let close = rest.prefix(120).firstIndex(of: UInt8(ascii: ">")) ?? rest.startIndex
        let kind = name.prefix(1).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } + name.dropFirst()
        return Request(
            kind: String(decoding: kind, as: UTF8.self),
            id: LogBytes.uuid(rest[close...].dropFirst().drop { $0 == 0x20 }))
    }

    /// `{ type: Export store: UUID started: DATE ended: DATE|(null) succeeded: YES|NO error: DOMAIN:CODE }`.
    private static func event(_ text: LogPart) -> PrintedEvent? {
        func value(_ key: StaticString, before next: StaticString) -> LogPart? {
            text.range(of: key).flatMap { key in
                text[key.upperBound...].range(of: next).map { text[key.upperBound..<$0.lowerBound] }
            }
        }
        guard let kind = value("type: ", before: " "), var started = value("started: ", before: " ended:"),
            var ended = value("ended: ", before: " succeeded:")
        else { return nil }
        let written = String(decoding: started, as: UTF8.self)
        let end = LogMoment(takenFrom: &ended)
        return PrintedEvent(
            kind: String(decoding: kind, as: UTF8.self).lowercased(), started: written,
            start: LogMoment(takenFrom: &started), end: end,
            isEnded: end != nil || !ended.contains("(null)"), succeeded: text.contains("succeeded: YES"))
    }
}
