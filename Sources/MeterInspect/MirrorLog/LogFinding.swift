internal import CoreDataStore

/// A message about the mirror, and what is in it.
struct LogFinding: ~Copyable {
    let message: LogMessage
    let say: LogSay
    let errors: [LoggedError]
    /// What the log says of each of them.
    let texts: [ArraySlice<UInt8>]
    /// What its words tell, and whether only where nothing else does.
    let told: [(fault: MirrorFault, isOtherwise: Bool)]
    let container: String?
    let store: String?
    let accountStatus: String?

    /// Whether nothing went wrong as far as this message says.
    var isEmpty: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .noise } }

    /// Whether it only tells that the system has hidden parts of it.
    var isRedactedOnly: Bool { errors.isEmpty && told.allSatisfy { $0.fault.id == "redacted" } }

    /// Whether it is about no error at all.
    var isNote: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .note } }

    /// Nil for a message that is about something else.
    init?(_ message: consuming LogMessage) {
        var message = message
        say = LogSay(message)
        let text = message.text
        var found: [(error: LoggedError, text: ArraySlice<UInt8>)] = []
        switch say {
        case .idle, .began: told = []
        case .failed, .succeeded, .finished, .finishedAutomatic, .refused, .printed:
            found = LoggedErrors.all(in: &message)
            told = text.contains("<private>") ? Self.redacted : []
        case .recovers, .decided, .other:
            found = LoggedErrors.all(in: &message)
            // A recovery that names its error tells nothing else.
            if case .recovers = say, !found.isEmpty {
                told = text.contains("<private>") ? Self.redacted : []
            } else {
                told = MirrorFault.told(by: message.folded[...])
            }
            // What a line says that is known to mean nothing is no error that nobody knows.
            if told.contains(where: { $0.fault.kind == .noise }) {
                found.removeAll { $0.error.fault.id == "unknown-error" }
            }
        }
        (errors, texts) = (found.map(\.error), found.map(\.text))
        let isKnown = told.contains { $0.fault.kind != .noise && $0.fault.id != "redacted" }
        guard isKnown || message.isOfCoreData || LogWords.isOfMirror(text) else { return nil }
        container = LogWords.container(in: text)
        store = LogWords.store(in: text)
        accountStatus = LogWords.accountStatus(in: text)
        self.message = message
    }

    private static let redacted = MirrorFault.told(by: Array("<private>".utf8)[...])
}
