internal import MeterModel

/// What a message of the mirror says happened, by the fixed words of the system.
enum LogSay {
    case began(Request)
    /// A request failed or succeeded, and the message does not say which one.
    case failed(kind: String), succeeded(kind: String)
    case finished(Request, succeeded: Bool)
    /// What the system had allowed is done: the request before, told once more.
    case finishedAutomatic(kind: String, succeeded: Bool)
    case refused(Request)
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
        if let start = text.range(of: "CoreData+CloudKit:")?.upperBound {
            self = Self.ofMirror(text[start...])
        } else if text.contains("FinalDecision: ") {
            self = .decided(isAllowed: !text.contains("FinalDecision: Must Not Proceed"))
        } else if let start = text.range(of: "<NSPersistentCloudKitContainerEvent")?.upperBound {
            self = Self.event(text[start...]).map { .printed($0) } ?? .other
        } else {
            self = .other
        }
    }

    /// Behind `CoreData+CloudKit:` come the method with its line, mostly an object, and then the words.
    private static func ofMirror(_ text: ArraySlice<UInt8>) -> LogSay {
        var rest = text
        if let method = rest.range(of: "): ") { rest = rest[method.upperBound...] }
        while rest.first == 0x20 { rest = rest.dropFirst() }
        if rest.first == UInt8(ascii: "<"), let close = rest.firstIndex(of: UInt8(ascii: ">")) {
            let after = rest[(close + 1)...]
            for separator in [": ", " - "] as [StaticString] where after.begins(separator) {
                rest = after.dropFirst(separator.utf8CodeUnitCount)
            }
        }
        return of(rest)
    }

    private static func of(_ words: ArraySlice<UInt8>) -> LogSay {
        switch words.first {
        case UInt8(ascii: "E"):
            if words.begins("Executing: "), let request = request(in: words) { return .began(request) }
            if words.begins("Export failed with error") { return .failed(kind: "export") }
            if words.begins("Error recovery failed") { return .recovers(isAttempt: false) }
            return words.begins("Exporting changes since") || words.begins("Enqueued request") ? .idle : .other
        case UInt8(ascii: "I"):
            return words.begins("Import failed with error")
                ? .failed(kind: "import") : words.begins("Importing updated") ? .idle : .other
        case UInt8(ascii: "S"):
            if words.begins("Successfully set up CloudKit integration") { return .succeeded(kind: "setup") }
            if words.begins("Sending '") { return .recovers(isAttempt: false) }
            return words.begins("Successfully enqueued") || words.begins("Scheduling") ? .idle : .other
        case UInt8(ascii: "F"):
            if words.begins("Failed to set up CloudKit integration") { return .failed(kind: "setup") }
            if words.begins("Failed to enqueue request: "), let request = request(in: words) {
                return .refused(request)
            }
            if words.begins("Failed to recover") || words.begins("Found unknown error")
                || words.begins("Fetch finished with error")
                || words.begins("First identity fetch failed")
            {
                return .recovers(isAttempt: false)
            }
            if words.begins("Finished export: ") { return .succeeded(kind: "export") }
            if words.begins("Finished automatic ") {
                let kind = words.dropFirst(19).prefix { $0 != 0x20 }
                return .finishedAutomatic(
                    kind: String(decoding: kind, as: UTF8.self), succeeded: hasSucceeded(words))
            }
            if words.begins("Finished request"), let request = request(in: words) {
                return .finished(request, succeeded: hasSucceeded(words))
            }
            let isIdle = words.begins("Fetched ") || words.begins("Finished importing")
            return isIdle || words.begins("Found ") && words.contains("objects needing export") ? .idle : .other
        case UInt8(ascii: "A"):
            if words.begins("Attempting recovery from error") { return .recovers(isAttempt: true) }
            return words.begins("Asked to execute") ? .idle : .other
        case UInt8(ascii: "R"):
            if words.begins("Recovered from") || words.begins("Removing ") || words.begins("Request '") {
                return .recovers(isAttempt: false)
            }
            return .other
        case UInt8(ascii: "C"), UInt8(ascii: "N"):
            if words.begins("CKIdentity record has changed") || words.begins("Never successfully initialized") {
                return .recovers(isAttempt: false)
            }
            let idle: [StaticString] = [
                "Checking for pending", "Checking to see", "No more requests", "CKIdentity record matches",
            ]
            return idle.contains(where: words.begins) ? .idle : .other
        case UInt8(ascii: "r"): return words.begins("resetting internal state") ? .recovers(isAttempt: false) : .other
        case UInt8(ascii: "T"):
            return words.begins("Told to tear down with reason: Error") ? .recovers(isAttempt: false) : .other
        case UInt8(ascii: "D"), UInt8(ascii: "M"), UInt8(ascii: "P"), UInt8(ascii: "O"), UInt8(ascii: "B"),
            UInt8(ascii: "e"),
            UInt8(ascii: "G"):
            if words.begins("Database fetch for request") || words.begins("Modify records finished") {
                return .recovers(isAttempt: false)
            }
            let idle: [StaticString] = [
                "Deferring additional work", "Processing work items", "Observing store", "Observed ",
                "Beginning automated",
                "Bypassing dasd", "enqueuing request", "Got notification",
            ]
            return idle.contains(where: words.begins) ? .idle : .other
        default: return .other
        }
    }

    private static func hasSucceeded(_ words: ArraySlice<UInt8>) -> Bool {
        words.range(of: "success: ").map { words[$0.upperBound...].first == UInt8(ascii: "1") } ?? false
    }

    /// `<NSCloudKitMirroringExportRequest: 0x…> UUID`.
    private static func request(in words: ArraySlice<UInt8>) -> Request? {
        guard let start = words.range(of: "<NSCloudKitMirroring")?.upperBound,
            let end = words[start...].prefix(80).range(of: "Request")
        else { return nil }
        var name = String(decoding: words[start..<end.lowerBound], as: UTF8.self)
        if name.hasPrefix("Delegate") { name.removeFirst(8) }
        let rest = words[end.upperBound...]
        let close = rest.prefix(120).firstIndex(of: UInt8(ascii: ">")) ?? rest.startIndex
        let id = rest[close...].dropFirst().drop { $0 == 0x20 }.prefix(36)
        let isID = Hexadecimal.isUUID(id)
        return Request(
            kind: name.prefix(1).lowercased() + name.dropFirst(), id: isID ? String(decoding: id, as: UTF8.self) : nil)
    }

    /// `{ type: Export store: UUID started: DATE ended: DATE|(null) succeeded: YES|NO error: DOMAIN:CODE }`.
    private static func event(_ text: ArraySlice<UInt8>) -> PrintedEvent? {
        func value(_ key: StaticString, before next: StaticString) -> ArraySlice<UInt8>? {
            guard let start = text.range(of: key)?.upperBound, let end = text[start...].range(of: next)?.lowerBound
            else {
                return nil
            }
            return text[start..<end]
        }
        guard let kind = value("type: ", before: " "), var started = value("started: ", before: " ended:"),
            var ended = value("ended: ", before: " succeeded:")
        else { return nil }
        let name = String(decoding: kind, as: UTF8.self).lowercased()
        let written = String(decoding: started, as: UTF8.self)
        let end = LogMoment(takenFrom: &ended)
        return PrintedEvent(
            kind: name, started: written, start: LogMoment(takenFrom: &started), end: end,
            isEnded: end != nil || !ended.contains("(null)"), succeeded: text.contains("succeeded: YES"))
    }
}

enum LogWords {
    /// Whether a message is one about the mirror.
    static func isOfMirror(_ text: ArraySlice<UInt8>) -> Bool {
        let words: [StaticString] = [
            "CoreData", "coredata.cloudkit", "NSCloudKitMirroring", "PFCloudKit", "NSPersistentCloudKitContainer",
            "<CKError",
            "CKErrorDomain", "icloud-container",
        ]
        if words.contains(where: { text.contains($0) }) { return true }
        guard var rest = text.range(of: "NSCocoaErrorDomain").map({ text[$0.upperBound...] }) else { return false }
        rest = rest.prefix(12).drop { !(0x30...0x39).contains($0) }
        return rest.count >= 3 && rest.begins("13") && rest.dropFirst(2).first.map { $0 == 0x33 || $0 == 0x34 } ?? false
    }

    /// The identifier of the store that a message is about.
    static func store(in text: ArraySlice<UInt8>) -> String? {
        // It comes early, before the error.
        let text = text.prefix(700)
        guard text.contains("tore") else { return nil }
        for key in ["storeIdentifier: ", "for store UUID: ", "for store ", "for store (", "store: "] as [StaticString] {
            guard let start = text.range(of: key)?.upperBound else { continue }
            let value = text[start...].prefix(36)
            if Hexadecimal.isUUID(value) { return String(decoding: value, as: UTF8.self) }
        }
        return nil
    }

    /// `accountStatus=Available,`.
    static func accountStatus(in text: ArraySlice<UInt8>) -> String? {
        guard let start = text.prefix(700).range(of: "accountStatus=")?.upperBound else { return nil }
        return String(decoding: text[start...].prefix(40).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
    }

    /// The container in CloudKit that a message names; nil where it names none.
    static func container(in text: ArraySlice<UInt8>) -> String? {
        guard text.contains("Cloud.") else { return nil }
        for key in ["container ID = \"", "ContainerID=", "containerIdentifier:", "cid = \""] as [StaticString] {
            guard let start = text.range(of: key)?.upperBound else { continue }
            let value = text[start...].prefix { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
            if value.begins("iCloud.") { return String(decoding: value, as: UTF8.self) }
        }
        return nil
    }
}
