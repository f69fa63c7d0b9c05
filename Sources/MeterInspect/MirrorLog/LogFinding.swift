internal import CoreDataStore

/// A message about the mirror, and what is in it.
struct LogFinding: ~Copyable {
    let message: LogMessage
    let say: LogSay
    /// Each with what the log says of it.
    let errors: [LoggedErrors.Found]
    /// What its words tell, and whether only where nothing else does.
    let told: [(fault: MirrorFault, isOtherwise: Bool)]
    let container, store: String?

    /// Whether nothing went wrong as far as this message says.
    var isEmpty: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .noise } }

    /// Whether it only tells that the system has hidden parts of it.
    var isRedactedOnly: Bool { errors.isEmpty && told.allSatisfy { $0.fault.id == "redacted" } }

    /// Whether it is about no error at all.
    var isNote: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .note } }

    /// Nil for a message that is about something else.
    init?(_ message: LogMessage) {
        self.message = message
        say = LogSay(message)
        var (errors, isTold) = ([LoggedErrors.Found](), false)
        switch say {
        case .idle, .began: break
        case .ended, .finished, .finishedAutomatic, .printed: errors = LoggedErrors.all(in: message)
        case .recovers:
            errors = LoggedErrors.all(in: message)
            // A recovery that names its error tells nothing else.
            isTold = errors.isEmpty
        case .decided, .other: (errors, isTold) = (LoggedErrors.all(in: message), true)
        }
        switch say {
        case .idle, .began: told = []
        case _ where isTold: told = MirrorFault.told(by: UnsafeBufferPointer(rebasing: message.text))
        default: told = message.isRedacted ? Self.redacted : []
        }
        // What a line says that is known to mean nothing is no error that nobody knows.
        if told.contains(where: { $0.fault.kind == .noise }) {
            errors.removeAll { $0.error.fault.id == "unknown-error" }
        }
        self.errors = errors
        let isKnown = told.contains { $0.fault.kind != .noise && $0.fault.id != "redacted" }
        guard isKnown || message.isOfMirror else { return nil }
        (container, store) = (message.container, message.store)
    }

    private static let redacted = Array("<private>".utf8).withUnsafeBufferPointer(MirrorFault.told)
}
